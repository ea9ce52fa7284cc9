"""From one version of a format to the one beside it, losing nothing.

A step says, for the envelope and for each record, how the upper version looks in the lower one and
the other way round. What one direction loses is found by going there and back, and travels in the
slots, exactly as between formats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from converter import arriving, blanks, formats, slots, strangers
from converter.blanks import Blank
from converter.crossing import Listener
from converter.delta import Applied, diff
from converter.faces import marked
from converter.form import Group, Layout, Parts, Path
from converter.rows import Record
from converter.slots import NOTHING, Lost, RecordSlot, RunSlot
from registry.values import nulled

Shape: TypeAlias = Mapping[str, Any]
RecordTurn: TypeAlias = Callable[[Record, Shape], Record | None]
RunTurn: TypeAlias = Callable[[Record, Shape], Record]


def same_record(record: Record, shape: Shape) -> Record:
    """How does a record look on the other side where nothing changes?"""
    del shape
    return record


def same_shape(shape: Shape) -> Shape:
    """Which shape has the other side where nothing changes?"""
    return shape


def no_facts(envelope: Record, groups: Sequence[Group]) -> dict[str, Any]:
    """Which facts must be stated in the slot, where the other side has a word for all?"""
    del envelope, groups
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One direction of a step: how does the other version look on this side?

    `record` gives None for a record that this side does not list. `rank` gives the order in which
    this side lists its records, where it is not the other side's. `facts` are stated in the run's
    slot, `record_facts` in a record's, since this side has no field for them.
    """

    version: str
    layout: Layout
    run: RunTurn = same_record
    record: RecordTurn = same_record
    case: RunTurn = same_record
    shape: Callable[[Shape], Shape] = same_shape
    rank: Callable[[Record], int] | None = None
    run_blanks: tuple[Blank, ...] = ()
    record_blanks: tuple[Blank, ...] = ()
    facts: Callable[[Record, Sequence[Group]], dict[str, Any]] = no_facts
    record_facts: Callable[[Record], dict[str, Any]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The two sides of a pair of adjacent versions of one format.

    `lower` says how the upper version looks in the lower one, `upper` the other way round.
    """

    format: str
    run_slot: Path
    record_slot: Path
    lower: Side
    upper: Side


@dataclass(frozen=True, slots=True)
class Hop:
    """A step in one of its directions."""

    step: Step
    up: bool

    @property
    def here(self) -> Side:
        """Which side do we come from?"""
        return self.step.lower if self.up else self.step.upper

    @property
    def there(self) -> Side:
        """Which side do we go to?"""
        return self.step.upper if self.up else self.step.lower

    def ref(self, side: Side) -> str:
        """How is this side's version named?"""
        return f"{self.step.format}@{side.version}"

    def run(self, envelope: Record, shape: Shape) -> Record:
        """How does an envelope look there?"""
        here, there = self.here, self.there
        paths = here.layout.records, there.layout.records
        refs = self.ref(here), self.ref(there)
        bare = strangers.bare_envelope(envelope, refs[0], paths[0], refs[1], paths[1])
        return there.run(bare, shape)

    def case(self, record: Record, shape: Shape) -> Record:
        """How does what is around trials look there?"""
        return self.there.case(self._bare(record), shape)

    def record(self, record: Record, shape: Shape) -> Record | None:
        """How does a record look there? None where it is not listed."""
        return self.there.record(self._bare(record, self.here.layout.nested), shape)

    def _bare(self, record: Record, nested: str | None = None) -> Record:
        here, there = self.ref(self.here), self.ref(self.there)
        bare: Record = strangers.bare_record(record, here, there, nested)
        return bare


class Stepping:
    """One document on its way over one step."""

    def __init__(
        self, hop: Hop, source: Parts, listener: Listener | None = None, *, carry: bool = True
    ) -> None:
        self._hop, self._source = hop, source
        self._listener, self._carry = listener, carry
        self._lost: list[Lost] = []
        self._row = 0
        self._blanks = formats.blanks(hop.step.format)

    def parts(self) -> Parts:
        """How does the document look on the other side?"""
        source, there = self._source, self._hop.there
        shape = there.shape(source.shape)
        held = slots.of_run(source.envelope, self._hop.step.run_slot)
        groups = [
            self._group(number, group, shape, carries=held is not None)
            for number, group in enumerate(source.groups)
        ]
        groups = [group for group in groups if group.parent is not None or group.records]
        if there.rank is not None:
            groups = self._ranked(groups, there.rank)
        return Parts(self._envelope(shape, held), groups, shape)

    def _group(self, number: int, group: Group, shape: Shape, *, carries: bool) -> Group:
        parent = group.parent and self._parent(number, group.parent, shape)
        records = [self._record(record, shape, carries=carries) for record in group.records]
        return Group(parent, [record for record in records if record is not None])

    def _parent(self, number: int, parent: Record, shape: Shape) -> Record:
        hop, path = self._hop, self._hop.step.record_slot
        bare, _ = slots.take(parent, path)
        if self._source.unspeakable:
            bare = nulled(bare)
        written = hop.case(bare, shape)
        delta = diff(hop.here.case(written, self._source.shape), parent)
        if self._listener:
            self._listener.case(number, parent, delta)
        said = slots.spoken(delta, unspeakable=self._source.unspeakable)
        return slots.put(written, path, RecordSlot(said)) if self._carry else written

    def _record(self, record: Record, shape: Shape, *, carries: bool) -> Record | None:
        hop, path = self._hop, self._hop.step.record_slot
        row, self._row = self._row, self._row + 1
        bare, held = slots.take(record, path)
        if self._source.unspeakable:
            bare = nulled(bare)
        written = hop.record(bare, shape)
        if written is None:
            self._lost.append(slots.lost(row, record, unspeakable=self._source.unspeakable))
            if self._listener:
                self._listener.lost(row, record)
            return None
        before = slots.record_slot(held) if carries else NOTHING
        filled, derived = blanks.fill(written, hop.there.record_blanks)
        derived += blanks.inherited(bare, before.derived, written, self._blanks.record)
        seen = blanks.without(filled, derived, self._blanks.record)
        delta = diff(hop.here.record(seen, self._source.shape), record)
        if self._listener:
            self._listener.record(row, record, delta)
        if not self._carry:
            return filled
        facts = before.facts
        if hop.there.record_facts is not None:
            facts = {**facts, **hop.there.record_facts(bare)}
        at = row if hop.there.rank is not None else None
        said = slots.spoken(delta, unspeakable=self._source.unspeakable)
        return slots.put(filled, path, RecordSlot(said, None, at, derived, facts))

    def _ranked(self, groups: list[Group], rank: Callable[[Record], int]) -> list[Group]:
        ranked = sorted(groups, key=lambda group: rank(group.records[0]))
        if ranked != groups or not self._carry:
            return ranked
        path = self._hop.step.record_slot
        return [Group(None, [_unplaced(group.records[0], path)]) for group in groups]

    def _envelope(self, shape: Shape, held: RunSlot | None) -> Record:
        hop, source = self._hop, self._source
        path = hop.step.run_slot
        bare, _ = slots.take(source.envelope, path)
        if source.unspeakable:
            bare = nulled(bare)
        written = hop.run(bare, shape)
        filled, derived = blanks.fill(written, hop.there.run_blanks)
        if held is not None:
            derived += blanks.inherited(bare, held.derived, written, self._blanks.run)
        seen = blanks.without(filled, derived, self._blanks.run)
        home = hop.here.run(seen, source.shape)
        delta = diff(home, source.envelope)
        if self._listener:
            self._listener.run(source.envelope, delta, derived)
        redacted = slots.redactions(source.envelope, path)
        if not self._carry:
            return slots.marked(filled, path, redacted)
        slot = RunSlot(
            evalglot=slots.CARRY_VERSION,
            source=hop.ref(hop.here),
            target=hop.ref(hop.there),
            shape=dict(source.shape),
            run=slots.spoken(marked(delta, home), unspeakable=source.unspeakable),
            lost=self._lost,
            derived=derived,
            unspeakable=source.unspeakable,
            facts={**(held.facts if held else {}), **hop.there.facts(bare, source.groups)},
            redacted=redacted,
            chain=slots.chain_of(held),
        )
        return slots.put(filled, path, slot)


def _unplaced(record: Record, path: Path) -> Record:
    bare, held = slots.take(record, path)
    return slots.put(bare, path, {key: value for key, value in held.items() if key != "at"})


class StepHome:
    """The way back over one step, for a document that carries it."""

    def __init__(self, hop: Hop, slot: RunSlot) -> None:
        self._hop, self._slot = hop, slot
        self._applied = Applied()
        self._blanks = formats.blanks(hop.step.format)

    @property
    def stale(self) -> Sequence[str]:
        """Where did the carry give way to an edit?"""
        return self._applied.stale

    def parts(self, parts: Parts) -> Parts:
        """What was the document before it came over this step?"""
        hop, slot = self._hop, self._slot
        placed = [pair for group in parts.groups for pair in self._group(group)]
        if any(at is not None for at, _ in placed):
            placed.sort(key=lambda pair: float("inf") if pair[0] is None else pair[0])
        groups = [group for _, group in placed]
        for lost in slot.lost:
            record = slots.found(lost, unspeakable=slot.unspeakable)
            arriving.check_record(hop.ref(hop.here), record)
            groups.insert(lost.at, hop.here.layout.group(record))
        bare, _ = slots.take(parts.envelope, hop.step.run_slot)
        bare = blanks.without(bare, slot.derived, self._blanks.run)
        envelope = self._apply(hop.here.run(bare, slot.shape), slot.run)
        return Parts(envelope, groups, slot.shape, slot.unspeakable or parts.unspeakable)

    def _group(self, group: Group) -> list[tuple[int | None, Group]]:
        homes = [self._record(record) for record in group.records]
        if group.parent is None:
            return [(at, Group(None, [record])) for at, record in homes]
        bare, held = slots.take(group.parent, self._hop.step.record_slot)
        delta = slots.record_slot(held).delta
        parent = self._apply(self._hop.here.case(bare, self._slot.shape), delta)
        return [(None, Group(parent, [record for _, record in homes]))]

    def _record(self, record: Record) -> tuple[int | None, Record]:
        hop = self._hop
        bare, held = slots.take(record, hop.step.record_slot)
        slot = slots.record_slot(held) if held is not None else NOTHING
        bare = blanks.without(bare, slot.derived, self._blanks.record)
        written = hop.here.record(bare, self._slot.shape)
        return slot.at, self._apply(bare if written is None else written, slot.delta)

    def _apply(self, value: Record, delta: slots.Delta) -> Record:
        node = slots.heard(delta, unspeakable=self._slot.unspeakable)
        if node is None:
            return value
        return arriving.whole(self._applied.apply(value, node))
