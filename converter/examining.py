"""Going there and back once more, record by record, to see what becomes of every leaf."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import msgspec

from converter import blanks, chain, slots
from converter.blanks import Blank
from converter.chain import Stage
from converter.crossing import Crossing
from converter.delta import Node, diff
from converter.facts import Run
from converter.form import Format, Parts
from converter.formats import find, steps, versions
from converter.leaves import Leaves
from converter.places import Places
from converter.reading import Reading
from converter.recount import Recount
from converter.report import VERSION, Count, Field, Leavings, LossReport
from converter.rows import Record
from converter.stepping import Hop, Shape, Side
from converter.versioned import UNLISTED, versioned
from registry.values import nulled, pointer

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
        self._holds_records = False

    def record(self, number: int, record: Record, delta: Node | None) -> None:
        """Hear of record `number` of the source."""
        place = self._places.record(number)
        self.moved += number != self.records
        self.records += 1
        self._holds_records = True
        self.leaves.add(record, delta, place.pointer, place.field, self._places.names(record))

    def unlisted(self, number: int, record: Record) -> None:
        """Hear of record `number`, which the target does not list."""
        self.record(number, record, {"add": [[0, key, None] for key in record]})

    def case(self, number: int, parent: Record, delta: Node | None) -> None:
        """Hear of the own record of case `number`."""
        place = self._places.case(number)
        own = {key: value for key, value in parent.items() if key != self._form.layout.nested}
        if own:
            self.leaves.add(own, delta, place.pointer, place.field)

    def lost(self, number: int, parent: Record) -> None:
        """Hear of a case that the target has no place for."""
        place = self._places.case(number)
        self._holds_records = True
        self.leaves.whole(parent, "carried", place.pointer, place.field)

    def run(self, envelope: Record, delta: Node | None, derived: Sequence[str]) -> None:
        """Hear of the envelope, last."""
        self.derived.update(pointer([key]) for key in derived)
        if not self._places.records:
            return
        bare, path = envelope, self._form.layout.records
        if self._holds_records:
            bare = _cut(envelope, path)
        if bare:
            self.leaves.add(bare, delta, "", "", {path[0]: self._places.records[0]})


def _cut(value: Any, path: Sequence[str]) -> Any:
    """The envelope without the empty list where its records were, nor what that leaves empty."""
    if type(value) is not dict or path[0] not in value:
        return value
    inner = _cut(value[path[0]], path[1:]) if len(path) > 1 else {}
    if inner:
        return {**value, path[0]: inner}
    return {key: item for key, item in value.items() if key != path[0]}


class _Queue:
    """Keeps what is said of records until it is known whether the target lists them."""

    def __init__(self, listener: LossListener) -> None:
        self._listener = listener
        self._waiting: deque[Heard] = deque()
        self.case, self.lost, self.run = listener.case, listener.lost, listener.run

    def record(self, number: int, record: Record, delta: Node | None) -> None:
        self._waiting.append((number, record, delta))

    def settle(self, written: Record) -> None:
        """What became of the record that was written as this?"""
        number, record, delta = self._waiting.popleft()
        if UNLISTED in written:
            self._listener.unlisted(number, record)
        else:
            self._listener.record(number, record, delta)


def examine(
    source: Stage,
    format_: str,
    version: str | None = None,
    *,
    carry: bool = True,
    pointers: bool = False,
    file: str | None = None,
) -> LossReport:
    """What becomes of every value of this document in another format or version?

    `pointers` lists each leaf's place; without `carry`, what would be carried is dropped.
    """
    back = chain.homeward(source, format_, version)
    target = f"{format_}@{version or (back.version if back else chain.newest(format_))}"
    form = versioned(source.format, source.version)
    listener = LossListener(form, source.parts, pointers=pointers)
    if back is not None:
        _unwind(source, listener)
    elif source.format == format_:
        _step(source, version or chain.newest(format_), listener)
    else:
        b = versioned(*_pair(target))
        _cross(source, form, b if carry else _unmarked(b), listener)
    return _report(
        listener,
        LossReport(
            version=VERSION,
            source=source.ref,
            target=target,
            file=file,
            carry=carry,
            returned=back is not None,
            records=listener.records,
            leaves=Leavings(0, 0, 0, 0),
            fields=(),
            derived=_counts(listener.derived),
            moved=listener.moved,
            reordered=_counts(listener.leaves.orders),
            disagreements=listener.disagreements,
            stale=back.stale if back else (),
        ),
    )


def _report(listener: LossListener, empty: LossReport) -> LossReport:
    leaves, unsaid = listener.leaves, "carried" if empty.carry else "dropped"
    places = leaves.pointers
    fields = tuple(
        Field(
            path,
            unsaid if state == "carried" else state,  # type: ignore[arg-type]
            count,
            None if places is None else tuple(places[path, state]),
        )
        for (path, state), count in sorted(leaves.counts.items())
    )
    totals = {"native": leaves.total("native"), "shadowed": leaves.total("shadowed")}
    totals |= {"carried": 0, "dropped": 0, unsaid: leaves.total("carried")}
    return msgspec.structs.replace(empty, leaves=Leavings(**totals), fields=fields)


def _counts(counter: Counter[str]) -> tuple[Count, ...]:
    return tuple(Count(path, count) for path, count in sorted(counter.items()))


def _pair(ref: str) -> tuple[str, str]:
    id_, _, version = ref.partition("@")
    return id_, version


def _unwind(source: Stage, listener: LossListener) -> None:
    """All of the source goes home: its slots are what brings it there."""
    row = 0
    for number, group in enumerate(source.parts.groups):
        if group.parent is not None:
            listener.case(number, group.parent, None)
        for record in group.records:
            listener.record(row, record, None)
            row += 1
    listener.run(source.parts.envelope, None, ())


def _cross(source: Stage, a: Format, b: Format, listener: LossListener) -> None:
    facts = _stated(source)
    read_run = a.read_run
    if facts:
        a = replace(a, read_run=lambda envelope: _with(read_run(envelope), facts))
    queue = _Queue(listener)
    recount = Recount(a, source.parts.envelope)
    reading = Reading(a, source.parts, find)
    crossing = Crossing(recount.form, b, source.parts, reading, queue)
    records = pointer((*b.layout.records, "*"))
    place = f"{records}/{b.layout.nested}/*" if b.layout.nested else records
    for group in crossing.groups():
        for record in group.records:
            queue.settle(record)
            _, held = slots.take(record, b.record_slot)
            if UNLISTED not in record:
                derived = slots.record_slot(held).derived
                listener.derived.update(f"{place}{pointer([key])}" for key in derived)
    crossing.envelope()
    listener.disagreements = recount.disagreements


def _unmarked(b: Format) -> Format:
    """A format whose placeholders are read as facts, since no slot says that they are none."""
    return replace(
        b,
        read=lambda record, parent: b.read(_filled(record, b.record_blanks), parent),
        read_run=lambda envelope: b.read_run(_filled(envelope, b.run_blanks)),
    )


def _filled(record: Record, missing: Sequence[Blank]) -> Record:
    return record if UNLISTED in record else blanks.fill(record, missing)[0]


def _with(run: Run, facts: dict[str, Any]) -> Run:
    return msgspec.structs.replace(run, **facts)


def _stated(source: Stage) -> dict[str, Any]:
    """Which facts would the steps up to the newest version state in its slot?"""
    facts: dict[str, Any] = {}
    parts = source.parts
    for hop in _way(source.format, source.version, chain.newest(source.format)):
        facts |= hop.there.facts(parts.envelope, parts.groups)
        shape = hop.there.shape(parts.shape)
        parts = Parts(hop.there.run(parts.envelope, shape), parts.groups, shape)
    return facts


def _way(id_: str, here: str, there: str) -> list[Hop]:
    known = versions(id_)
    start, goal = known.index(here), known.index(there)
    if goal >= start:
        return [Hop(step, up=True) for step in steps(id_)[start:goal]]
    return [Hop(step, up=False) for step in steps(id_)[goal:start][::-1]]


@dataclass(frozen=True, slots=True)
class _Leg:
    """One turn of a way there and back: the side that is reached, and its shape."""

    side: Side
    shape: Shape


def _legs(hops: Sequence[Hop], shape: Shape) -> Iterator[_Leg]:
    shapes = [shape]
    for hop in hops:
        shapes.append(hop.there.shape(shapes[-1]))
        yield _Leg(hop.there, shapes[-1])
    for hop, before in zip(reversed(hops), reversed(shapes[:-1]), strict=True):
        yield _Leg(hop.here, before)


def _step(source: Stage, version: str, listener: LossListener) -> None:
    """There and back over the steps between two versions of one format."""
    hops = _way(source.format, source.version, version)
    legs = list(_legs(hops, source.parts.shape))
    path = find(source.format).record_slot
    row = 0
    for number, group in enumerate(source.parts.groups):
        if group.parent is not None:
            back = _turned(_bare(group.parent, path), legs, lambda side: side.case)
            listener.case(number, group.parent, diff(back, group.parent))
        for record in group.records:
            back = _turned(_bare(record, path), legs, lambda side: side.record)
            if back is None:
                listener.unlisted(row, record)
            else:
                listener.record(row, record, diff(back, record))
            row += 1
    envelope = source.parts.envelope
    back = _turned(_bare(envelope, find(source.format).run_slot), legs, lambda side: side.run)
    listener.run(envelope, diff(back, envelope), ())


def _bare(record: Record, path: tuple[str, ...]) -> Record:
    bare: Record = nulled(slots.take(record, path)[0])
    return bare


def _turned(
    record: Record | None, legs: Sequence[_Leg], turn: Callable[[Side], Any]
) -> Record | None:
    for leg in legs:
        record = None if record is None else turn(leg.side)(record, leg.shape)
    return record
