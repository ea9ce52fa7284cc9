"""What is wrong with these files, each of which is read, found out, and checked?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from registry import detection, kinship, locating, rules, slices
from registry.catalog import Version
from registry.errors import EvalglotError, InputError, NotJson, UnknownFormat, UnknownVersion
from registry.files import SUFFIXES, is_lines, listed, opened
from registry.findings import FileReport, Finding, Report, Tally, worst
from registry.kinship import Near
from registry.lexemes import NO_COMMENTS, Nonfinite
from registry.sheet import Sheet, refused
from registry.slices import Index
from registry.text import Buffer
from registry.values import JSON

if TYPE_CHECKING:
    from registry.redaction import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How are files to be checked?"""

    version: Version | None = None
    """The version that all files have; None: each is found out."""
    nonfinite: Nonfinite = "reject"
    strict: bool = False
    ignore_unknown: bool = False
    rules: Collection[str] = rules.ALL
    """The ids of the rules beyond shape that files are held to."""
    redactor: Redactor | None = None
    """What masks secrets before anything is looked at."""


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
            return _check(_masked(data, file, asked), file, asked)
    except (NotJson, UnknownFormat, UnknownVersion) as error:
        if asked.ignore_unknown and unrelated(error, file):
            return _skipped(file)
        return FileReport(file=file, outcome="invalid", findings=(refused(error),))
    except InputError as error:
        return _unreadable(file, error)


def _masked(data: Buffer, file: str, asked: Asked) -> Buffer:
    return data if asked.redactor is None else asked.redactor.data(data, file=file)


def _unreadable(file: str, error: InputError) -> FileReport:
    finding = Finding(rule="file", severity="error", found=error.found, note=error.hint)
    return FileReport(file=file, outcome="unreadable", findings=(finding,))


def _skipped(file: str) -> FileReport:
    return FileReport(file=file, outcome="skipped")


def unrelated(error: EvalglotError, file: str) -> bool:
    """Was a file refused that is no result file at all?

    One in an unknown version, or near to a known one, is a result file; so may be what is not JSON
    any more. Settings with comments never were JSON.
    """
    if isinstance(error, NotJson):
        return error.hint == NO_COMMENTS or not file.lower().endswith(SUFFIXES)
    return type(error) is UnknownFormat


def _check(data: Buffer, file: str, asked: Asked) -> FileReport:
    lines = is_lines(data, file)
    version = asked.version or _detected(data, file, asked, lines=lines)
    if lines and "" not in version.containers:
        return _no_lines(file, version)
    nonfinite = detection.accepted(version, asked.nonfinite)
    index = _index(data, file, version, nonfinite, lines=lines)
    sheet = Sheet(version.ref, Tally(asked.strict), asked.rules)
    if index.found:
        sheet.records(index)
    else:
        sheet.whole(index.envelope)
    doubtful = asked.ignore_unknown and asked.version is None and sheet.faulty
    if doubtful and kinship.is_stranger(version, _sample(index)):
        return _skipped(file)
    findings = sheet.findings(locating.positions(index, sheet.places, sheet.keys))
    return FileReport(
        file=file,
        outcome=worst(findings),
        format=version.ref,
        records=len(index) if index.found else None,
        findings=findings,
        further=sheet.further,
    )


def _detected(data: Buffer, file: str, asked: Asked, *, lines: bool) -> Version:
    """Which version is it? Where none is, but one is near, the error says which."""
    nonfinite = asked.nonfinite
    try:
        return detection.detect_bytes(data, file=file, lines=lines, nonfinite=nonfinite)
    except UnknownFormat as error:
        if type(error) is not UnknownFormat or lines:
            raise
        near = kinship.nearest(detection.glanced(data, file, nonfinite))
        if near is None:
            raise
        hint = f"It is much like {near.ref}: the tool may have changed it. {error.hint}"
        raise Near(found=error.found, hint=hint, file=file) from None


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
