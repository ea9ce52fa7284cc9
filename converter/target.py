"""A result as it is written: record by record, complete or not at all."""

from __future__ import annotations

import mmap
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4

from registry import names
from registry.errors import OutputError
from registry.gate import depth, dump
from registry.helping import helpers
from registry.limits import MAX_DEPTH

if TYPE_CHECKING:
    from converter.chain import Flow, Shared
    from converter.form import Group
    from registry.edges import Edge

STDOUT = "-"
CHUNK = 1 << 20
"""bytes that are copied at once"""


@contextmanager
def replacing(file: str) -> Iterator[IO[bytes]]:
    """A stream whose content becomes the file when all went well, and vanishes otherwise.

    It lies beside the target, so that the last step is one rename. What is no regular file, such
    as a pipe or a device, gets the content when it is complete. Raises OutputError.
    """
    target = names.real(file)
    if file == STDOUT or names.is_other(file):
        try:
            yield from _held_back(_stdout if file == STDOUT else lambda: target.open("wb"))
        except OSError as error:
            if file == STDOUT and isinstance(error, BrokenPipeError):
                raise
            raise _unwritable("standard output" if file == STDOUT else file, error) from None
        return
    name = names.temporary(target)
    try:
        with os.fdopen(names.new(name), "w+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _keep_mode(target, name)
        name.replace(target)
    except BaseException as error:
        with suppress(OSError):
            name.unlink()
        if isinstance(error, OSError):
            raise _unwritable(file, error) from None
        raise


def make_folder(file: str) -> None:
    """Make the folder that a file is to lie in, unless it is there. Raises OutputError."""
    try:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(file, error) from None


@contextmanager
def _stdout() -> Iterator[IO[bytes]]:
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except OSError:
        # What is still in the buffer can't be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _held_back(opened: Callable[[], AbstractContextManager[IO[bytes]]]) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as stream:
        yield stream
        stream.seek(0)
        with opened() as out:
            shutil.copyfileobj(stream, out)


def _keep_mode(target: Path, name: Path) -> None:
    """Give the new file the mode of the one it replaces, or what any new file would get."""
    if target.exists():
        mode = target.stat().st_mode & 0o777
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    name.chmod(mode)


def _unwritable(file: str, error: OSError) -> OutputError:
    return OutputError(
        found=f"can't be written ({error.strerror})",
        expected="a folder that exists, with room and leave to write",
        hint="Nothing was written.",
        file=file,
    )


def write(flow: Flow, stream: IO[bytes], jobs: int = 1, edge: Edge | None = None) -> int:
    """How many records does the result have, once written by up to so many processes?

    `edge` makes another kind of file of the JSON; its `stream` can be sought.
    """
    if edge is None:
        return _write(flow, stream, jobs)
    with tempfile.TemporaryFile() as plain:
        count = _write(flow, plain, jobs)
        plain.flush()
        edge.write(mmap.mmap(plain.fileno(), 0, access=mmap.ACCESS_READ), stream)
    return count


def _write(flow: Flow, stream: IO[bytes], jobs: int) -> int:
    """Write the result as JSON.

    Totals stand before the records in some formats, and are known only at the end: so the records
    wait in a temporary file until the envelope is there.
    """
    if not flow.layout.streams and flow.shape.get("container") != "lines":
        whole = flow.stage()
        stream.write(_encoded(whole.document(), 0) + b"\n")
        return len(whole.parts.groups)
    with ExitStack() as opened:
        spools: list[IO[bytes]] = []
        count = _spooled(flow, jobs, opened, spools)
        envelope = flow.envelope()
        if flow.shape.get("container") == "lines":
            before, after = b"", b"\n" if count else b""
        else:
            before, after = _around(flow, envelope, empty=not count)
        stream.write(before)
        for number, spool in enumerate(spools):
            if number:
                stream.write(_between(flow))
            spool.seek(0)
            shutil.copyfileobj(spool, stream, CHUNK)
        stream.write(after)
    return count


def _encoded(value: Any, around: int, *, speakable: bool = False) -> bytes:
    """The value's text. Raises OutputError when it nests too deep to be read again."""
    raw = dump(value, speakable=speakable)
    if raw.count(b"{") + raw.count(b"[") > MAX_DEPTH - around and depth(value) > MAX_DEPTH - around:
        raise OutputError(
            found=f"with what it carries, the result nests more than {MAX_DEPTH} levels deep",
            expected="a result that can be read again",
            hint="Give --no-carry to leave out what the target can't say.",
        )
    return raw


def _spooled(flow: Flow, jobs: int, opened: ExitStack, spools: list[IO[bytes]]) -> int:
    """How many records are there? This process and its helpers write them to `spools`, in order.

    A spool that no record was written to is left out.
    """
    shared = flow.shared
    parts = shared.parts(jobs) if shared is not None and jobs > 1 else [flow.groups]
    files = [opened.enter_context(_spool_file()) for _ in parts]
    works = [partial(_help, flow, shared, *part) for part in zip(parts[1:], files[1:], strict=True)]
    helping = opened.enter_context(helpers(works))
    counts = [_spool(flow, parts[0], files[0])]
    for helper in helping:
        count, found = helper.result()
        counts.append(count)
        if shared is not None:
            shared.join(found)
    spools += [file for file, count in zip(files, counts, strict=True) if count]
    return sum(counts)


def _spool_file() -> IO[bytes]:
    return tempfile.TemporaryFile(buffering=CHUNK)


def _help(
    flow: Flow, shared: Shared | None, groups: Iterator[Group], spool: IO[bytes]
) -> tuple[int, object]:
    """How many records has this part of the result, and what was found out?"""
    count = _spool(flow, groups, spool)
    spool.flush()
    return count, None if shared is None else shared.found()


def _spool(flow: Flow, groups: Iterator[Group], spool: IO[bytes]) -> int:
    around = len(flow.layout.records) + 1
    between = _between(flow)
    count = 0
    for record in flow.layout.records_of(groups, flow.shape):
        if count:
            spool.write(between)
        spool.write(_encoded(record, around, speakable=flow.speakable))
        count += 1
    return count


def _between(flow: Flow) -> bytes:
    return b"\n" if flow.shape.get("container") == "lines" else b",\n"


def _around(flow: Flow, envelope: object, *, empty: bool) -> tuple[bytes, bytes]:
    if empty and not flow.layout.holds_records(envelope):
        return _encoded(envelope, 0), b"\n"
    hole = uuid4().hex
    framed = _encoded(flow.layout.frame(envelope, flow.shape, hole), 0)
    before, _, after = framed.partition(dump(hole))
    return before + (b"[" if empty else b"[\n"), (b"]" if empty else b"\n]") + after + b"\n"
