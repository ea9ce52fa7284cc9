"""In which order do a file's records go home, seen from their slots alone?"""

from __future__ import annotations

import typing
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Annotated, Any, TypeAlias

import msgspec

from converter.form import Format, Group, Parts, Path, reach
from converter.slots import RunSlot

Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]

NOWHERE = -1
"""the position of a record that was not there when the file was written"""


@dataclass(frozen=True, slots=True)
class Order:
    """In which order do records go home?

    `starts` says of each group how many records stand before it; `turns` which record comes next,
    by group and number within it: None where they come as they stand.
    """

    starts: Sequence[int]
    turns: Sequence[tuple[int, int]] | None = None


class Torn(Exception):
    """The records do not stand so that they can go home one after another."""


def order_of(a: Format, b: Format, slot: RunSlot, source: Parts) -> Order:
    """In which order do records go home from `b` to `a`? Raises Torn where they can't one by one.

    The `source` has its records' bytes at hand.
    """
    if any(left.at >= right.at for left, right in pairwise(slot.lost)):
        raise Torn
    starts, positions, cases = array("I"), array("q"), array("q")
    for places in _places(b, source):
        starts.append(len(positions))
        positions.extend(place.get("at", NOWHERE) for place in places)
        cases.extend(place.get("case", NOWHERE) for place in places)
    if a.write_case is None:
        moved = any(position != NOWHERE for position in positions)
        return Order(starts, _turns(starts, positions) if moved else None)
    known = [case for case, _ in groupby(cases)]
    if NOWHERE in known or len(set(known)) < len(known):
        raise Torn
    return Order(starts)


def _turns(starts: Sequence[int], positions: Sequence[int]) -> Sequence[tuple[int, int]]:
    """Which record comes when? Those that were not there before come last."""
    last = max(positions) + 1
    order = sorted(
        range(len(positions)),
        key=lambda at: last if positions[at] == NOWHERE else positions[at],
    )
    groups = [bisect_right(starts, at) - 1 for at in order]
    return [(group, at - starts[group]) for group, at in zip(groups, order, strict=True)]


def _places(b: Format, source: Parts) -> Iterator[Sequence[dict[str, int]]]:
    """Which case and position does each record's slot name, group by group?

    Nothing else is read, as long as the bytes are what they seem.
    """
    place = _object({"case": Number, "at": Number})
    decode = msgspec.json.Decoder(_glimpse(place, b)).decode
    for number, raw in enumerate(source.raws or ()):
        try:
            group = decode(raw)
        except (msgspec.DecodeError, RecursionError):
            yield _named(source.groups[number], b.record_slot, place)
            continue
        records = [group] if b.layout.nested is None else group.get(b.layout.nested, ())
        yield [reach(record, b.record_slot) or {} for record in records]


def _named(group: Group, path: Path, place: Any) -> Sequence[dict[str, int]]:
    try:
        return [msgspec.convert(reach(record, path) or {}, place) for record in group.records]
    except (msgspec.ValidationError, UnicodeEncodeError):  # half a pair as a key
        raise Torn from None


def _glimpse(place: Any, b: Format) -> Any:
    """Which type has a group of which nothing but its slots' places is seen?"""
    seen: Any = place
    for key in reversed(b.record_slot):
        seen = _object({key: seen | None})
    return seen if b.layout.nested is None else _object({b.layout.nested: list[seen]})


def _object(members: dict[str, Any]) -> Any:
    make: Any = typing.TypedDict  # made at run time, which type checkers don't follow
    return make("Seen", members, total=False)
