"""Are the shelves in order: nothing released was touched, and everything fits together?"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from registry import generate, library, lock, promises
from registry.catalog import Format
from registry.errors import EvalglotError
from registry.findings import FileReport, Finding, Report, worst
from registry.library import Library

FORMAT = "format.json"
SCHEMA = "schema.json"

NEVER = "A released schema is never edited: add a version."
ANEW = "Run `python -m registry.generate`."


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be checked, and against what?

    `generators` are modules that also write files of a checkout, each with a `ROOT` and a `main`
    that takes `--check`; `fixtures` the folder of sample files, which need not exist.
    """

    root: Path
    fixtures: Path
    earlier: lock.Lock | None = None
    generators: Sequence[str] = ()


def audit(asked: Asked) -> Report:
    """What is out of order, file by file? Raises InputError when the shelves can't be read.

    What is made of others is looked at when those are in order.
    """
    held = library.read(asked.root)
    found = list(_shelves(held)) or list(_lock(held, asked))
    if not found:
        found = [*_promises(held, asked), *_stale(asked)] or list(_stale_elsewhere(asked))
    by_file: dict[Path, list[Finding]] = {}
    for path, finding in found:
        by_file.setdefault(path, []).append(finding)
    schemas = [held.path(one) for one in held.all]
    files = dict.fromkeys([*schemas, *by_file])
    return Report(tuple(_report(path, by_file.get(path, [])) for path in files))


def _report(path: Path, found: list[Finding]) -> FileReport:
    return FileReport(file=os.path.normpath(path), outcome=worst(found), findings=tuple(found))


def _error(rule: str, found: str, expected: str = "", note: str = "") -> Finding:
    return Finding(rule=rule, severity="error", found=found, expected=expected, note=note)


def _shelves(held: Library) -> Iterator[tuple[Path, Finding]]:
    """Do format.json and the folders beside it name the same versions, each with the one before?"""
    for format_ in held.catalog.formats:
        folder = held.root / format_.id
        named = {shelf.version for shelf in format_.versions}
        there = {path.parent.name for path in folder.glob(f"*/{SCHEMA}")}
        for version in sorted(named - there):
            found = f"version {version}, which has no {version}/{SCHEMA}"
            yield folder / FORMAT, _error("shelf/no-schema", found, "a schema for each version")
        for version in sorted(there - named):
            found = f"no word of version {version}"
            yield (
                folder / version / SCHEMA,
                _error("shelf/unlisted", f"{FORMAT} has {found}", "an entry for each schema"),
            )
        for finding in _order(format_):
            yield folder / FORMAT, finding


def _order(format_: Format) -> Iterator[Finding]:
    before: str | None = None
    for shelf in format_.versions:
        if shelf.predecessor != before:
            said = shelf.predecessor or "none"
            found = f"{format_.id}@{shelf.version} names as its predecessor {said}"
            expected = f"{before}, the version before it" if before else "none, as it is the oldest"
            yield _error("shelf/predecessor", found, expected)
        before = shelf.version


def _lock(held: Library, asked: Asked) -> Iterator[tuple[Path, Finding]]:
    for broken in lock.check_lock(held.lock, lock.drafts(held.root), asked.earlier or {}):
        at_schema = broken.rule == "digest-changed"
        shelf = held.root.joinpath(*broken.ref.split("@"), SCHEMA)
        found = f"{broken.ref}: {broken.found}" if not at_schema else f"digest {broken.found}"
        yield (
            shelf if at_schema else held.root / lock.NAME,
            _error(f"lock/{broken.rule}", found, broken.expected, NEVER),
        )


def _promises(held: Library, asked: Asked) -> Iterator[tuple[Path, Finding]]:
    for newer, finding in promises.broken(held, asked.fixtures):
        yield held.path(newer), finding


def _stale(asked: Asked) -> Iterator[tuple[Path, Finding]]:
    for path in generate.stale(generate.outputs(asked.root), asked.root):
        found = "other content than the shelves make now"
        yield asked.root / path, _error("generated/stale", found, note=ANEW)


def _stale_elsewhere(asked: Asked) -> Iterator[tuple[Path, Finding]]:
    for name in asked.generators:
        module = import_module(name)
        if module.ROOT.resolve() != asked.root.resolve().parent:
            continue  # installed elsewhere: that checkout's files, or none
        told = io.StringIO()
        try:
            with contextlib.redirect_stderr(told):
                code = module.main(["--check"])
        except EvalglotError as error:
            code = error.exit_code
            told.write(str(error))
        if code:
            for line in told.getvalue().splitlines() or ["a stale file"]:
                yield Path(module.__file__ or name), _error("generated/stale", line)
