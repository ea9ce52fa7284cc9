"""Does a schema keep to what the registry asks of each?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from registry import keywords, locating, patterns, slices
from registry.errors import InputError, NotJson
from registry.files import opened
from registry.findings import FileReport, Finding, worst
from registry.gate import load
from registry.sheet import refused
from registry.text import Buffer
from registry.values import JSON

SCHEMA = "schema.json"
URN = "urn:evalglot:"


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing asked of each schema: its id, a sentence, and which places break it."""

    id: str
    sentence: str
    faults: Callable[[JSON], Iterator[keywords.Fault]]


def faults(schema: JSON, ref: str | None = None) -> list[Finding]:
    """What in a schema breaks a rule? With `ref`, its `$id` has to name that version."""
    if outside := list(_outside(schema)):
        return outside
    named = [_finding("id", fault) for fault in _misnamed(schema, ref)]
    return [*named, *(_finding(rule.id, fault) for rule in RULES for fault in rule.faults(schema))]


def _outside(schema: JSON) -> Iterator[Finding]:
    for fault in keywords.outside(schema):
        yield _finding("reference" if fault.pointer.endswith("/$ref") else "subset", fault)


def _finding(rule: str, fault: keywords.Fault) -> Finding:
    return Finding(
        rule=f"lint/{rule}",
        severity="error",
        found=fault.found,
        expected=fault.expected,
        pointer=fault.pointer,
    )


def _misnamed(schema: JSON, ref: str | None) -> Iterator[keywords.Fault]:
    """Does the schema say what language it is in, and which version it describes?"""
    if "$schema" not in schema:
        yield keywords.Fault("/$schema", "no $schema", keywords.DRAFT)
    said = schema.get("$id", "")
    wanted = URN + (ref.replace("@", ":") if ref else "FORMAT:VERSION")
    fits = said == wanted if ref else said.startswith(URN) and said.count(":") == wanted.count(":")
    if not fits:
        yield keywords.Fault("/$id", f"the $id {said}" if said else "no $id", wanted)


def _walk(schema: JSON, place: str = "") -> Iterator[tuple[str, JSON]]:
    """Which schemas, and where, are in a schema, itself first?"""
    if isinstance(schema, dict):
        yield place, schema
        for step, inner in keywords.inside(schema):
            yield from _walk(inner, place + step)


def _nested_ids(schema: JSON) -> Iterator[keywords.Fault]:
    for place, inner in _walk(schema):
        if place and "$id" in inner:
            yield keywords.Fault(f"{place}/$id", "an $id inside", "one $id, that of the whole")


def _undeclared(schema: JSON) -> Iterator[keywords.Fault]:
    for place, inner in _walk(schema):
        if "properties" in inner and "additionalProperties" not in inner:
            yield keywords.Fault(place, "named fields, and no word on others", OPEN_OR_CLOSED)


def _patterns(schema: JSON) -> Iterator[keywords.Fault]:
    for place, inner in _walk(schema):
        if "pattern" in inner and (wrong := patterns.fault(inner["pattern"])):
            yield keywords.Fault(f"{place}/pattern", *wrong)


OPEN_OR_CLOSED = "additionalProperties, true where the tool may add fields"

RULES = (
    Rule("nested-id", "Only the whole schema has an $id.", _nested_ids),
    Rule("open-or-closed", "Who names fields says whether others may be there.", _undeclared),
    Rule("pattern", "Patterns match alike, and fast, in every engine.", _patterns),
)
"""What is asked of a schema that keeps to the keyword subset, its own name aside."""


def lint(files: Sequence[Path]) -> tuple[FileReport, ...]:
    """What in these files breaks a rule, with line and column?"""
    return tuple(map(_file, files))


def _file(path: Path) -> FileReport:
    file = str(path)
    try:
        with opened(file) as data:
            return _checked(data, path)
    except NotJson as error:
        return FileReport(file=file, outcome="invalid", findings=(refused(error),))
    except InputError as error:
        finding = Finding(rule="file", severity="error", found=error.found, note=error.hint)
        return FileReport(file=file, outcome="unreadable", findings=(finding,))


def _checked(data: Buffer, path: Path) -> FileReport:
    found = faults(load(data, file=str(path)), shelved(path))
    if found:
        found = list(_placed(found, data, str(path)))
    return FileReport(file=str(path), outcome=worst(found), findings=tuple(found))


def _placed(found: Sequence[Finding], data: Buffer, file: str) -> Iterator[Finding]:
    """At which line and column is what was found?"""
    places = [one.pointer for one in found if one.pointer is not None]
    index = slices.index(data, (), file=file)
    lines = locating.positions(index, places)
    for one in found:
        line, column = lines.get(one.pointer or "", (None, None))
        yield msgspec.structs.replace(one, line=line, column=column)


def shelved(path: Path) -> str | None:
    """Which version is a schema file of, by its place on a shelf? None when it is on none."""
    whole = path.absolute()
    is_shelf = whole.name == SCHEMA and len(whole.parts) > 2
    return f"{whole.parts[-3]}@{whole.parts[-2]}" if is_shelf else None
