"""Which files are meant by what a command was given, and what bytes do they hold?"""

from __future__ import annotations

import errno
import glob
import mmap
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO

from registry import limits, slices
from registry.errors import InputError
from registry.text import Buffer

LINE_SUFFIXES = (".jsonl", ".ndjson")
SUFFIXES = (".json", *LINE_SUFFIXES)
"""Which files of a folder are looked at?"""

SKIPPED = ("node_modules", "__pycache__")
"""Which folders, besides those whose names start with a dot, are not searched?"""

STDIN = "-"

LARGE = 1 << 20
"""bytes from which on a file is not read into memory"""

MOST_NAMES = 1000
"""of how many files in a folder is one looked for that may have been meant?"""

CHUNK = 1 << 20
"""bytes that are copied at once"""


@contextmanager
def opened(file: str) -> Iterator[Buffer]:
    """The bytes of a file, or of standard input for `-`.

    Raises InputError when it can't be read.
    """
    try:
        data = _piped(file, _standard_input()) if file == STDIN else _bytes(file)
    except (OSError, ValueError) as error:
        raise _unreadable(file, error) from None
    yield data  # unmapped when the last slice of it is gone


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:  # closed by whoever started this
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return sys.stdin.buffer


def _piped(file: str, stream: IO[bytes]) -> bytes:
    """What comes out of a pipe, which may not end: no more than one document may have."""
    data = bytearray()
    while chunk := stream.read(CHUNK):
        data += chunk
        limits.refuse_large(len(data), file)
    return bytes(data)


def _bytes(file: str) -> Buffer:
    with Path(file).open("rb") as stream:
        if not stream.seekable():
            return _piped(file, stream)
        before = os.fstat(stream.fileno())
        limits.refuse_long_file(before.st_size, file)
        data = stream.read(LARGE) if before.st_size < LARGE else _held(stream, before.st_size)
        after = os.fstat(stream.fileno())
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise InputError(
            found="changed while it was read",
            expected="a file that nobody is writing",
            hint="Try again when it is complete.",
            file=file,
        )
    return data


def _held(stream: IO[bytes], size: int) -> Buffer:
    """The bytes of a large file, in a copy without a name that nobody else can change.

    Reading from a map of the file itself would end this process, without a word, when somebody
    cuts the file short. The copy is mapped, so memory stays free; where there is no room for it,
    memory has to do.
    """
    try:
        with tempfile.TemporaryFile() as copy:
            shutil.copyfileobj(stream, copy, CHUNK)
            copy.flush()
            return mmap.mmap(copy.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # no room, or nothing left to map
        if size > limits.MAX_BYTES:
            raise
        stream.seek(0)
        return stream.read(size)


def _unreadable(file: str, error: OSError | ValueError) -> InputError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    hint = "Make room for temporary files." if full else "Check the name and its permissions."
    if isinstance(error, FileNotFoundError):
        hint = _near(file) or hint
    return InputError(found=f"can't be read ({reason})", hint=hint, file=file)


def _near(file: str) -> str:
    """Which file of the same folder has a name that is near to one that is not there? "" if none.

    Endings are not compared: alike names differ before them, or in nothing else.
    """
    from difflib import get_close_matches

    path = Path(file)
    try:
        with os.scandir(path.parent) as entries:
            names = sorted(entry.name for entry in islice(entries, MOST_NAMES))
    except OSError:
        return ""
    stems = {Path(name).stem: name for name in reversed(names)}
    near = get_close_matches(path.stem, list(stems), n=1)
    return f"Did you mean {path.with_name(stems[near[0]])}?" if near else ""


def is_lines(data: Buffer, file: str) -> bool:
    """Are these bytes JSON Lines: several values, one a line?"""
    return file.lower().endswith(LINE_SUFFIXES) or slices.looks_like_lines(data)


def listed(paths: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Which files does each path mean: a file, a folder, a pattern, or `-`?

    A pattern is one only where no file has that name. What a folder or a pattern finds is sorted,
    and a file that was found before is not found again; a path that means no other is left out.
    """
    seen: set[str] = set()
    for path in paths:
        meant = _meant(path)
        names = {os.path.normpath(file): file for file in meant}
        found = [file for name, file in names.items() if name not in seen]
        seen.update(names)
        if found or not meant:
            yield path, found


def _meant(path: str) -> list[str]:
    if path == STDIN:
        return [path]
    if os.path.isdir(path):  # noqa: PTH112 - no error for any name
        return sorted(_within(path))
    if not os.path.lexists(path) and glob.has_magic(path):
        matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 - absolute ones, too
        found = [file for match in matches if _may_hold(Path(match)) for file in _meant(match)]
        return list({os.path.realpath(file): file for file in reversed(found)}.values())[::-1]
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
            named = name.lower().endswith(SUFFIXES) and not name.endswith(".carry.json")
            if named and _may_hold(path):
                yield str(path)


def _may_hold(path: Path) -> bool:
    return path.is_file() or path.is_dir() or not path.exists()
