"""What stands under a name, whatever the name is?

A name that no file can have, since it is too long or leads around in circles, is one of nothing.
"""

from __future__ import annotations

import os
from pathlib import Path


def exists(name: str) -> bool:
    """Is there anything of this name?"""
    return os.path.exists(name)  # noqa: PTH110 - no error for any name


def is_file(name: str) -> bool:
    """Is there a regular file of this name?"""
    return os.path.isfile(name)  # noqa: PTH113 - no error for any name


def is_folder(name: str) -> bool:
    """Is there a folder of this name?"""
    return os.path.isdir(name)  # noqa: PTH112 - no error for any name


def is_other(name: str) -> bool:
    """Is there something of this name that is neither, such as a pipe or a device?"""
    return exists(name) and not is_file(name) and not is_folder(name)


def is_one(name: str | int, other: str | int) -> bool:
    """Do both names, or descriptors, lead to one regular file?"""
    regular = os.path.isfile(name) and os.path.isfile(other)  # noqa: PTH113
    return regular and os.path.samefile(name, other)  # noqa: PTH121 - descriptors, too


def real(name: str) -> Path:
    """Where do the links of this name lead to? Those in a circle lead to themselves."""
    return Path(os.path.realpath(name))


def temporary(target: Path) -> Path:
    """Which new name beside the target is short enough, and no result file's?"""
    start = os.fsencode(target.name)[:64].decode("utf-8", "ignore")
    return target.with_name(f".{start}.{os.urandom(8).hex()}")


def new(path: Path) -> int:
    """Which descriptor has the new file, that is its owner's alone? Raises FileExistsError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    return os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)
