"""Where are the registry's shelves? One folder per format, one in it per version."""

from __future__ import annotations

from pathlib import Path


def versions_root() -> Path:
    """Which folder holds the shelves: inside an install, or beside the package in a checkout?"""
    installed = Path(__file__).parent / "_versions"
    return installed if installed.is_dir() else Path(__file__).parent.parent / "versions"
