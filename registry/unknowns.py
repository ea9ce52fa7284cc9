"""What do real files have that a version does not know: the drift report?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

import msgspec

from registry import drift, validation
from registry.findings import starred
from registry.keywords import KINDS
from registry.reports.harmless import harmless
from registry.reports.json import spelled
from registry.shapes import kind
from registry.values import JSON, at

SCHEMA = "urn:evalglot:evalglot-drift-report:1"

WIDTH = 80

SHOWN = 40
"""How many fields, and how many faults, the text lists."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One file that was read. `lines`: the document is the list of a JSON Lines file's values."""

    file: str
    document: JSON
    lines: bool = False


class Unknown(msgspec.Struct, frozen=True):
    """One field that the schema does not name. In its pointer, `*` is every entry of a list."""

    pointer: str
    types: tuple[str, ...]
    count: int
    files: tuple[str, ...]


class Refused(msgspec.Struct, frozen=True):
    """One kind of value that the schema refuses, told by the first."""

    pointer: str
    found: str
    expected: str
    count: int
    files: tuple[str, ...]


class Drift(msgspec.Struct, frozen=True):
    """What does one version not know of some files?"""

    ref: str
    files: tuple[str, ...]
    unknown: tuple[Unknown, ...]
    refused: tuple[Refused, ...]


@dataclass(slots=True)
class _Met:
    """One kind of finding as it comes."""

    found: str = ""
    expected: str = ""
    types: set[str] = field(default_factory=set)
    count: int = 0
    files: dict[str, None] = field(default_factory=dict)

    def again(self, file: str) -> None:
        self.count += 1
        self.files[file] = None


def against(ref: str, samples: Sequence[Sample]) -> Drift:
    """What of these files does this version not know, or refuse?"""
    unknown: dict[str, _Met] = {}
    refused: dict[tuple[str, str, str], _Met] = {}
    for sample in samples:
        for place in _unknown(ref, sample):
            met = unknown.setdefault(starred(place), _Met())
            met.types.add(kind(at(sample.document, place)))
            met.again(sample.file)
        for problem in _problems(ref, sample):
            lacking = problem.found if problem.keyword == "required" else ""
            key = (starred(problem.pointer), problem.keyword, lacking)
            refused.setdefault(key, _Met(problem.found, problem.expected)).again(sample.file)
    return Drift(
        ref=ref,
        files=tuple(sample.file for sample in samples),
        unknown=tuple(
            Unknown(place, _ordered(met.types), met.count, tuple(met.files))
            for place, met in unknown.items()
        ),
        refused=tuple(
            Refused(place, met.found, met.expected, met.count, tuple(met.files))
            for (place, *_), met in refused.items()
        ),
    )


def _ordered(types: set[str]) -> tuple[str, ...]:
    return tuple(one for one in KINDS if one in types)


def _unknown(ref: str, sample: Sample) -> Iterator[str]:
    if not sample.lines:
        yield from drift.unknown_fields(sample.document, ref)
        return
    for number, record in enumerate(sample.document):
        yield from drift.unknown_record_fields(record, ref, f"/{number}")


def _problems(ref: str, sample: Sample) -> Sequence[validation.Problem]:
    if not sample.lines:
        return validation.problems(sample.document, ref)
    return list(validation.stream_problems(None, sample.document, ref, ()))


def as_json(found: Drift) -> bytes:
    """Which bytes tell it all? Their schema is on the shelf `evalglot-drift-report`."""
    return spelled({"$schema": SCHEMA, "version": 1, **msgspec.to_builtins(found)})


def as_text(found: Drift) -> bytes:
    """Which lines of 80 columns tell it?"""
    return "".join(f"{line}\n" for line in _lines(found)).encode()


def _lines(found: Drift) -> Iterator[str]:
    among = f"{len(found.files):,} file{'s'[: len(found.files) != 1]}"
    if not found.unknown and not found.refused:
        yield f"{found.ref} knows all that is in {among}"
        return
    if found.unknown:
        fields = f"{len(found.unknown):,} field{'s'[: len(found.unknown) != 1]}"
        yield f"{found.ref} does not know {fields} of {among}:"
        yield from _listed([_field(one) for one in found.unknown])
    if found.refused:
        yield f"{found.ref} refuses, in {among}:"
        yield from _listed([_fault(one) for one in found.refused])


def _field(one: Unknown) -> str:
    return f"{one.pointer}: {' or '.join(one.types)}, {_often(one.count, one.files)}"


def _fault(one: Refused) -> str:
    where = f"{one.pointer}: " if one.pointer else ""
    often = _often(one.count, one.files)
    return f"{where}found {one.found}, expected {one.expected}, {often}"


def _often(count: int, files: Sequence[str]) -> str:
    times = "once" if count == 1 else f"{count:,} times"
    return times if len(files) == 1 else f"{times} in {len(files):,} files"


def _listed(told: Sequence[str]) -> Iterator[str]:
    for line in told[:SHOWN]:
        yield from wrap(
            harmless(line),
            WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
            break_on_hyphens=False,
        )
    if len(told) > SHOWN:
        yield f"  +{len(told) - SHOWN:,} more, --format json lists all"
