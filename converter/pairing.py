"""A result that is two files: an aggregate of Every Eval Ever, and its rows beside it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from converter import target
from registry import gate, names, pairs
from registry.errors import OutputError
from registry.values import JSON

IDENTIFIER = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
STORED = re.compile(rf"(?:.*/)?(data/[^/]+/[^/]+/[^/]+/{IDENTIFIER})\.json")
"""a name in the tool's own store, which the aggregate has to tell"""

SEPARATORS = tuple((one.encode(), f"\\u{ord(one):04x}".encode()) for one in "\x85\u2028\u2029")
"""characters that end a line for the tool, though none for JSON; escapes stand for them"""

DETAILS = "detailed_evaluation_results"


def outputs(file: str, format_: str) -> tuple[str, ...]:
    """Which files does a result become that is written to this one?"""
    rows = pairs.beside(file) if format_ == pairs.FORMAT else None
    return (file,) if rows is None else (file, rows)


@contextmanager
def replacing(file: str, format_: str) -> Iterator[IO[bytes]]:
    """A stream whose content becomes the file, or the two that it is. See `target.replacing`."""
    _, *others = outputs(file, format_)
    if not others:
        with target.replacing(file) as stream:
            yield stream
        return
    with tempfile.TemporaryFile() as stream:
        yield stream
        stream.seek(0)
        held = parted(stream.read(), file)
        if len(held) == 1 and names.is_file(others[0]):
            raise _not_its_own(file, others[0])
        with ExitStack() as opened:
            for name, content in held.items():
                opened.enter_context(target.replacing(name)).write(content)


def parted(data: bytes, file: str) -> dict[str, bytes]:
    """What do the aggregate and its rows hold, by the files' names? No rows where none are said."""
    document = gate.load(data, file=file)
    rows = pairs.beside(file)
    if rows is None or pairs.SAMPLES not in document:
        return {file: data}
    samples = document.pop(pairs.SAMPLES)
    held = {file: gate.dump(_told(document, file, len(samples))) + b"\n"}
    return held | ({rows: b"".join(map(_line, samples))} if samples else {})


def _line(row: JSON) -> bytes:
    line = gate.dump(row)
    for separator, escape in SEPARATORS:
        line = line.replace(separator, escape)
    return line + b"\n"


def _told(document: JSON, file: str, count: int) -> JSON:
    """The aggregate, which tells of its rows where it lies in the tool's store."""
    place = STORED.fullmatch(Path(file).absolute().as_posix())
    if place is None or not count or document.get(DETAILS) is not None:
        return document
    path = f"{place[1]}{pairs.ROWS}"
    return {**document, DETAILS: {"format": "jsonl", "file_path": path, "total_rows": count}}


def _not_its_own(file: str, rows: str) -> OutputError:
    return OutputError(
        found=f"it has no rows, and {rows} would be taken for them",
        expected="a name without such a file beside",
        hint="Nothing was written. Give another -o FILE, or move the rows away.",
        file=file,
    )
