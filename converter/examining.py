"""Going there and back once more, record by record, to see what becomes of every leaf."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from converter import blanks, chain, slots
from converter.blanks import Blank
from converter.chain import Stage
from converter.crossing import Crossing
from converter.facts import Run
from converter.form import Format, Parts
from converter.formats import find
from converter.listening import LossListener, Queue
from converter.reading import Reading
from converter.recount import Recount
from converter.report import VERSION, Count, Field, Leavings, LossReport
from converter.rows import Record
from converter.turning import turn, way
from converter.versioned import UNLISTED, versioned
from registry.values import pointer


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
        turn(source, version or chain.newest(format_), listener)
    else:
        b = versioned(*_pair(target))
        _cross(source, form, b if carry else _unmarked(b), listener, carry=carry)
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
            hear = listener.case if group.records else listener.childless
            hear(number, group.parent, None)
        for record in group.records:
            listener.record(row, record, None)
            row += 1
    listener.run(source.parts.envelope, None, ())


def _cross(source: Stage, a: Format, b: Format, listener: LossListener, *, carry: bool) -> None:
    facts = _stated(source) if carry else {}
    read_run = a.read_run
    if facts:
        a = replace(a, read_run=lambda envelope: _with(read_run(envelope), facts))
    queue = Queue(listener)
    recount = Recount(a, source.parts.envelope)
    reading = Reading(a, source.parts, find)
    crossing = Crossing(recount.form, b, source.parts, reading, queue, states=carry)
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
    for hop in way(source.format, source.version, chain.newest(source.format)):
        facts |= hop.there.facts(parts.envelope, parts.groups)
        shape = hop.there.shape(parts.shape)
        parts = Parts(hop.there.run(parts.envelope, shape), parts.groups, shape)
    return facts
