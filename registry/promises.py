"""Does each version keep what its format promises of it and the versions before?

By the rule table, and on the sample files: what is valid by one version has to be by the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from registry import compat, edges, gate
from registry.comparison import DIRECTIONS, shown
from registry.compat import MODES, Direction, Judgement
from registry.engine import Judge, judge, part
from registry.files import is_lines
from registry.findings import Finding
from registry.keywords import OutsideSubset
from registry.library import Held, Library


@dataclass(frozen=True, slots=True)
class Pair:
    """Two versions of a format, and which ways there is a promise."""

    older: Held
    newer: Held
    directions: tuple[Direction, ...]


def broken(library: Library, fixtures: Path) -> Iterator[tuple[Held, Finding]]:
    """Which promises are broken, each with the version that broke it?"""
    for pair in pairs(library):
        for finding in (*_by_table(library, pair), *_by_files(library, pair, fixtures)):
            yield pair.newer, finding


def pairs(library: Library) -> Iterator[Pair]:
    """Between which versions is something promised? By the lock, what was promised then."""
    for format_ in library.catalog.formats:
        versions = [one for one in library.versions if one.format == format_.id]
        for number, newer in enumerate(versions):
            mode = library.mode(newer)
            directions = MODES[mode.removesuffix("-transitive")]
            before = versions[:number] if mode.endswith("-transitive") else versions[:number][-1:]
            if directions:
                yield from (Pair(older, newer, directions) for older in before)


def _by_table(library: Library, pair: Pair) -> Iterator[Finding]:
    try:
        found = compat.compatibility(library.schema(pair.older), library.schema(pair.newer))
    except OutsideSubset as error:
        yield _finding("undecided", str(error), "schemas that can be compared")
        return
    for one in found.judgements:
        for direction in pair.directions:
            if one.verdict(direction) == "breaks":
                yield _violation(one, direction, pair.older)


def _violation(one: Judgement, direction: Direction, older: Held) -> Finding:
    witness = one.witness(direction)
    place = one.change.pointer or "the document"
    return _finding(
        one.change.kind,
        f"at {place}: {one.rule.sentence.rstrip('.')}",
        f"what is {direction} compatible with {older.ref}",
        f"For example {shown(witness.document, one)}" if witness else "",
    )


def _by_files(library: Library, pair: Pair, fixtures: Path) -> Iterator[Finding]:
    for direction in DIRECTIONS:
        if direction not in pair.directions:
            continue
        old = direction == "backward"
        source, by = (pair.older, pair.newer) if old else (pair.newer, pair.older)
        for file in refused(library, source, by, fixtures):
            found = f"{file.relative_to(fixtures).as_posix()} is not valid by {by.ref}"
            yield _finding(
                "fixture", found, f"what is {direction} compatible with {pair.older.ref}"
            )


def samples(of: Held, fixtures: Path) -> list[Path]:
    """Which sample files are there of a version?"""
    return sorted((fixtures / of.format / of.version / "valid").glob("*.json*"))


def refused(library: Library, source: Held, by: Held, fixtures: Path) -> Iterator[Path]:
    """Which sample files of one version does another refuse?"""
    schema = library.schema(by)
    keeps, keeps_record = judge(schema), judge(part(schema, library.record(by)))
    for file in samples(source, fixtures):
        if not _valid(file, keeps, keeps_record):
            yield file


def _valid(file: Path, keeps: Judge, keeps_record: Judge) -> bool:
    data = edges.turned(file.read_bytes(), str(file))
    if is_lines(data, str(file)):
        return all(map(keeps_record, gate.load_lines(data, file=str(file), nonfinite="keep")))
    return keeps(gate.load(data, file=str(file), nonfinite="keep"))


def _finding(rule: str, found: str, expected: str, note: str = "") -> Finding:
    return Finding(
        rule=f"compat/{rule}", severity="error", found=found, expected=expected, note=note
    )
