"""What is wrong with one document: its records, what surrounds them, its fields, its counts?

Record by record, one at a time, so memory stays flat. Only what is refused is looked at again, and
only so often: a file that is wrong throughout is told in a few lines, not in a minute.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

import msgspec

from registry import closing, drift, engine, recount, validation, vouching
from registry.catalog import parse_ref
from registry.engine import Judge
from registry.errors import InputError, NotJson
from registry.explanation import Problem, explainer
from registry.findings import UNKNOWN_FIELD, Finding, Tally, in_order
from registry.progress import Watch, unwatched
from registry.slices import Index
from registry.values import JSON, pointer

MOST_EXPLAINED = 2000
"""Of how many invalid records of one file is it found out what is wrong with them?"""

MOST_FAULTS = 1000
"""How many faults of one record, or of one envelope, are told?"""

MOST_BROKEN = 100
"""For how many records of one file that are not JSON is the place in the file found?"""


NOT_EXPLAINED = "a record that breaks the schema too; it was not looked at further"

_BROKEN = object()


@dataclass(slots=True)
class Sheet:
    """What is wrong with one file, as it is found."""

    ref: str
    tally: Tally
    rules: Collection[str]
    """The ids of the rules beyond shape that are asked for."""
    counted: Tally = field(init=False)
    """What breaks those; it counts only while nothing breaks the schema."""
    places: dict[str, None] = field(default_factory=dict)
    """Values whose line and column are wanted."""
    keys: dict[str, None] = field(default_factory=dict)
    """Fields of which the key's are wanted."""
    invalid: int = 0
    broken: int = 0
    faulty: bool = False
    """Does anything break the schema?"""

    def __post_init__(self) -> None:
        self.counted = Tally(self.tally.strictness)

    def records(self, index: Index, jobs: int = 1, watch: Watch = unwatched) -> None:
        """Check what surrounds the records, and each of them, by up to `jobs` processes.

        `watch` sees all records go by.
        """
        base = pointer(index.path)
        if index.envelope is not None and not closing.envelope_check(self.ref)(index.envelope):
            self._envelope(index.envelope)
        made = None
        if not self.faulty:
            made = recount.recount(self.ref, self.rules, index.envelope, base)
        keeps = closing.record_check(self.ref)
        parts = vouching.shared(index, keeps, jobs)
        each = ((number, vouched) for numbers, vouched in parts for number in numbers)
        for number, vouched in watch(each, len(index)):
            if vouched and made is None:
                continue
            if vouched:
                record = index.again(number)
            else:
                record = self._looked(index, number, f"{base}/{number}", keeps)
            if made is not None:
                if self._unsound:
                    made = None
                elif found := made.counts.record(record, number):
                    self._count(made.admitted(found))
        if made is not None:
            self._count(made.admitted(made.counts.end()))

    def whole(self, document: JSON) -> None:
        """Check a document that does not have its records where they were looked for."""
        if not closing.document_check(self.ref)(document):
            if not validation.is_valid(document, self.ref):
                self._faults(_explainer(self.ref, "")(document, ""))
                return
            self._drifted(drift.unknown_fields(document, self.ref))
        self._count(recount.findings(document, self.ref, self.rules))

    def findings(self, positions: Mapping[str, tuple[int, int]]) -> tuple[Finding, ...]:
        """What is wrong, errors first, each placed where `positions` has its pointer?"""
        found = self.tally.findings(positions)
        return found if self._unsound else in_order((*found, *self.counted.findings(positions)))

    @property
    def further(self) -> int:
        """How many findings of other kinds are there?"""
        return self.tally.further + (0 if self._unsound else self.counted.further)

    @property
    def _unsound(self) -> bool:
        return self.faulty or bool(self.broken)

    def _count(self, findings: Iterable[Finding]) -> None:
        for one in findings:
            if self.counted.add(one, one.severity, one.note) and one.pointer is not None:
                self.places[one.pointer] = None

    def _looked(self, index: Index, number: int, place: str, keeps: Judge) -> JSON:
        """What is in a record, once all that is wrong with it is told?"""
        record = self._read(index, number, place)
        if record is not _BROKEN and not keeps(record):
            self._record(record, place)
        return record

    def _read(self, index: Index, number: int, place: str) -> JSON:
        try:
            return index.record(number, placed=self.broken < MOST_BROKEN)
        except NotJson as error:
            finding = refused(error)
            if self.broken >= MOST_BROKEN:
                finding = msgspec.structs.replace(finding, pointer=place, line=None, column=None)
            self.broken += 1
            self._add(finding, finding.expected)
        return _BROKEN

    def _record(self, record: JSON, place: str) -> None:
        if validation.record_check(self.ref)(record):
            self._drifted(drift.unknown_record_fields(record, self.ref, place))
            return
        self.invalid += 1
        if self.invalid > MOST_EXPLAINED:
            self._add(Finding(rule="schema", severity="error", found=NOT_EXPLAINED, pointer=place))
            return
        part = f"/definitions/{parse_ref(self.ref).shelf.record}"
        self._faults(_explainer(self.ref, part)(record, place))
        self._drifted(drift.unknown_record_fields(record, self.ref, place))

    def _envelope(self, envelope: JSON) -> None:
        if validation.envelope_check(self.ref)(envelope):
            self._drifted(drift.unknown_fields(envelope, self.ref))
        else:
            self.invalid += 1
            self._faults(_explainer(self.ref, "")(envelope, ""))

    def _faults(self, problems: Iterator[Problem]) -> None:
        self.faulty = True
        for problem in islice(problems, MOST_FAULTS):
            finding = Finding(
                rule=f"schema/{problem.keyword}",
                severity="error",
                found=problem.found,
                expected=problem.expected,
                pointer=problem.pointer,
            )
            missing = problem.found if problem.keyword == "required" else ""
            self._add(finding, finding.expected, missing)

    def _drifted(self, pointers: Sequence[str]) -> None:
        for place in pointers:
            finding = Finding(
                rule=UNKNOWN_FIELD,
                severity="warning",
                found=f"a field that {self.ref} does not name",
                pointer=place,
            )
            if self.tally.add(finding):
                self.keys[place] = None

    def _add(self, finding: Finding, *told: str) -> None:
        if self.tally.add(finding, *told) and finding.line is None and finding.pointer is not None:
            self.places[finding.pointer] = None


def refused(error: InputError) -> Finding:
    """Which finding tells of a file, or a record, that is refused before any schema is asked?"""
    broken = isinstance(error, NotJson)
    return Finding(
        rule="json" if broken else "format",
        severity="error",
        found=error.found,
        expected=error.expected if broken else "",
        note=error.hint,
        pointer=error.pointer,
        line=error.line,
        column=error.column,
    )


@cache
def _explainer(ref: str, place: str) -> Callable[[JSON, str], Iterator[Problem]]:
    return explainer(engine.part(parse_ref(ref).schema, place))
