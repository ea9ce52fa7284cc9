"""Imports go one way: registry ← converter ← diffruns ← evalglot.

Formats know nothing about carrying, and diffruns knows no format.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FORBIDDEN = {
    "registry": {"converter", "diffruns", "evalglot"},
    "converter": {"diffruns", "evalglot"},
    "diffruns": {"evalglot", "converter.formats"},
    "converter/formats": {
        "converter.crossing",
        "converter.returning",
        "converter.chain",
        "converter.delta",
        "converter.reading",
    },
}
MODULES = [(folder, path) for folder in FORBIDDEN for path in sorted((ROOT / folder).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """Which modules, and packages around them, does a file import?"""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found | {name.partition(".")[0] for name in found}


@pytest.mark.parametrize(
    ("folder", "path"), MODULES, ids=[str(path.relative_to(ROOT)) for _, path in MODULES]
)
def test_imports_go_one_way(folder: str, path: Path) -> None:
    assert imported(path) & FORBIDDEN[folder] == set()
