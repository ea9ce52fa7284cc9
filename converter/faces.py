"""By what are the elements of a list told, once the list has become longer or shorter?

A run's lists are of prompts, groups or scores, counted from its records: a record that was edited
or deleted brings one more or takes one. By their texts, the others are still known.
"""

from __future__ import annotations

from typing import Any

from converter.delta import Node
from converter.seals import face


def marked(node: Node | None, old: Any) -> Node | None:
    """The delta of this old value, each list in it with the faces of its elements."""
    if node is None or "=" in node:
        return node
    if type(old) is dict and "in" in node:
        names = {name: key for _, name, key in node.get("as", ())}
        inside = {key: marked(one, old[names.get(key, key)]) for key, one in node["in"].items()}
        return {**node, "in": inside}
    if type(old) is list and "at" in node:
        changes = {at: marked(one, old[int(at)]) for at, one in node["at"].items()}
        return {**node, "at": changes, "by": [face(one) for one in old]}
    return node
