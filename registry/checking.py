"""What is wrong with these files, each of which is read, found out, and checked?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from registry import detection, helping, kinship, locating, nearby, remains, rules, slices
from registry.catalog import Version
from registry.detection import Detected
from registry.errors import (
    Damaged,
    EvalglotError,
    InputError,
    NotJson,
    UnknownFormat,
    UnknownVersion,
)
from registry.files import NAMED, is_lines, is_turned, listed, named_so, opened
from registry.findings import FileReport, Finding, Report, Strictness, Tally, worst
from registry.kinship import Near
from registry.lexemes import DIALECT, Nonfinite
from registry.progress import Watch, unwatched, watched
from registry.reports.harmless import harmless
from registry.sheet import Sheet, refused
from registry.slices import Index
from registry.text import Buffer
from registry.values import JSON

if TYPE_CHECKING:
    from registry.redaction import Redactor

MANY = 16
"""How many files are shared among processes whole, instead of each file's records?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How are files to be checked?"""

    version: Version | None = None
    """The version that all files have; None: each is found out."""
    nonfinite: Nonfinite = "reject"
    strictness: Strictness = "lenient"
    ignore_unknown: bool = False
    rules: Collection[str] = rules.ALL
    """The ids of the rules beyond shape that files are held to."""
    jobs: int = 1
    """How many processes may share the work?"""
    bar: bool = False
    """Show a bar on a terminal while a long file is checked?"""
    redactor: Redactor | None = None
    """What masks secrets before anything is looked at."""


def check(paths: Sequence[str], asked: Asked) -> Report:
    """What is wrong with these files, and those in these folders?"""
    works = list(_works(paths, asked))
    if asked.jobs == 1 or len(works) < MANY:
        return Report(tuple(work() for work in works))
    return Report(tuple(helping.each(list(_works(paths, replace(asked, jobs=1))), asked.jobs)))


def _works(paths: Sequence[str], asked: Asked) -> Iterator[Callable[[], FileReport]]:
    """Which works, one for each file, does that take?"""
    for path, files in listed(paths):
        if not files and not asked.ignore_unknown:
            yield partial(_unreadable, path, InputError(f"holds no {NAMED} file"))
        for file in files:
            yield partial(check_file, file, asked)


def check_file(file: str, asked: Asked) -> FileReport:
    """What is wrong with this file?"""
    try:
        with opened(file) as data:
            return _told(data, file, asked)
    except (NotJson, UnknownFormat) as error:  # an archive, or XML, that is not turned into JSON
        return _refused(error, b"", file, asked)
    except InputError as error:
        return _unreadable(file, error)


def _told(data: Buffer, file: str, asked: Asked) -> FileReport:
    try:
        return _check(data, file, asked)
    except (NotJson, UnknownFormat, UnknownVersion) as error:
        return _refused(error, data, file, asked)


def _refused(error: InputError, data: Buffer, file: str, asked: Asked) -> FileReport:
    if asked.ignore_unknown and unrelated(error, data, file):
        return _skipped(file)
    return FileReport(file=file, outcome="invalid", findings=(refused(error),))


def _masked(data: Buffer, file: str, asked: Asked) -> Buffer:
    return data if asked.redactor is None else asked.redactor.data(data, file=file)


def _unreadable(file: str, error: InputError) -> FileReport:
    finding = Finding(rule="file", severity="error", found=error.found, note=error.hint)
    return FileReport(file=file, outcome="unreadable", findings=(finding,))


def _skipped(file: str) -> FileReport:
    return FileReport(file=file, outcome="skipped")


def unrelated(error: EvalglotError, data: Buffer, file: str) -> bool:
    """Was a file refused that is no result file at all?

    One in an unknown version, or near to a known one, is a result file; so is what is not JSON any
    more, but still names the telling fields of a version. Of the rest, settings with comments or
    a comma too many, and what writes NaN, never were JSON; what else is named like JSON may be a
    result that was cut before it named anything. JSON Lines without a line are no rows: unrelated.
    """
    if not isinstance(error, NotJson):
        return type(error) is UnknownFormat
    if isinstance(error, Damaged) or remains.is_of_result(data):
        return False
    return error.hint in DIALECT or not named_so(file)


def _check(data: Buffer, file: str, asked: Asked) -> FileReport:
    in_lines = not is_turned(data)
    data = _masked(data, file, asked)
    lines = is_lines(data, file)
    version, index = _detected(data, file, asked, lines=lines)
    if lines and "" not in version.containers:
        return _no_lines(file, version)
    nonfinite = detection.accepted(version, asked.nonfinite)
    if index is None:
        index = _index(data, file, version, nonfinite, lines=lines)
    sheet = Sheet(version.ref, Tally(asked.strictness), asked.rules)
    if index.found:
        sheet.records(index, asked.jobs, _watching(file, len(data)) if asked.bar else unwatched)
    else:
        sheet.whole(index.envelope)
    doubtful = asked.ignore_unknown and asked.version is None and sheet.faulty
    if doubtful and kinship.is_stranger(version, _sample(index)):
        _refuse_near(data, file, nonfinite, lines=lines)
        return _skipped(file)
    if in_lines:
        findings = sheet.findings(locating.positions(index, sheet.places, sheet.keys))
    else:
        findings = tuple(map(_unplaced, sheet.findings({})))
    return FileReport(
        file=file,
        outcome=worst(findings),
        format=version.ref,
        records=len(index) if index.found else None,
        findings=findings,
        further=sheet.further,
    )


def _watching(file: str, size: int) -> Watch:
    """Which watch is kept while records are gone through?"""
    label = f"checking {harmless(file)}"
    return lambda things, length: watched(things, length, label, size)


def _unplaced(finding: Finding) -> Finding:
    """The finding without line and column, which are of a text that nobody sees."""
    return msgspec.structs.replace(finding, line=None, column=None)


def _detected(data: Buffer, file: str, asked: Asked, *, lines: bool) -> Detected:
    """Which version is it? Where none is, but one is near, the error says which."""
    if asked.version is not None:
        return Detected(asked.version)
    nonfinite = asked.nonfinite
    try:
        return detection.look(data, file=file, lines=lines, nonfinite=nonfinite)
    except UnknownFormat as error:
        if type(error) is UnknownFormat:
            _refuse_near(data, file, nonfinite, lines=lines)
        raise


def _refuse_near(data: Buffer, file: str, nonfinite: Nonfinite, *, lines: bool) -> None:
    """Raise Near where a version almost fits a file of which none does."""
    if near := nearby.near(data, file, nonfinite, lines=lines):
        raise Near(
            found="no registered format fits, but one almost does",
            expected="a result file of a registered format",
            hint=f"{near} Say which one it is with --from, to see what is wrong.",
            file=file,
        )


def _sample(index: Index) -> JSON:
    """What is in the file, but for all records except the first?"""
    if not index.found or not len(index):
        return index.envelope
    first = [index.again(0)]
    return detection.put(index.envelope, index.path, first) if index.path else first


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
