"""Hearing of each leaf of a source while it is converted."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from typing import Any, TypeAlias

from converter import folded
from converter.delta import Node
from converter.form import Format, Parts
from converter.leaves import Leaves
from converter.places import Places
from converter.rows import Record
from converter.versioned import UNLISTED
from registry.values import pointer

Heard: TypeAlias = tuple[int, Record, Node | None]


class LossListener:
    """Hears a conversion between newest versions go by, and counts each leaf of its source."""

    def __init__(self, form: Format, parts: Parts, *, pointers: bool = False) -> None:
        self.leaves = Leaves(pointers=pointers)
        self.derived: Counter[str] = Counter()
        self.disagreements: tuple[str, ...] = ()
        self.records = 0
        self.moved = 0
        self._form, self._places = form, Places(form.layout, parts)

    def record(self, number: int, record: Record, delta: Node | None) -> None:
        """Hear of record `number` of the source."""
        self.moved += number != self.records
        self.records += 1
        names = self._places.names(record)
        for at, (row, change) in enumerate(folded.rows(record, delta)):
            place = self._places.record(number, at)
            self.leaves.add(row, change, place.pointer, place.field, names)

    def unlisted(self, number: int, record: Record) -> None:
        """Hear of record `number`, which the target does not list."""
        self.record(number, record, {"add": [[0, key, None] for key in record]})

    def case(self, number: int, parent: Record, delta: Node | None) -> None:
        """Hear of the own record of case `number`."""
        place = self._places.case(number)
        own = {key: value for key, value in parent.items() if key != self._form.layout.nested}
        if own:
            self.leaves.add(own, delta, place.pointer, place.field)

    def childless(self, number: int, parent: Record, delta: Node | None) -> None:
        """Hear of case `number`, which has no trials, and is kept nonetheless."""
        place = self._places.case(number)
        self.leaves.add(parent, delta, place.pointer, place.field)

    def lost(self, number: int, parent: Record) -> None:
        """Hear of a case that the target has no place for."""
        place = self._places.case(number)
        self.leaves.whole(parent, "carried", place.pointer, place.field)

    def run(self, envelope: Record, delta: Node | None, derived: Sequence[str]) -> None:
        """Hear of the envelope, last."""
        self.derived.update(pointer([key]) for key in derived)
        if not self._places.records:
            return
        bare, places = envelope, self._places
        for path in places.filled:
            bare = _cut(bare, path)
        for place in places.empty:
            self.leaves.whole([], "carried", place.pointer, place.field)
        for key, value in places.beside(envelope).items():
            self.leaves.whole(value, "carried", pointer([key]), pointer([key]))
        if bare:
            names = {} if places.base else {self._form.layout.records[0]: places.records[0]}
            self.leaves.add(bare, delta, pointer(places.base), pointer(places.base), names)


def _cut(value: Any, path: Sequence[str]) -> Any:
    """The envelope without the empty list where its records were, nor what that leaves empty."""
    if type(value) is not dict or path[0] not in value:
        return value
    inner = _cut(value[path[0]], path[1:]) if len(path) > 1 else {}
    if inner:
        return {**value, path[0]: inner}
    return {key: item for key, item in value.items() if key != path[0]}


class Queue:
    """Keeps what is said of records until it is known whether the target lists them."""

    def __init__(self, listener: LossListener) -> None:
        self._listener = listener
        self._waiting: deque[Heard] = deque()
        self.case, self.lost, self.run = listener.case, listener.lost, listener.run

    def record(self, number: int, record: Record, delta: Node | None) -> None:
        """Hear of record `number` of the source."""
        self._waiting.append((number, record, delta))

    def settle(self, written: Record) -> None:
        """What became of the record that was written as this?"""
        number, record, delta = self._waiting.popleft()
        if UNLISTED in written:
            self._listener.unlisted(number, record)
        else:
            self._listener.record(number, record, delta)
