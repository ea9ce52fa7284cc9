"""How does a version come to the shelves, and what does it change for whoever has files of others?

Shelves and fixtures are made ready in a copy, and audited there; only when nothing speaks against
them are the new files moved to their places, all of them or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from registry import compat, library, linting, placing, promises, readying, scaffold, staging
from registry.compat import Compatibility, Direction
from registry.errors import InputError
from registry.findings import Report
from registry.keywords import DRAFT
from registry.library import Held, Library
from registry.placing import Request
from registry.readying import Ready
from registry.shelves import is_installed
from registry.unknowns import Sample
from registry.values import JSON


@dataclass(frozen=True, slots=True)
class Reading:
    """What becomes of files of one version that are read by another?

    Of `samples` sample files, those in `refused` are not valid by it.
    """

    direction: Direction
    files: str
    by: str
    verdict: compat.Verdict
    samples: int
    refused: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What became of a request? Nothing was `written` when something was found, or it was dry."""

    ref: str
    report: Report
    predecessor: str | None = None
    promise: str = "none"
    since: Compatibility | None = None
    readings: Sequence[Reading] = ()
    written: Sequence[Path] = ()
    missing: Sequence[str] = ()


def add(
    root: Path,
    request: Request,
    *,
    file: str = "",
    given: Sequence[Sample] = (),
    dry: bool = False,
) -> Added:
    """Add a version to these shelves, unless something speaks against it, or it is `dry`.

    `file` is where the schema is from, `given` are real files that become fixtures. Raises
    InputError when the request does not fit the shelves, OutputError when those can't be changed.
    """
    if is_installed(root):
        raise InputError(
            found="the shelves of an installed evalglot, which its next install overwrites",
            expected="a checkout of the repository, with its folder versions/",
            hint="Run this in one, or name its shelves with --shelves.",
            file=str(root),
        )
    held = library.read(root)
    id_, version = placing.named(held, request.ref)
    schema = _called(request.schema, f"{linting.URN}{id_}:{version}")
    if found := linting.faults(schema, request.ref):
        return Added(ref=request.ref, report=Report((readying.report(file, found),)))
    place = placing.placed(held, replace(request, schema=schema))
    with staging.staged(root) as stage:
        ready = Ready(stage / "versions", stage / "fixtures", held, place, schema)
        readying.write(ready, request.source, given)
        report = Report(tuple(readying.findings(ready, [*given, *readying.there(ready)])))
        added = _compared(ready, report)
        if dry or added.report.exit_code:
            return added
        return replace(added, written=staging.move(ready.homes))


def _called(schema: JSON, id_: str) -> JSON:
    """How does the schema look under the name of its version, which comes first?"""
    if not isinstance(schema, dict):
        return schema
    rest = {key: said for key, said in schema.items() if key != "$id"}
    return {"$schema": DRAFT, "$id": id_, **rest}


def _compared(ready: Ready, report: Report) -> Added:
    """What changes since the version before, and for whom?"""
    there = (ready.fixtures / ready.place.folder).rglob("*.json*")
    folder = ready.fixtures / ready.place.folder
    missing = scaffold.missing([path.relative_to(folder).as_posix() for path in there])
    after = library.read(ready.shelves)
    new, before = after.find(ready.place.ref), ready.place.before
    added = Added(ref=new.ref, report=report, promise=after.mode(new), missing=missing)
    if before is None:
        return added
    old = after.find(before.ref)
    since = compat.compatibility(after.schema(old), ready.schema)
    readings = (
        _reading(since, after, "backward", (old, new), ready.fixtures),
        _reading(since, after, "forward", (new, old), ready.fixtures),
    )
    return replace(added, predecessor=old.ref, since=since, readings=readings)


def _reading(
    since: Compatibility,
    held: Library,
    direction: Direction,
    versions: tuple[Held, Held],
    fixtures: Path,
) -> Reading:
    files, by = versions
    return Reading(
        direction=direction,
        files=files.ref,
        by=by.ref,
        verdict=since.verdict(direction),
        samples=len(promises.samples(files, fixtures)),
        refused=[path.name for path in promises.refused(held, files, by, fixtures)],
    )
