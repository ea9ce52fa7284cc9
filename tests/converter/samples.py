"""Every valid fixture, and every version that it can be converted to."""

from __future__ import annotations

from pathlib import Path

from converter.formats import FORMATS
from evalglot.testing import samples
from evalglot.testing.samples import data, document, is_lines, name, nonfinite, ref, staged
from registry import catalog
from registry.catalog import Version

__all__ = [
    "FIXTURES",
    "Version",
    "data",
    "document",
    "is_lines",
    "name",
    "nonfinite",
    "ref",
    "staged",
    "valid",
]

FIXTURES = Path(__file__).parents[2] / "fixtures"


def valid() -> list[Path]:
    """All valid fixtures of registered formats."""
    return sorted(path for id_ in FORMATS for path in samples.valid(FIXTURES, id_))


def versions() -> list[Version]:
    """Every version of every format that is evalglot's own."""
    return [one for one in catalog.catalog().versions if one.format in FORMATS]
