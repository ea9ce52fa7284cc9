"""By what are the elements of a list told, once the list has become longer or shorter?

A run's lists are of prompts, groups or scores, counted from its records: a record that was edited
or deleted brings one more or takes one. By their texts, the others are still known. So are objects
that are not to come home, whatever was counted in them.
"""

from __future__ import annotations

from typing import Any

from converter.delta import Node
from converter.seals import face


def marked(node: Node | None, old: Any) -> Node | None:
    """The delta of this old value, with the faces of a list's elements and of what is dropped."""
    if node is None or "=" in node:
        return node
    if type(old) is dict:
        names = {name: key for _, name, key in node.get("as", ())}
        inside = node.get("in", {})
        inner = {key: marked(one, old[names.get(key, key)]) for key, one in inside.items()}
        gone = {key: face(old[key]) for key in node.get("drop", ())}
        return {**node, **({"in": inner} if inner else {}), **({"drop": gone} if gone else {})}
    if type(old) is list and "at" in node:
        changes = {at: marked(one, old[int(at)]) for at, one in node["at"].items()}
        return {**node, "at": changes, "by": [face(one) for one in old]}
    return node
