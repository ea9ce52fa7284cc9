"""The way home: what was the source of a file that carries its way back?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from converter import arriving, blanks, formats, slots
from converter.bundling import Said
from converter.delta import Applied, Node
from converter.facts import Run, identity
from converter.form import Context, Format, Group, Parts, Tally
from converter.rows import Record
from converter.slots import NOTHING, Delta, Lost, RecordSlot, RunSlot
from registry.values import nulled


@dataclass(frozen=True, slots=True)
class Home:
    """What one record of the target was in the source."""

    record: Record
    said: Said
    """what the target's record says natively"""
    slot: RecordSlot


class Return:
    """The way from a file of format `b` back to its source in format `a`.

    Where either holds NaN, facts are read as if null stood there.

    `stale` lists the places of the source, by JSON Pointer within their record, where the carry
    gave way to an edit.
    """

    def __init__(self, a: Format, b: Format, slot: RunSlot, source: Parts) -> None:
        self._a, self._b, self._slot = a, b, slot
        self._edited = source.unspeakable
        self.unspeakable = slot.unspeakable or source.unspeakable
        envelope = nulled(source.envelope) if self._edited else source.envelope
        self._context = Context(bare_run(b, envelope, slot), shape=slot.shape)
        self._applied = Applied()
        self._parents: dict[Any, Record | None] = {}

    @property
    def stale(self) -> Sequence[str]:
        """Where did the carry give way to an edit?"""
        return self._applied.stale

    def record(self, record: Record, parent: Record | None) -> Home:
        """What was this record in the source?"""
        bare, slot = bare_record(self._b, record)
        if self._edited:
            bare, parent = nulled(bare), nulled(parent)
        said = with_facts(self._b.read(bare, parent), slot.facts)
        written = self._a.write(*said, None, self._context)
        verdict = said[1].verdict
        if verdict != slot.facts.get("verdict", verdict):  # nobody says what the new one needs
            written, _ = blanks.fill(written, self._a.record_blanks)
        if (delta := self._heard(slot.delta)) is not None:
            written = arriving.whole(self._applied.apply(written, delta))
            if self._a.write_case is None:
                self._check(Group(None, [written]))
        return Home(written, said, slot)

    def parent(self, home: Home) -> Record | None:
        """What was the own record of this trial's case? None where the source is flat.

        To be asked after `groups`: it takes all trials of a case to know.
        """
        return self._parents.get(_case_key(home))

    def parent_of(self, homes: Sequence[Home]) -> Record | None:
        """What was the own record of the case whose trials these are? None in a flat source."""
        a, case, number = self._a, homes[0].said[0], homes[0].slot.case
        if a.write_case is None:
            return None
        written = a.write_case(case, [])
        records = [home.record for home in homes]
        if any(home.slot.delta is not None for home in homes):
            native = a.write_case(case, [home.said[1] for home in homes])
            self._check(Group(native, records))
        if self.unspeakable:
            records = [nulled(record) for record in records]
        trials = [a.read(record, written)[1] for record in records]
        written = a.write_case(case, trials)
        delta = self._heard(self._slot.cases.get(str(number)))
        if delta is None:
            return written
        parent = arriving.whole(self._applied.apply(written, delta))
        self._check(Group(parent, [home.record for home in homes]))
        return parent

    def _check(self, group: Group) -> None:
        arriving.check_group(self._a, self._slot.shape, group)

    def groups(self, groups: Iterator[Group] | Sequence[Group]) -> list[Group]:
        """Which groups did the source hold?"""
        homes = [
            (self.record(record, group.parent), at)
            for at, group in enumerate(groups)
            for record in group.records
        ]
        gathered = self._gathered(homes) if self._a.write_case else self._flat(homes)
        for lost in self._slot.lost:
            gathered.insert(lost.at, self.lost(lost))
        return gathered

    def lost(self, lost: Lost) -> Group:
        """Which group was this case or record, which the target had no place for?"""
        record = slots.found(lost, unspeakable=self._slot.unspeakable)
        arriving.check_record(self._a.ref, record)
        return self._a.layout.group(record)

    def _heard(self, delta: Delta) -> Node | None:
        return slots.heard(delta, unspeakable=self._slot.unspeakable)

    def _flat(self, homes: list[tuple[Home, int]]) -> list[Group]:
        if any(home.slot.at is not None for home, _ in homes):
            homes = sorted(homes, key=lambda pair: _position(pair[0].slot))
        return [Group(None, [home.record]) for home, _ in homes]

    def _gathered(self, homes: list[tuple[Home, int]]) -> list[Group]:
        cases: dict[Any, list[Home]] = {}
        for home, _ in homes:
            cases.setdefault(_case_key(home), []).append(home)
        self._parents = {key: self.parent_of(members) for key, members in cases.items()}
        return [
            Group(self._parents[key], [home.record for home in members])
            for key, members in cases.items()
        ]

    def count(self, tally: Tally, group: Group) -> None:
        """Count a group of the source in."""
        group = without_nonfinite(group) if self.unspeakable else group
        said = [self._a.read(record, group.parent) for record in group.records]
        case = said[0][0] if said else self._a.read_case(group.parent or {})
        tally.add(case, [trial for _, trial in said])

    def envelope(self, groups: Sequence[Group]) -> Record:
        """Which envelope did the source have, if it had these groups?"""
        tally = self._a.tally()
        for group in groups:
            self.count(tally, group)
        return self.totalled(tally)

    def totalled(self, tally: Tally) -> Record:
        """Which envelope did the source have, if this is what its groups come to?"""
        written = self._a.write_run(self._context, tally)
        delta = self._heard(self._slot.run)
        if delta is None:
            return written
        envelope = arriving.whole(self._applied.apply(written, delta))
        arriving.check_envelope(self._a, self._slot.shape, envelope)
        return envelope


def without_nonfinite(group: Group) -> Group:
    """The group with null for NaN and the infinities."""
    return Group(nulled(group.parent), [nulled(record) for record in group.records])


def _case_key(home: Home) -> Any:
    """Which case is this trial of: by number where its slot says so, else by what identifies it?"""
    return identity(home.said[0]) if home.slot.case is None else home.slot.case


def _position(slot: RecordSlot) -> float:
    return float("inf") if slot.at is None else slot.at


def bare_record(b: Format, record: Record) -> tuple[Record, RecordSlot]:
    """How does a record look without its slot and unedited blanks, and what did the slot say?"""
    bare, held = slots.take(record, b.record_slot)
    if held is None:
        return record, NOTHING
    slot = slots.record_slot(held)
    return blanks.without(bare, slot.derived, formats.blanks(b.id).record), slot


def bare_run(b: Format, envelope: Record, slot: RunSlot) -> Run:
    """What does the envelope say, leaving out unedited blanks?"""
    bare, _ = slots.take(envelope, b.run_slot)
    run = b.read_run(blanks.without(bare, slot.derived, formats.blanks(b.id).run))
    return msgspec.structs.replace(run, **_known(run, slot.facts)) if slot.facts else run


def with_facts(said: Said, facts: Mapping[str, Any]) -> Said:
    """What does a record say, together with facts that its slot states?"""
    if not facts:
        return said
    case, trial = said
    if trial.verdict != facts.get("instead", trial.verdict):
        facts = {name: value for name, value in facts.items() if name not in ("verdict", "error")}
    return case, msgspec.structs.replace(trial, **_known(trial, facts))


def _known(struct: msgspec.Struct, facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: facts[name] for name in struct.__struct_fields__ if name in facts}
