"""What became of every value of a source on its way to a target? The loss report.

`examine` goes there and back once more, record by record, and counts every leaf of the source;
`account.Losses` is the cheap listener, which counts lossy fields while a conversion goes by.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal

import msgspec

from converter import chain, slots
from converter.chain import Stage
from converter.crossing import Crossing
from converter.delta import Node, diff
from converter.facts import Run
from converter.form import Context, Format, Group, Parts, reach
from converter.formats import find, layout, steps, versions
from converter.leaves import Leaves, changed
from converter.places import Places
from converter.reading import Reading
from converter.rows import Record
from converter.stepping import Hop
from converter.versioned import UNLISTED, versioned
from registry.gate import dump
from registry.values import pointer

VERSION = 1
SCHEMA = "urn:evalglot:evalglot-loss-report:1"
NAMED = 3
"""fields that the one-line account names"""

State = Literal["native", "shadowed", "carried", "dropped"]


class Leavings(msgspec.Struct, frozen=True):
    """How many leaves of the source are in each state?"""

    native: int
    shadowed: int
    carried: int
    dropped: int

    @property
    def total(self) -> int:
        """How many leaves has the source?"""
        return self.native + self.shadowed + self.carried + self.dropped


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of the leaves at one place, with `*` for positions in lists?"""

    path: str
    state: State
    count: int
    pointers: tuple[str, ...] | None = None


class Count(msgspec.Struct, frozen=True):
    """How often is something so at one place, with `*` for positions in lists?"""

    path: str
    count: int


class LossReport(msgspec.Struct, frozen=True):
    """What became of every value of a source on its way to a target?"""

    version: int
    source: str
    target: str
    file: str | None
    carry: bool
    returned: bool
    """the source came from the target, and went home through its carry: nothing is lost"""
    records: int
    leaves: Leavings
    fields: tuple[Field, ...]
    derived: tuple[Count, ...]
    """fields of the target that the source says nothing of, filled with placeholders"""
    reordered: tuple[Count, ...]
    """objects of the source whose keys the target writes in another order"""
    disagreements: tuple[str, ...]
    """pointers to totals of the source that counting its records does not give"""
    stale: tuple[str, ...]
    """where the carry gave way to an edit, by pointer within its record"""

    @property
    def native_share(self) -> float:
        """Which share of the source's leaves says the target natively? From 0 to 1."""
        return self.leaves.native / self.leaves.total if self.leaves.total else 1.0

    def having(self, state: State) -> tuple[Field, ...]:
        """Which fields have leaves in this state, the most frequent first?"""
        held = (field for field in self.fields if field.state == state)
        return tuple(sorted(held, key=lambda field: (-field.count, field.path)))

    @property
    def lossless(self) -> bool:
        """Does the target say everything itself?"""
        return not (self.leaves.shadowed or self.leaves.carried or self.leaves.dropped)

    def line(self) -> str:
        """The account in one line."""
        told = f"{self.source} → {self.target}: {self.records:,} record{'s' * (self.records != 1)}"
        if self.returned:
            edited = f"; {len(self.stale)} values edited since" if self.stale else ""
            return f"{told}, come home through the carry{edited}"
        said = [f"native {int(100 * self.native_share)} %"]
        said += [self._named(state) for state in ("shadowed", "carried") if self.having(state)]
        said.append(self._named("dropped") if self.leaves.dropped else "dropped 0")
        if self.disagreements:
            said.append(f"{len(self.disagreements)} totals differ from the recount")
        return f"{told}; {', '.join(said)}"

    def _named(self, state: State) -> str:
        names = dict.fromkeys(_short(field.path) for field in self.having(state))
        shown = ", ".join(list(names)[:NAMED]) + (", …" if len(names) > NAMED else "")
        return f"{state} {len(names)} field{'s' * (len(names) != 1)} ({shown})"

    def document(self) -> Any:
        """The report as a JSON value, always the same for the same conversion."""
        value: dict[str, Any] = msgspec.to_builtins(self)
        return {"$schema": SCHEMA, **value}

    def json(self) -> bytes:
        """The report as bytes of JSON, ready to be written."""
        return dump(self.document()) + b"\n"


def _short(path: str) -> str:
    names = [name for name in path.split("/") if name not in ("", "*")]
    return names[-1] if names else "the document"


class LossListener:
    """Hears a conversion go by and counts what becomes of each leaf of its source."""

    def __init__(self, form: Format, parts: Parts, *, pointers: bool = False) -> None:
        self.leaves = Leaves(pointers=pointers)
        self.derived: Counter[str] = Counter()
        self.disagreements: tuple[str, ...] = ()
        self.records = 0
        self._form, self._places = form, Places(form.layout, parts)
        self._totals = _totals(form)

    def record(self, number: int, record: Record, delta: Node | None) -> None:
        """Hear of record `number` of the source."""
        place = self._places.record(number)
        self.records += 1
        self.leaves.add(record, delta, place.pointer, place.field, self._places.names(record))

    def unlisted(self, number: int, record: Record) -> None:
        """Hear of record `number`, which the target does not list."""
        place = self._places.record(number)
        self.records += 1
        names = self._places.names(record)
        self.leaves.whole(record, "carried", place.pointer, place.field, names)

    def case(self, number: int, parent: Record, delta: Node | None) -> None:
        """Hear of the own record of case `number`."""
        place = self._places.case(number)
        own = {key: value for key, value in parent.items() if key != self._form.layout.nested}
        self.leaves.add(own, delta, place.pointer, place.field) if own else None

    def lost(self, number: int, parent: Record) -> None:
        """Hear of a case that the target has no place for."""
        place = self._places.case(number)
        self.leaves.whole(parent, "carried", place.pointer, place.field)

    def run(self, envelope: Record, delta: Node | None, derived: Sequence[str]) -> None:
        """Hear of the envelope, last."""
        self.derived.update(f"/{key}" for key in derived)
        records = self._places.records
        if not records:
            return
        bare = self._without_records(envelope)
        if bare:
            self.leaves.add(bare, delta, "", "")
        self.disagreements = tuple(
            place for place, new in changed(delta) if not new and place.startswith(self._totals)
        )

    def _without_records(self, envelope: Record) -> Record:
        """The envelope, without the empty list that stands where the records were."""
        if not self.records and not self.leaves.counts:
            return envelope
        return _cut(envelope, self._form.layout.records)


def _cut(value: Any, path: Sequence[str]) -> Any:
    if len(path) == 1:
        return {key: item for key, item in value.items() if key != path[0]}
    return {key: _cut(item, path[1:]) if key == path[0] else item for key, item in value.items()}


def _totals(form: Format) -> tuple[str, ...]:
    """Where does the format keep what is counted from its records? JSON Pointers."""
    shape = form.shape(_survey()) if form.shape else {}
    context = Context(Run(), shape=shape)
    bare = form.write_run(context, None)
    counted = form.write_run(context, form.tally())
    return tuple(place for place, _ in changed(diff(bare, counted)))
