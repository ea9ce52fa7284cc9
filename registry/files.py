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
from typing import IO, NamedTuple

from registry import edges, limits, pairs, slices
from registry.errors import InputError, NotJson
from registry.text import Buffer

LINE_SUFFIXES = (".jsonl", ".ndjson")
SUFFIXES = (".json", *LINE_SUFFIXES, *edges.SUFFIXES)
"""Which files of a folder are looked at?"""

NAMED = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"

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
    """The bytes of a file, or of standard input for `-`; of what is no JSON, its document's.

    Raises InputError when it can't be read.
    """
    try:
        raw = _piped(file, _standard_input()) if file == STDIN else _bytes(file)
        data = edges.turned(raw, file)
        if data is raw and file != STDIN:
            data = pairs.joined(data, file, _bytes)
    except (OSError, ValueError) as error:
        raise _unreadable(file, error) from None
    try:
        yield data  # unmapped when the last slice of it is gone
    except NotJson as error:
        if is_turned(data):
            error.line = error.column = None
        raise


def is_turned(data: Buffer) -> bool:
    """Were these bytes made of a file that is no JSON, so that their lines are not the file's?"""
    return isinstance(data, edges.Turned)


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
        hint = "It is a link to nothing." if os.path.islink(file) else _near(file) or hint  # noqa: PTH114
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
    if is_turned(data):
        return False
    return file.lower().endswith(LINE_SUFFIXES) or slices.looks_like_lines(data)


def named_so(file: str) -> bool:
    """Does the name of a file say that it may hold results?

    A carry that was written beside a result belongs to that one.
    """
    name = file.lower()
    return name.endswith(SUFFIXES) and not name.endswith(".carry.json")


def listed(paths: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Which files does each path mean: a file, a folder, a pattern, or `-`?

    A pattern is one only where no file has that name. What a folder or a pattern finds is sorted.
    A file that was found before is not found again, nor one that is read with another; a path that
    means only such files is left out; a path with no file means none. Who names two links to one
    file means both.
    """
    seen: set[str] = set()
    for path in paths:
        meant = [one for one in _meant(path) if not (one.found and is_part(one.file))]
        new = list(_new(meant, seen))
        if new or not meant:
            yield path, new


def _new(meant: Iterable[_Meant], seen: set[str]) -> Iterator[str]:
    """Which of these files were not seen before, under this name or, if found, under another?"""
    for file, found in meant:
        name = file if file == STDIN else os.path.join(os.curdir, os.path.normpath(file))  # noqa: PTH118
        real = os.path.realpath(file) if os.path.lexists(file) else name
        if name not in seen and not (found and real in seen):
            yield file
        seen.update((name, real))


def is_part(file: str) -> bool:
    """Is the file read with another that lies beside it? A file that can't be read is no part."""
    try:
        return pairs.is_part(file, _bytes)
    except (OSError, ValueError):
        return False


class _Meant(NamedTuple):
    """A file that a path means, and whether it was found rather than named."""

    file: str
    found: bool = True


def _meant(path: str) -> Iterator[_Meant]:
    if path != STDIN and os.path.isdir(path):  # noqa: PTH112 - no error for any name
        yield from map(_Meant, sorted(_within(path)))
    elif path != STDIN and not os.path.lexists(path) and glob.has_magic(path):
        yield from _matching(path)
    else:
        yield _Meant(path, found=False)


def _matching(pattern: str) -> Iterator[_Meant]:
    """Which files fit this pattern, or lie in folders that do?"""
    matches = glob.glob(pattern, recursive=True)  # noqa: PTH207 - absolute ones, too
    for match in sorted({*matches, *_closed(pattern)}):
        if os.path.isdir(match):  # noqa: PTH112 - no error for any name
            yield from map(_Meant, sorted(_within(match)))
        elif _is_readable_kind(match):
            yield _Meant(os.path.join(os.curdir, match) if match == STDIN else match)  # noqa: PTH118


def _closed(pattern: str) -> Iterator[str]:
    """Which folders does a pattern lead through whose files may not be listed?"""
    folder = os.path.dirname(pattern)  # noqa: PTH120 - of a pattern
    while glob.has_magic(folder):
        found = glob.glob(folder, recursive=True)  # noqa: PTH207 - absolute ones, too
        yield from (one for one in found if os.path.isdir(one) and not os.access(one, os.R_OK))  # noqa: PTH112
        folder = os.path.dirname(folder)  # noqa: PTH120 - of a pattern


def _within(folder: str) -> Iterator[str]:
    """Which files of this folder, and of those in it, may hold results?

    A folder that may not be looked into is listed itself: whoever opens it is told why not.
    """
    closed: list[str] = []
    for parent, folders, names in os.walk(
        folder, onerror=lambda error: closed.append(error.filename)
    ):
        folders[:] = [one for one in folders if not one.startswith(".") and one not in SKIPPED]
        for name in names:
            path = str(Path(parent, name))
            if named_so(name) and _is_readable_kind(path):
                yield path
    yield from closed


def _is_readable_kind(path: str) -> bool:
    """Is it a file, or nothing that can be looked at, which is to be told?

    A pipe, a socket or a device is no file, and reading it might never end; a link to nothing is
    one that can't be read.
    """
    return os.path.isfile(path) or not os.path.exists(path)  # noqa: PTH110, PTH113 - no error for any name
