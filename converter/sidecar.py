"""The carry in a file of its own, `FILE.carry.json`, beside a clean result file.

    {"evalglot": 1, "run": slot, "records": [[case, trial, slot], ...]}

JSON Lines have no envelope: theirs stands there too, as "envelope", and each line keeps its slot.

A record is told by its case (a short digest of what identifies it) and the number of the trial
within that case. So records may be moved and deleted; where what identifies a case was edited, its
carry is not found again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from converter import formats, slots
from converter.facts import identity
from converter.form import Format, Group, Parts
from converter.formats import find
from converter.rows import Record
from converter.seals import seal
from registry.errors import BadCarry
from registry.validation import envelope_check

if TYPE_CHECKING:
    from converter.chain import Flow, Stage

SUFFIX = ".carry.json"


class Sidecar:
    """Takes the carry out of a result's slots while the result is written."""

    def __init__(self, format_: str, version: str, *, records: bool, lines: bool) -> None:
        self._form = find(format_)
        self._keys = _Keys(self._form, version)
        self._takes_records, self._lines = records, lines
        self._records: list[tuple[str, int, Any]] = []
        self._run: Any = None
        self._around: Any = None

    def flow(self, flow: Flow) -> Flow:
        """The same result without its carry."""
        groups, envelope = self._groups(flow.groups), flow.envelope
        return replace(
            flow, groups=groups, envelope=lambda: self._envelope(envelope()), shared=None
        )

    def _groups(self, groups: Iterator[Group]) -> Iterator[Group]:
        if not self._takes_records:
            yield from groups
            return
        for group in groups:
            clean = []
            for record in group.records:
                bare, held = slots.take(record, self._form.record_slot)
                clean.append(bare)
                key = self._keys.next(bare, group.parent)
                if held is not None:
                    self._records.append((*key, held))
            yield Group(group.parent, clean)

    def _envelope(self, envelope: Any) -> Any:
        bare, self._run = slots.take(envelope, self._form.run_slot)
        self._around = bare if self._lines else None
        return bare

    def held(self) -> Beside:
        """What does the sidecar file hold?"""
        return Beside(slots.CARRY_VERSION, self._run, self._records, self._around)

    def document(self) -> Record:
        """How does the sidecar file say it?"""
        around = {} if self._around is None else {"envelope": self._around}
        carry = {"evalglot": slots.CARRY_VERSION, "run": self._run, **around}
        return {**carry, "records": self._records}


class _Keys:
    """Which case and trial is each record, in the order in which they come?"""

    def __init__(self, form: Format, version: str) -> None:
        self._form = form if form.version == version else None
        self._seen: Counter[str] = Counter()

    def next(self, record: Record, parent: Record | None) -> tuple[str, int]:
        """The key of the next record. Older versions' records are told by their number alone."""
        key = ""
        if self._form is not None:
            key = seal(list(identity(self._form.read(record, parent)[0])))
        self._seen[key] += 1
        return key, self._seen[key] - 1


class Beside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What does a sidecar file hold?"""

    evalglot: int
    run: Any
    records: list[tuple[str, int, Any]]
    envelope: dict[str, Any] | None = None


def heard(document: Any, file: str) -> Beside:
    """What does this sidecar file's document say? Raises BadCarry when it is no sidecar."""
    try:
        return msgspec.convert(document, Beside)
    except msgspec.ValidationError:
        raise BadCarry(
            found="this is no carry file",
            expected='{"evalglot": 1, "run": …, "records": […]}',
            hint="Convert the original file again.",
            file=file,
        ) from None


def version_of(beside: Beside, stage: Stage) -> str:
    """In which version was the clean file written? A file with few fields looks like an older one.

    Only its own carry knows; it is not followed into a version that keeps its records elsewhere.
    """
    slot = slots.run_slot(beside.run)
    if slot is None:
        return stage.version
    id_, _, version = slot.target.partition("@")
    if id_ != stage.format or not formats.knows(slot.target):
        return stage.version
    alike = formats.layout(id_, version) == formats.layout(id_, stage.version)
    return version if alike else stage.version


def rejoined(format_: str, version: str, parts: Parts, beside: Beside, file: str = "") -> Parts:
    """The parts of a clean file with the carry from its sidecar back in the slots.

    Raises BadCarry when the sidecar belongs to another file.
    """
    form = find(format_)
    if slots.run_slot(slots.take(parts.envelope, form.run_slot)[1]) is not None:
        raise _of_another("a carry beside a result that holds one itself", file)
    envelope = _around(format_, version, parts, beside, file)
    records = {(case, trial): slot for case, trial, slot in beside.records}
    keys = _Keys(form, version)

    met = 0

    def held(record: Record, parent: Record | None) -> Record:
        nonlocal met
        slot = records.get(keys.next(record, parent))
        if slot is None:
            return record
        met += 1
        return slots.put(record, form.record_slot, slot)

    groups = [_with(group, held) for group in parts.groups]
    if records and groups and not met:
        raise _of_another("the carry of another file: none of its records is in this one", file)
    if beside.run is not None:
        envelope = slots.put(envelope, form.run_slot, beside.run)
    return Parts(envelope, groups, parts.shape)


def _with(group: Group, held: Callable[[Record, Record | None], Record]) -> Group:
    return Group(group.parent, [held(record, group.parent) for record in group.records])


def _around(format_: str, version: str, parts: Parts, beside: Beside, file: str) -> Any:
    """Which envelope has the file? That of JSON Lines stands in the sidecar, to be checked here."""
    if beside.envelope is None:
        return parts.envelope
    layout = formats.layout(format_, version)
    if (
        parts.shape.get("container") == "lines"
        and layout.holds_records(beside.envelope)
        and envelope_check(f"{format_}@{version}")(layout.frame(beside.envelope, {}, []))
    ):
        return beside.envelope
    raise _of_another(f"an envelope that is none of {format_}@{version} as JSON Lines", file)


def _of_another(found: str, file: str) -> BadCarry:
    return BadCarry(
        found=found,
        expected="the carry of the result beside it",
        hint="Give --ignore-carry to read without it, or delete it where it is left over.",
        file=file,
    )
