"""Does the detection rule of a new version take its own files, and no others?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from registry import detection, edges, gate
from registry.catalog import Shelf
from registry.engine import Judge, judge
from registry.files import is_lines
from registry.findings import Finding
from registry.library import Held
from registry.placing import Place
from registry.unknowns import Sample
from registry.values import JSON

HINT = """Say --detect RULE, such as '{"has": ["/runs"], "lacks": ["/cases"]}'."""


def against(shelf: Shelf, sample: Sample) -> list[str]:
    """What speaks against a file being one of a version, as the end of "a cbl@4 file …"?"""
    if not sample.lines:
        return list(detection.misfits(shelf, sample.document))
    first = sample.document[:1]
    return list(detection.misfits(shelf, first)) if first else []


def taken(
    place: Place, schema: JSON, others: Sequence[Held], fixtures: Path
) -> Iterator[tuple[Held, Path]]:
    """Which sample files of other versions would be taken for one of the new version?

    Within a format the newest version that fits is meant, so the rule alone decides; between
    formats also the schema does.
    """
    shelf, keeps = place.shelf, judge(schema)
    for other in others:
        folder = fixtures / other.format / other.version / "valid"
        for path in sorted(folder.glob("*.json*")):
            sample = _read(path)
            alike = not against(shelf, sample)
            if alike and (other.format == place.format or _keeps(keeps, sample)):
                yield other, path


def _keeps(keeps: Judge, sample: Sample) -> bool:
    return not sample.lines and keeps(sample.document)


def _read(path: Path) -> Sample:
    data = edges.turned(path.read_bytes(), str(path))
    lines = is_lines(data, str(path))
    load = gate.load_lines if lines else gate.load
    return Sample(str(path), load(data, file=str(path), nonfinite="keep"), lines)


def findings(
    place: Place, schema: JSON, others: Sequence[Held], fixtures: Path
) -> Iterator[Finding]:
    """What is wrong with the rule, told by the first file of each version that it takes?"""
    rule = json.dumps(place.described["versions"][-1]["detect"])
    met: dict[str, list[Path]] = {}
    for other, path in taken(place, schema, others, fixtures):
        met.setdefault(other.ref, []).append(path)
    for ref, paths in met.items():
        yield Finding(
            rule="detect/taken",
            severity="error",
            found=f"{paths[0].relative_to(fixtures).as_posix()} of {ref},"
            f" which the rule {rule} takes for {place.ref}",
            expected=f"a rule that only files of {place.ref} pass",
            note=HINT,
            count=len(paths),
        )
