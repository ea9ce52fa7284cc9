"""Functions that tell two objects apart, each made for objects with certain keys.

Most objects of a file have the same few sets of keys. Once it is known which keys two objects have,
it is known which of them are new, which are gone and whether their order differs; what is left is
to compare what both have. For the keys a, b and a, c that is

    def differ(old, new):
        inner = {}
        o = old[k0]; n = new[k0]
        if o is not n:
            if type(n) is not str:
                c = diff(o, n)
                if c is not None: inner[k0] = c
            elif o != n:
                inner[k0] = {"=": [seal(o), n]}
        node = {}
        if inner: node["in"] = inner
        node["add"] = [[1, k1, new[k1]]]
        node["drop"] = {k2: seal(old[k2])}
        rename(node, old)
        return node or None

which takes half the time of going through keys that could be any. No key stands in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from converter.rowcode import function

Keys: TypeAlias = "tuple[str | None, ...]"
Differ: TypeAlias = Callable[[dict[str, Any], dict[str, Any]], "dict[str, Any] | None"]

WORTH = 32
"""pairs of objects with the same keys, before a function is made for them"""

MOST_KEYS = 64
"""keys of two objects together, for which one is made"""

MOST_SHAPES = 256
"""functions that are made at most: a file may have objects of any keys"""


class Differs:
    """The functions made so far. They compare by `diff`, seal by `seal`, and `rename` objects."""

    __slots__ = ("_made", "_seen", "_turns")

    def __init__(
        self, diff: Callable[..., Any], seal: Callable[..., Any], rename: Callable[..., None]
    ) -> None:
        self._turns = {"diff": diff, "seal": seal, "rename": rename}
        self._made: dict[Keys, Differ] = {}
        self._seen: dict[Keys, int] = {}

    def find(self, old: dict[str, Any], new: dict[str, Any]) -> Differ | None:
        """Which function tells these two apart? None where there is none yet."""
        keys = (*old, None, *new)
        return self._made.get(keys) or self._awaited(keys)

    def _awaited(self, keys: Keys) -> Differ | None:
        seen = self._seen.get(keys, 0) + 1
        if seen < WORTH:
            if len(self._seen) < MOST_SHAPES and len(keys) <= MOST_KEYS:
                self._seen[keys] = seen
            return None
        cut = keys.index(None)
        made: Differ = _made(keys[:cut], keys[cut + 1 :], self._turns)
        self._made[keys] = made
        return made


def _made(old: Sequence[Any], new: Sequence[Any], turns: dict[str, Any]) -> Differ:
    names = {key: f"k{at}" for at, key in enumerate(dict.fromkeys((*old, *new)))}
    known = {name: key for key, name in names.items()}
    return function("differ", list(_text(old, new, names)), {**turns, **known})


def _text(old: Sequence[str], new: Sequence[str], names: dict[str, str]) -> Iterator[str]:
    yield "def differ(old, new):"
    yield " inner = {}"
    kept = [key for key in new if key in old]
    for name in (names[key] for key in kept):
        yield f" o = old[{name}]; n = new[{name}]"
        yield " if o is not n:"
        yield "  if type(n) is not str:"
        yield "   c = diff(o, n)"
        yield f"   if c is not None: inner[{name}] = c"
        yield "  elif o != n:"
        yield f'   inner[{name}] = {{"=": [seal(o), n]}}'
    yield " node = {}"
    yield ' if inner: node["in"] = inner'
    added = [f"[{at}, {names[k]}, new[{names[k]}]]" for at, k in enumerate(new) if k not in old]
    if added:
        yield f' node["add"] = [{", ".join(added)}]'
    dropped = [f"{names[key]}: seal(old[{names[key]}])" for key in old if key not in new]
    if dropped:
        yield f' node["drop"] = {{{", ".join(dropped)}}}'
    if [key for key in old if key in new] != kept:
        yield ' node["order"] = list(new)'
    if added and dropped:
        yield " rename(node, old)"
    yield " return node or None"
