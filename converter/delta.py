"""What must change in one JSON value to make it another, so that it can be said beside it.

A delta is itself JSON, one node per place that differs:

    {"=": [seal, value]}            this value becomes `value`
    {"in": {key: node},             inside this object, these values change, by their new keys
     "add": [[position, key, value]],   these keys come in, at these positions
     "drop": {key: seal or face},   these keys go
     "as": [[position, key, old]],  what is called `old` gets this key, and stands at this position
     "order": [key]}                the keys' order, where positions do not give it
    {"at": {index: node},           inside this list, these elements change
     "put": [[position, value]],    these elements come in, at these positions
     "cut": {index: seal},          these elements go
     "of": length,                  and the list must still be this long,
     "by": [face]}                  or its elements must still be told by their texts (`faces`)

A seal is a short digest of the value that a change expects to replace. Where it does not match,
somebody has edited that value since: the edit wins and the change is *stale*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias

from converter.deltacode import Differs
from converter.seals import face, matched, seal
from registry import limits
from registry.errors import BadCarry
from registry.values import same

Node: TypeAlias = dict[str, Any]


def diff(old: Any, new: Any) -> Node | None:
    """What must change in `old` to make it `new`? None where they are the same."""
    if old is new:
        return None
    kind = type(new)
    if type(old) is kind:
        if kind is dict:
            differ = _DIFFERS.find(old, new)
            return _diff_members(old, new) if differ is None else differ(old, new)
        if kind is list:
            return _diff_lists(old, new)
        if same(old, new):
            return None
    return {"=": [seal(old), new]}


def _diff_members(old: dict[str, Any], new: dict[str, Any]) -> Node | None:
    inner = {}
    added = []
    kept = []
    for at, (key, value) in enumerate(new.items()):
        if key not in old:
            added.append([at, key, value])
            continue
        kept.append(key)
        other = old[key]
        if other is value or (type(value) is str and other == value):
            continue
        changed = diff(other, value)
        if changed is not None:
            inner[key] = changed
    node: Node = {}
    if inner:
        node["in"] = inner
    if added:
        node["add"] = added
    before = list(old)
    if len(kept) < len(old):
        node["drop"] = {key: seal(value) for key, value in old.items() if key not in new}
        before = [key for key in before if key in new]
    if before != kept:
        node["order"] = list(new)
    if "add" in node and "drop" in node:
        rename(node, old)
    return node or None


def rename(node: Node, old: dict[str, Any]) -> None:
    """Let an object keep its name for what it is: an edit within it then comes home within it."""
    for key in [key for key in node["drop"] if type(old[key]) is dict]:
        for entry in node["add"]:
            at, name, value = entry
            if type(value) is dict and _alike(old[key], value):
                node.setdefault("as", []).append([at, name, key])
                node["add"].remove(entry)
                del node["drop"][key]
                changed = diff(old[key], value)
                if changed is not None:
                    node.setdefault("in", {})[name] = changed
                break
    for kind in [kind for kind in ("add", "drop") if not node[kind]]:
        del node[kind]


def arriving(node: Node) -> Iterator[str]:
    """Which keys does a node bring into an object, be it for what had another key before?"""
    for kind in ("add", "as"):
        for _, key, _ in node.get(kind, ()):
            yield key


_DIFFERS = Differs(diff, seal, rename)


def _diff_lists(old: list[Any], new: list[Any]) -> Node | None:
    if len(old) == len(new):
        inner = {}
        for at, value in enumerate(new):
            changed = diff(old[at], value)
            if changed is not None:
                inner[str(at)] = changed
        return {"at": inner, "of": len(old)} if inner else None
    pairs = _pair(old, new)
    changes = {str(left): diff(old[left], new[right]) for left, right in pairs}
    node: Node = {"at": {at: changed for at, changed in changes.items() if changed is not None}}
    if not node["at"]:
        del node["at"]
    if len(pairs) < len(new):
        paired = {right for _, right in pairs}
        node["put"] = [[at, value] for at, value in enumerate(new) if at not in paired]
    if len(pairs) < len(old):
        left_over = set(range(len(old))) - {left for left, _ in pairs}
        node["cut"] = {str(at): seal(old[at]) for at in sorted(left_over)}
    node["of"] = len(old)
    return node


def _pair(old: list[Any], new: list[Any]) -> list[tuple[int, int]]:
    """Which elements of the two lists are the same thing?

    What resembles pairs from the front, then from the back, and the middle pairs by position: an
    edit of the last element of the shorter list then reaches the last element of the longer one.
    """
    shorter = min(len(old), len(new))
    front = 0
    while front < shorter and _alike(old[front], new[front]):
        front += 1
    back = 0
    while back < shorter - front and _alike(old[-1 - back], new[-1 - back]):
        back += 1
    middle = range(front, shorter - back)
    pairs = [(at, at) for at in (*range(front), *middle)]
    pairs += [(len(old) - at, len(new) - at) for at in range(back, 0, -1)]
    return pairs


def _alike(left: Any, right: Any) -> bool:
    if type(left) is dict and type(right) is dict:
        common = left.keys() & right.keys()
        return bool(common) and all(same(left[key], right[key]) for key in common)
    return same(left, right)


class Applied:
    """What became of a delta: which of its changes were stale, by JSON Pointer."""

    __slots__ = ("_entries", "stale")

    def __init__(self) -> None:
        self.stale: list[str] = []
        self._entries = 0

    def apply(self, value: Any, node: Any, pointer: str = "", depth: int = 0) -> Any:
        """What does `value` become? It is not changed itself.

        Raises `BadCarry` when the node is not a delta, or is too deep.
        """
        if type(node) is not dict:
            raise _damaged(pointer, "a delta node")
        if depth > limits.MAX_CARRY_DEPTH:
            raise _too_much("changes within changes", limits.MAX_CARRY_DEPTH, "MAX_CARRY_DEPTH")
        if "=" in node:
            expected, new = _two(node["="], pointer)
            if seal(value) == expected:
                return new
            self.stale.append(pointer)
            return value
        if not node.keys() <= (_OBJECT if type(value) is dict else _LIST):
            if node.keys() <= _OBJECT | _LIST:
                self.stale.append(pointer)
                return value
            raise _damaged(pointer, "a delta node")
        if type(value) is dict:
            return self._object(value, node, pointer, depth)
        if type(value) is list:
            return self._list(value, node, pointer, depth)
        self.stale.append(pointer)
        return value

    def _object(self, value: dict[str, Any], node: Node, pointer: str, depth: int) -> Any:
        result = dict(value)
        for key, expected in _mapping(node.get("drop", {}), pointer).items():
            if key not in result:
                continue
            if seal(result[key]) == expected or face(result[key]) == expected:
                del result[key]
            else:
                self.stale.append(f"{pointer}/{key}")
        missed: set[str] = set()
        if "add" in node or "as" in node:
            result = self._arrived(result, node, pointer, missed)
        for key, inner in _mapping(node.get("in", {}), pointer).items():
            place = f"{pointer}/{key}"
            if key in missed:
                continue
            if key in result:
                result[key] = self.apply(result[key], inner, place, depth + 1)
            else:
                self.stale.append(place)
        if "order" in node:
            rank = {
                key: at
                for at, key in enumerate(_sequence(node["order"], pointer))
                if type(key) is str
            }
            result = dict(sorted(result.items(), key=lambda item: rank.get(item[0], len(rank))))
        return result

    def _arrived(
        self, value: dict[str, Any], node: Node, pointer: str, missed: set[str]
    ) -> dict[str, Any]:
        """The object with its new keys. Those that nothing could be given are `missed`."""
        kept, new = dict(value), []
        for at, key, old in self._entries_of(node, "as", pointer):
            if type(old) is not str:
                raise _damaged(pointer, "a key")
            if old in kept and key not in kept:
                new.append((at, (key, kept.pop(old))))
            else:
                self.stale.append(f"{pointer}/{old}")
                missed.add(key)
        for at, key, item in self._entries_of(node, "add", pointer):
            if key in kept:
                self.stale.append(f"{pointer}/{key}")
            else:
                new.append((at, (key, item)))
        return dict(_merged(list(kept.items()), new))

    def _entries_of(self, node: Node, kind: str, pointer: str) -> list[tuple[int, str, Any]]:
        return [_three(entry, pointer) for entry in self._counted(node.get(kind, []), pointer)]

    def _list(self, value: list[Any], node: Node, pointer: str, depth: int) -> Any:
        places = self._places(value, node, pointer)
        if places is None:
            return value
        result = []
        cuts = _mapping(node.get("cut", {}), pointer)
        changes = _mapping(node.get("at", {}), pointer)
        for at, (old, element) in enumerate(zip(places, value, strict=True)):
            index, place = str(old), f"{pointer}/{at}"
            if index in cuts:
                if seal(element) == cuts[index]:
                    continue
                self.stale.append(place)
            inner = changes.get(index)
            result.append(
                element if inner is None else self.apply(element, inner, place, depth + 1)
            )
        entries = [_two(entry, pointer) for entry in self._counted(node.get("put", []), pointer)]
        if not all(_is_position(at) for at, _ in entries):
            raise _damaged(pointer, "a position")
        return _merged(result, entries)

    def _places(self, value: list[Any], node: Node, pointer: str) -> Sequence[int | None] | None:
        """Which element of the list that the delta was made for is each of these, if any is?"""
        if node.get("of") != len(value):
            self.stale.append(pointer)
            if "by" not in node:
                return None
        if "by" not in node:
            return range(len(value))
        told = self._counted(node["by"], pointer)
        if len(told) != node.get("of") or not all(type(face) is str for face in told):
            raise _damaged(pointer, "the faces of a list")
        return matched(told, value)

    def _counted(self, entries: Any, pointer: str) -> list[Any]:
        """The entries, unless there are more in the whole carry than anyone needs."""
        self._entries += len(_sequence(entries, pointer))
        if self._entries > limits.MAX_CARRY_VALUES:
            raise _too_much("values", limits.MAX_CARRY_VALUES, "MAX_CARRY_VALUES")
        return _sequence(entries, pointer)


def _merged(kept: list[Any], new: list[tuple[int, Any]]) -> list[Any]:
    """The kept items with each new one at its position, or at the end where that is beyond it."""
    result: list[Any] = []
    rest = iter(kept)
    for at, item in sorted(new, key=lambda entry: entry[0]):
        result += islice(rest, max(at - len(result), 0))
        result.append(item)
    result += rest
    return result


_OBJECT = frozenset(("in", "add", "drop", "as", "order"))
_LIST = frozenset(("at", "put", "cut", "of", "by"))


def _damaged(pointer: str, expected: str) -> BadCarry:
    return BadCarry(
        found="the carry is damaged",
        expected=f"{expected} for {pointer or 'the whole record'}",
        hint="Convert the original file again, or give --ignore-carry to read without it.",
    )


def _too_much(what: str, most: int, name: str) -> BadCarry:
    return BadCarry(
        found=f"the carry brings more than {most:,} {what} into the file",
        expected=f"at most {most:,} (the limit {name})",
        hint="Give --ignore-carry to read the file without it.",
    )


def _mapping(value: Any, pointer: str) -> dict[str, Any]:
    if type(value) is not dict:
        raise _damaged(pointer, "an object of changes")
    return value


def _sequence(value: Any, pointer: str) -> list[Any]:
    if type(value) is not list:
        raise _damaged(pointer, "a list of changes")
    return value


def _two(value: Any, pointer: str) -> tuple[Any, Any]:
    if type(value) is not list or len(value) != 2:
        raise _damaged(pointer, "a pair")
    return value[0], value[1]


def _three(value: Any, pointer: str) -> tuple[int, str, Any]:
    if type(value) is not list or len(value) != 3:
        raise _damaged(pointer, "a position, a key and a value")
    at, key, new = value
    if not _is_position(at) or type(key) is not str:
        raise _damaged(pointer, "a position, a key and a value")
    return at, key, new


def _is_position(value: Any) -> bool:
    return type(value) is int and 0 <= value <= limits.MAX_CARRY_VALUES
