"""Where are the registry's shelves? One folder per format, one in it per version."""

from __future__ import annotations

from pathlib import Path

INSTALLED = Path(__file__).parent / "_versions"
"""Where an install has its shelves."""


def versions_root() -> Path:
    """Which folder holds the shelves: inside an install, or beside the package in a checkout?"""
    return INSTALLED if INSTALLED.is_dir() else Path(__file__).parent.parent / "versions"


def is_installed(root: Path) -> bool:
    """Are these the shelves inside an install, which the next install overwrites?"""
    return root.resolve() == INSTALLED.resolve()
