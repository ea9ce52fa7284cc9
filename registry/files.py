"""Which files are meant by what a command was given, and what bytes do they hold?"""

from __future__ import annotations

import glob
import mmap
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from registry import slices
from registry.errors import InputError
from registry.text import Buffer

LINE_SUFFIXES = (".jsonl", ".ndjson")
SUFFIXES = (".json", *LINE_SUFFIXES)
"""Which files of a folder are looked at?"""

SKIPPED = ("node_modules", "__pycache__")
"""Which folders, besides those whose names start with a dot, are not searched?"""

STDIN = "-"


@contextmanager
def opened(file: str) -> Iterator[Buffer]:
    """The bytes of a file, or of standard input for `-`.

    Raises InputError when it can't be read.
    """
    if file == STDIN:
        yield sys.stdin.buffer.read()
        return
    try:
        data = _bytes(file)
    except (OSError, ValueError) as error:
        raise _unreadable(file, error) from None
    yield data  # unmapped when the last slice of it is gone


def _bytes(file: str) -> Buffer:
    with Path(file).open("rb") as stream:
        if not stream.seekable():  # a pipe
            return stream.read()
        empty = stream.seek(0, os.SEEK_END) == 0
        return b"" if empty else mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)


def _unreadable(file: str, error: OSError | ValueError) -> InputError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return InputError(
        found=f"can't be read ({reason})", hint="Check the name and its permissions.", file=file
    )


def is_lines(data: Buffer, file: str) -> bool:
    """Are these bytes JSON Lines: several values, one a line?"""
    return file.endswith(LINE_SUFFIXES) or slices.looks_like_lines(data)


def listed(paths: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Which files does each path mean: a file, a folder, a pattern, or `-`?

    A pattern is one only where no file has that name. What a folder or a pattern finds is sorted,
    and a file that was found before is not found again.
    """
    seen: set[str] = set()
    for path in paths:
        found = [file for file in _meant(path) if file not in seen]
        seen.update(found)
        yield path, found


def _meant(path: str) -> list[str]:
    if path == STDIN:
        return [path]
    if os.path.isdir(path):  # noqa: PTH112 - no error for any name
        return sorted(_within(path))
    if not os.path.lexists(path) and glob.has_magic(path):
        matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 - absolute ones, too
        return [file for match in matches for file in _meant(match)]
    return [path]


def _within(folder: str) -> Iterator[str]:
    """Which files of this folder, and of those in it, may hold results?

    A carry that was written beside a result belongs to that one. A pipe, a socket or a device is no
    file, and reading it might never end; a link to nothing is one that can't be read.
    """
    for parent, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if not one.startswith(".") and one not in SKIPPED]
        for name in names:
            path = Path(parent, name)
            named = name.endswith(SUFFIXES) and not name.endswith(".carry.json")
            if named and (path.is_file() or not path.exists()):
                yield str(path)
