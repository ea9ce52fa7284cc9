"""How are shelves and fixtures with a new version made ready in a copy, and what is wrong there?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from registry import (
    auditing,
    generate,
    misleading,
    sampling,
    scaffold,
    seating,
    shelving,
    staging,
)
from registry.engine import judge, part
from registry.explanation import explain
from registry.findings import FileReport, Finding, worst
from registry.library import Library
from registry.placing import Place
from registry.unknowns import Sample
from registry.values import JSON


@dataclass(frozen=True, slots=True)
class Ready:
    """Shelves and fixtures as they would be, in a copy, and where they belong."""

    shelves: Path
    fixtures: Path
    held: Library
    place: Place
    schema: JSON

    @property
    def homes(self) -> Sequence[tuple[Path, Path]]:
        """What belongs where? The shelves come last: what they name is there then."""
        root = self.held.root
        return ((self.fixtures, root.parent / "fixtures"), (self.shelves, root))


def report(file: str, found: Sequence[Finding]) -> FileReport:
    """What became of a file, with this found?"""
    return FileReport(file=file, outcome=worst(found), findings=tuple(found))


def there(ready: Ready) -> list[Sample]:
    """Which sample files of the version has somebody put there before?"""
    folder = ready.homes[0][1] / ready.place.folder / "valid"
    return sampling.read([str(folder)]) if folder.is_dir() and any(folder.iterdir()) else []


def write(ready: Ready, source: str | None, given: Sequence[Sample]) -> None:
    """Make the copy ready: what is there, what is new, what is generated of both."""
    for copy, home in ready.homes:
        staging.copy(home, copy)
    place = ready.place
    _fill(ready.shelves, shelving.files(ready.held.root, place, ready.schema, source))
    made = scaffold.files(ready.schema, given, lambda one: _fits(ready, one))
    new = {f"{place.folder}/{name}": data for name, data in made.items()}
    new[f"{place.format}/README.md"] = shelving.readme(place)
    _fill(ready.fixtures, {name: data for name, data in new.items() if not _is_in(ready, name)})
    generate.write(generate.outputs(ready.shelves), ready.shelves)


def _is_in(ready: Ready, name: str) -> bool:
    return (ready.fixtures / name).exists()


def _fill(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _fits(ready: Ready, document: JSON) -> bool:
    """Is it a file of the new version, by rule and schema?"""
    sample = Sample("", document)
    return not misleading.against(ready.place.shelf, sample) and judge(ready.schema)(document)


def findings(ready: Ready, samples: Sequence[Sample]) -> Iterator[FileReport]:
    """What speaks against the copy, told with the names that its files would have?"""
    for sample in samples:
        yield report(sample.file, list(_unfit(ready, sample)))
    root = ready.held.root
    for one in auditing.audit(auditing.Asked(ready.shelves, ready.fixtures)).files:
        home = root / Path(one.file).relative_to(os.path.normpath(ready.shelves))
        yield report(str(home), one.findings)
    rule = misleading.findings(ready.place, ready.schema, ready.held.versions, ready.fixtures)
    found = [*_slots(ready), *rule]
    yield report(str(root / ready.place.format / auditing.FORMAT), found)


def _unfit(ready: Ready, sample: Sample) -> Iterator[Finding]:
    """Why is a file none of the new version, by schema or by rule?"""
    problems = (
        [
            problem
            for number, record in enumerate(sample.document)
            for problem in explain(_record(ready), record, f"/{number}")
        ]
        if sample.lines
        else explain(ready.schema, sample.document)
    )
    for one in problems:
        yield _error(f"schema/{one.keyword}", one.found, one.expected, one.pointer)
    if not problems:
        for reason in misleading.against(ready.place.shelf, sample):
            told = f"what the rule does not take: a {ready.place.ref} file {reason}"
            yield _error("detect/missed", told, "a rule that takes it", note=misleading.HINT)


def _record(ready: Ready) -> JSON:
    return part(ready.schema, f"/definitions/{ready.place.shelf.record}")


def _slots(ready: Ready) -> Iterator[Finding]:
    """Does the schema name the places for foreign data that its format declares?"""
    slot = ready.place.described["slot"]
    for where, schema in (("run", ready.schema), ("record", _record(ready))):
        parts = list(seating.parts(schema, slot[where].rpartition("/")[0]))
        is_object = any("properties" in one for one in parts)
        if is_object and not any(seating.parts(schema, slot[where])):
            found = f"no word in the schema of the slot of a {where}, {slot[where]}"
            expected = '{"title": "slot", "type": "object"} there'
            yield _error("slot", found, expected, note="What evalglot carries would be unknown.")


def _error(
    rule: str, found: str, expected: str, pointer: str | None = None, note: str = ""
) -> Finding:
    return Finding(
        rule=rule, severity="error", found=found, expected=expected, pointer=pointer, note=note
    )
