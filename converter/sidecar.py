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

from converter import formats, slots
from converter.delta import seal
from converter.facts import identity
from converter.form import Format, Group, Parts
from converter.formats import find
from converter.rows import Record
from registry.errors import BadCarry

if TYPE_CHECKING:
    from converter.chain import Flow, Stage

SUFFIX = ".carry.json"


class Sidecar:
    """Takes the carry out of a result's slots while the result is written."""

    def __init__(self, format_: str, version: str, *, records: bool, lines: bool) -> None:
        self._form = find(format_)
        self._keys = _Keys(self._form, version)
        self._takes_records, self._lines = records, lines
        self._records: list[list[Any]] = []
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
                    self._records.append([*key, held])
            yield Group(group.parent, clean)

    def _envelope(self, envelope: Any) -> Any:
        bare, self._run = slots.take(envelope, self._form.run_slot)
        self._around = bare if self._lines else None
        return bare

    def document(self) -> Record:
        """What does the sidecar file hold?"""
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


def version_of(document: Any, stage: Stage) -> str:
    """In which version was the clean file written? A file with few fields looks like an older one.

    Only its own carry knows; it is not followed into a version that keeps its records elsewhere.
    """
    run = document.get("run") if isinstance(document, dict) else None
    slot = slots.run_slot(run)
    if slot is None:
        return stage.version
    id_, _, version = slot.target.partition("@")
    if id_ != stage.format or not formats.knows(slot.target):
        return stage.version
    alike = formats.layout(id_, version) == formats.layout(id_, stage.version)
    return version if alike else stage.version


def rejoined(format_: str, version: str, parts: Parts, document: Any) -> Parts:
    """The parts of a clean file with the carry from its sidecar back in the slots.

    Raises BadCarry when the document is no sidecar.
    """
    form = find(format_)
    records = _records(document)
    keys = _Keys(form, version)

    def held(record: Record, parent: Record | None) -> Record:
        slot = records.get(keys.next(record, parent))
        return record if slot is None else slots.put(record, form.record_slot, slot)

    groups = [_with(group, held) for group in parts.groups]
    run = document["run"]
    envelope = document.get("envelope", parts.envelope)
    if run is not None:
        envelope = slots.put(envelope, form.run_slot, run)
    return Parts(envelope, groups, parts.shape)


def _with(group: Group, held: Callable[[Record, Record | None], Record]) -> Group:
    return Group(group.parent, [held(record, group.parent) for record in group.records])


def _records(document: Any) -> dict[tuple[str, int], Record]:
    try:
        return {(case, trial): slot for case, trial, slot in document["records"]}
    except (KeyError, TypeError, ValueError):
        raise BadCarry(
            found="this is no carry file",
            expected='{"evalglot": 1, "run": …, "records": […]}',
            hint="Convert the original file again.",
        ) from None
