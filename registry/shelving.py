"""Which files on the shelves does a new version bring or change, and what is in them?"""

from __future__ import annotations

from pathlib import Path

from registry import gate
from registry.placing import SCHEMA, Place
from registry.reports.harmless import harmless
from registry.values import JSON

UNKNOWN = "Not said yet: which releases write it, and how that is known."


def files(root: Path, place: Place, schema: JSON, source: str | None) -> dict[str, bytes]:
    """What is to be written below the folder of the shelves?"""
    return {
        f"{place.folder}/{SCHEMA}": _spelled(schema),
        f"{place.format}/format.json": _spelled(place.described),
        f"{place.format}/CHANGELOG.md": _history(root, place, source).encode(),
    }


def _spelled(value: JSON) -> bytes:
    return gate.dump(value, indent=2) + b"\n"


def _history(root: Path, place: Place, source: str | None) -> str:
    """How does the format's CHANGELOG.md go on? Newest version first, below the introduction."""
    path = root / place.format / "CHANGELOG.md"
    said = f"Source: {harmless(' '.join(source.split()))}" if source else UNKNOWN
    section = f"## {place.version}\n\n{said}\n"
    if not path.exists():
        return f"# {place.format}: versions\n\n{section}"
    head, mark, rest = f"\n{path.read_text(encoding='utf-8')}".partition("\n## ")
    return f"{head.rstrip()}\n\n{section}\n{mark[1:]}{rest}".lstrip("\n").rstrip() + "\n"


def readme(place: Place) -> bytes:
    """What does the folder of fixtures of a new format say of where its files are from?"""
    return (
        f"# Fixtures of {place.format}\n\n"
        "`smallest.json` and `invalid/` are synthetic, made of the schema. Not said yet: where the"
        " others are from.\n"
    ).encode()
