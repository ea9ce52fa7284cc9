"""Bytes of a fuzzer as a recipe: which real document, and what is changed in it?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from converter.slots import KEY
from registry import gate
from tests.converter import samples
from tests.hostile import TEXTS

T = TypeVar("T")

VALUES: Sequence[Any] = [
    None, True, False, 0, 0.0, -0.0, 1, -1, 0.5, 2**53 + 1, -(10**40), 1e308, 5e-324, 10**400,
    "", "a", "0", "1", "passed", "PASS", "__proto__", "2026-01-01T00:00:00Z",
    "9999-99-99T99:99:99Z", "0001-01-01T00:00:00+23:59", "\ud83d", "x" * 5000, "a/b~c",
    [], {}, [[]], [None], [{}],
    {"": {}}, {"x-evalglot": 1}, {"x-evalglot": {}}, [1, "1"], *TEXTS.values(),
]  # fmt: skip
"""What a value may become."""


@dataclass(slots=True)
class Draws:
    """Numbers out of bytes; zeros where there are no more."""

    data: bytes
    at: int = 0

    def number(self, most: int) -> int:
        """Any number from 0 to this one."""
        size = 1 if most < 256 else 2
        taken = self.data[self.at : self.at + size]
        self.at += size
        return int.from_bytes(taken, "big") % (most + 1)

    def one(self, among: Sequence[T]) -> T:
        """Any of these."""
        return among[self.number(len(among) - 1)]

    @property
    def over(self) -> bool:
        """Are no bytes left?"""
        return self.at >= len(self.data)


@cache
def _sources() -> list[tuple[str, bytes]]:
    """Small valid documents of every version, as text."""
    paths = [path for path in samples.valid() if path.suffix == ".json"]
    held = [(samples.ref(path), gate.dump(samples.document(path))) for path in paths]
    return [(ref, text) for ref, text in held if len(text) < 20_000]


def document(draws: Draws) -> tuple[str, Any]:
    """A real document of a version, as it is."""
    ref, text = draws.one(_sources())
    return ref, json.loads(text)


def spoilt(draws: Draws, value: Any, most: int = 6) -> Any:
    """The value with up to so many changes, each where the bytes lead to."""
    held = {"": value}
    for _ in range(most):
        if draws.over:
            break
        _change(draws, held)
    return held[""]


def _change(draws: Draws, held: dict[str, Any]) -> None:
    parent: Any = held
    key: Any = ""
    while isinstance(parent[key], dict | list) and parent[key] and draws.number(5):
        parent = parent[key]
        key = draws.one([*parent] if isinstance(parent, dict) else range(len(parent)))
    CHANGES[draws.number(len(CHANGES) - 1) if parent is not held else 0](draws, parent, key)


def _replace(draws: Draws, parent: Any, key: Any) -> None:
    parent[key] = json.loads(json.dumps(draws.one(VALUES)))


def _remove(draws: Draws, parent: Any, key: Any) -> None:
    del parent[key]


def _repeat(draws: Draws, parent: Any, key: Any) -> None:
    again = json.loads(json.dumps(parent[key]))
    if isinstance(parent, list):
        parent.insert(draws.number(len(parent)), again)
    else:
        parent[str(draws.one(["", "a", "x-evalglot", *TEXTS.values()]))] = again


def _turn(draws: Draws, parent: Any, key: Any) -> None:
    """The same entries in another order, or another verdict."""
    if isinstance(parent[key], bool):
        parent[key] = not parent[key]
    elif isinstance(parent[key], list):
        parent[key].reverse()
    elif isinstance(parent[key], dict):
        parent[key] = dict(reversed(parent[key].items()))


def _wrap(draws: Draws, parent: Any, key: Any) -> None:
    for _ in range(draws.number(120)):
        parent[key] = [parent[key]]


OWN = ("\0attempt", "\0cell", "\0errors", "\0layer", "\0loose", "\0model", "\0order", "\0spelling")
"""keys that layouts keep for themselves"""


def damaged(draws: Draws, document: Any, names: Sequence[str]) -> Any:
    """A converted document whose deltas bring more into its source than they did.

    Any value may come, under any of the source's names, or under a key that no file has.
    """
    held = list(_slots(document))
    for _ in range(1 + draws.number(3)):
        slot = draws.one(held)
        field = draws.one(RUN_DELTAS) if "evalglot" in slot else "delta"
        node = slot[field] if type(slot.get(field)) is dict else {}
        slot[field] = _more(draws, node, (*OWN, *names))
    return document


RUN_DELTAS = ("run", "document")


def _slots(value: Any) -> Iterator[Any]:
    if type(value) is dict and type(value.get(KEY)) is dict:
        yield value[KEY]
    for inner in value.values() if type(value) is dict else value:
        if type(inner) in (dict, list):
            yield from _slots(inner)


def _more(draws: Draws, node: Any, names: Sequence[str]) -> Any:
    added = [[draws.number(3), draws.one(names), json.loads(json.dumps(draws.one(VALUES)))]]
    if draws.number(2) and type(node.get("in", {})) is dict:
        inside = node.get("in", {})
        key = draws.one([*inside, *names])
        inner = inside[key] if type(inside.get(key)) is dict else {}
        return {**node, "in": {**inside, key: {**inner, "add": added}}}
    if type(node.get("add", [])) is list:
        return {**node, "add": [*node.get("add", []), *added]}
    return {**node, "order": [*OWN]}


def names(value: Any) -> Iterator[str]:
    """Which keys has a document, and all within it?"""
    for key, inner in value.items() if type(value) is dict else enumerate(value):
        if type(key) is str:
            yield key
        if type(inner) in (dict, list):
            yield from names(inner)


CHANGES = (_replace, _replace, _turn, _remove, _repeat, _wrap)
