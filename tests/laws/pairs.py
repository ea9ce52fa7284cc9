"""Which fixture goes to which format?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from converter.formats import FORMATS, find
from tests.converter import samples

NEWEST = [
    path for path in samples.valid() if samples.ref(path) in {find(id_).ref for id_ in FORMATS}
]
"""fixtures in the versions where formats meet"""


def pairs() -> list[tuple[Path, str]]:
    """Every fixture in its newest version, with every other format."""
    return [
        (path, id_)
        for path in NEWEST
        for id_ in FORMATS
        if not samples.ref(path).startswith(f"{id_}@")
    ]


def pair_name(value: Any) -> str | None:
    """How are a fixture and a format called in a test's name?"""
    return samples.name(value) if isinstance(value, Path) else None
