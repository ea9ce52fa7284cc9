"""What is wrong with a file: its JSON, its format, its schema, its fields, its counts?

Record by record, one at a time, so memory stays flat. Only what is refused is looked at again, and
only so often: a file that is wrong throughout is told in a few lines, not in a minute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

import msgspec

from registry import closing, detection, drift, engine, locating, slices, validation
from registry.catalog import Version, parse_ref
from registry.errors import EvalglotError, InputError, NotJson, UnknownFormat, UnknownVersion
from registry.explanation import Problem, explainer
from registry.files import SUFFIXES, is_lines, listed, opened
from registry.findings import FileReport, Finding, Report, Tally, worst
from registry.lexemes import NO_COMMENTS, Nonfinite
from registry.slices import Index
from registry.text import Buffer
from registry.values import JSON, pointer

MOST_EXPLAINED = 2000
"""Of how many invalid records of one file is it found out what is wrong with them?"""

MOST_FAULTS = 1000
"""How many faults of one record, or of one envelope, are told?"""

MOST_BROKEN = 100
"""For how many records of one file that are not JSON is the place in the file found?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How are files to be checked?"""

    version: Version | None = None
    """The version that all files have; None: each is found out."""
    nonfinite: Nonfinite = "reject"
    strict: bool = False
    ignore_unknown: bool = False


def check(paths: Sequence[str], asked: Asked) -> Report:
    """What is wrong with these files, and those in these folders?"""
    return Report(tuple(_each(paths, asked)))


def _each(paths: Sequence[str], asked: Asked) -> Iterator[FileReport]:
    for path, files in listed(paths):
        if not files and not asked.ignore_unknown:
            yield _unreadable(path, InputError("holds no .json, .jsonl or .ndjson file"))
        for file in files:
            yield check_file(file, asked)


def check_file(file: str, asked: Asked) -> FileReport:
    """What is wrong with this file?"""
    try:
        with opened(file) as data:
            return _check(data, file, asked)
    except (NotJson, UnknownFormat, UnknownVersion) as error:
        if asked.ignore_unknown and unrelated(error, file):
            return FileReport(file=file, outcome="skipped")
        return FileReport(file=file, outcome="invalid", findings=(_refused(error),))
    except InputError as error:
        return _unreadable(file, error)


def _unreadable(file: str, error: InputError) -> FileReport:
    finding = Finding(rule="file", severity="error", found=error.found, note=error.hint)
    return FileReport(file=file, outcome="unreadable", findings=(finding,))


def _refused(error: InputError) -> Finding:
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


def unrelated(error: EvalglotError, file: str) -> bool:
    """Was a file refused that is no result file at all?

    A result file that broke is none of these: it has a format, but in an unknown version, or more
    than one, or is not JSON any more. Settings with comments never were JSON.
    """
    if isinstance(error, NotJson):
        return error.hint == NO_COMMENTS or not file.endswith(SUFFIXES)
    return type(error) is UnknownFormat


def _check(data: Buffer, file: str, asked: Asked) -> FileReport:
    lines = is_lines(data, file)
    version = asked.version or detection.detect_bytes(
        data, file=file, lines=lines, nonfinite=asked.nonfinite
    )
    if lines and "" not in version.containers:
        return _no_lines(file, version)
    index = _index(data, file, version, asked.nonfinite, lines=lines)
    sheet = _Sheet(version.ref, Tally(asked.strict))
    if index.found:
        sheet.records(index)
    else:
        sheet.whole(index.envelope)
    findings = sheet.tally.findings(locating.positions(index, sheet.places, sheet.keys))
    return FileReport(
        file=file,
        outcome=worst(findings),
        format=version.ref,
        records=len(index) if index.found else None,
        findings=findings,
        further=sheet.tally.further,
    )


def _no_lines(file: str, version: Version) -> FileReport:
    finding = Finding(
        rule="format",
        severity="error",
        found=f"JSON Lines, and {version.ref} is one document",
        note="Give another --from, or leave it out to have the format found out.",
    )
    return FileReport(file=file, outcome="invalid", format=version.ref, findings=(finding,))


def _index(
    data: Buffer, file: str, version: Version, nonfinite: Nonfinite, *, lines: bool
) -> Index:
    if lines:
        return slices.index_lines(data, file=file, nonfinite=nonfinite)
    place = _container(data, file, version)
    return slices.index(data, tuple(place.split("/")[1:]), file=file, nonfinite=nonfinite)


def _container(data: Buffer, file: str, version: Version) -> str:
    """Where does this document keep its records, of the places where its version may?"""
    places = version.containers
    if len(places) == 1:
        return places[0]
    keys = slices.top_keys(data, file=file) or ()
    return next((place for place in places if place and place.split("/")[1] in keys), "")


@dataclass(slots=True)
class _Sheet:
    """What is wrong with one file, as it is found."""

    ref: str
    tally: Tally
    places: dict[str, None] = field(default_factory=dict)
    """Values whose line and column are wanted."""
    keys: dict[str, None] = field(default_factory=dict)
    """Fields of which the key's are wanted."""
    invalid: int = 0
    broken: int = 0

    def records(self, index: Index) -> None:
        """Check a document record by record, and then what surrounds them."""
        for number in range(len(index)):
            place = pointer((*index.path, number))
            record = self._read(index, number, place)
            if record is not _BROKEN and not closing.record_check(self.ref)(record):
                self._record(record, place)
        if index.envelope is not None and not closing.envelope_check(self.ref)(index.envelope):
            self._envelope(index.envelope)

    def whole(self, document: JSON) -> None:
        """Check a document that does not have its records where it may."""
        if closing.document_check(self.ref)(document):
            return
        if validation.is_valid(document, self.ref):
            self._drifted(drift.unknown_fields(document, self.ref))
        else:
            self._faults(_explainer(self.ref, "")(document, ""))

    def _read(self, index: Index, number: int, place: str) -> JSON:
        try:
            return index.record(number, placed=self.broken < MOST_BROKEN)
        except NotJson as error:
            finding = _refused(error)
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

    def _envelope(self, envelope: JSON) -> None:
        if validation.envelope_check(self.ref)(envelope):
            self._drifted(drift.unknown_fields(envelope, self.ref))
        else:
            self.invalid += 1
            self._faults(_explainer(self.ref, "")(envelope, ""))

    def _faults(self, problems: Iterator[Problem]) -> None:
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
                rule="unknown-field",
                severity="warning",
                found=f"a field that {self.ref} does not name",
                pointer=place,
            )
            if self.tally.add(finding):
                self.keys[place] = None

    def _add(self, finding: Finding, *told: str) -> None:
        if self.tally.add(finding, *told) and finding.line is None and finding.pointer is not None:
            self.places[finding.pointer] = None


_BROKEN = object()
NOT_EXPLAINED = "a record that breaks the schema too; it was not looked at further"


@cache
def _explainer(ref: str, place: str) -> Callable[[JSON, str], Iterator[Problem]]:
    return explainer(engine.part(parse_ref(ref).schema, place))
