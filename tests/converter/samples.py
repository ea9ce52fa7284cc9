"""Every valid fixture, and every version that it can be converted to."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from converter.chain import Stage, stage
from registry import catalog, detection, edges, gate
from registry.catalog import Version
from registry.scan import Nonfinite
from registry.text import Buffer

FIXTURES = Path(__file__).parents[2] / "fixtures"


def valid() -> list[Path]:
    """All valid fixtures of registered formats."""
    found = [
        path for format_ in catalog.formats() for path in FIXTURES.glob(f"{format_.id}/*/valid/*.*")
    ]
    return sorted(found)


def name(path: Path) -> str:
    """How is this fixture called in a test's name?"""
    format_, version, _, file = path.parts[-4:]
    return f"{format_}@{version}/{file}"


def ref(path: Path) -> str:
    """Which version has this fixture?"""
    return f"{path.parts[-4]}@{path.parts[-3]}"


@cache
def document(path: Path) -> Any:
    """What does the fixture hold? Not to be changed."""
    load = gate.load_lines if path.suffix == ".jsonl" else gate.load
    return load(data(path), file=str(path), nonfinite=nonfinite(path))


def data(path: Path) -> Buffer:
    """The bytes of the JSON that the fixture holds, or is turned into."""
    return edges.turned(path.read_bytes(), str(path))


def nonfinite(path: Path) -> Nonfinite:
    """What becomes of NaN in files of the fixture's format?"""
    return detection.accepted(catalog.parse_ref(ref(path)), "reject")


def staged(path: Path) -> Stage:
    """The fixture, taken apart."""
    return stage(document(path), ref(path), lines=path.suffix == ".jsonl")


def versions() -> list[Version]:
    """Every version of every format."""
    return [
        Version(format_.id, shelf.version)
        for format_ in catalog.formats()
        for shelf in format_.versions
    ]
