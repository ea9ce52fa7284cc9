"""One unit of work: some files are read, and their tables written as parts.

What a batch writes is named after what it holds, so a batch that is done twice, since a worker was
lost, leaves the same parts as one that is done once.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalglot.dataset import cells
from evalglot.dataset.manifest import Part
from evalglot.dataset.places import Folder
from evalglot.dataset.taking import Taken, Wanted, take
from registry.errors import EvalglotError

if TYPE_CHECKING:
    import pyarrow as pa

    from registry.lexemes import Nonfinite

FILES, BYTES = 1000, 32 * 2**20
"""how many files, and of how many bytes together, are one batch at the most"""


@dataclass(frozen=True, slots=True)
class Batch:
    """Which files are taken together, and where do their parts go?"""

    folder: Folder
    generation: int
    wanted: tuple[Wanted, ...]
    nonfinite: Nonfinite
    reader: str


@dataclass(frozen=True, slots=True)
class Told:
    """What became of one file of a batch, without its facts."""

    path: str
    digest: str | None
    home: str | None
    """where its rows stand in each table; None where it has none"""
    failed: bool
    unchanged: bool
    """is it as it was, so that nothing is written of it?"""


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a batch: the parts that were written, and what became of each file."""

    parts: tuple[Part, ...]
    told: tuple[Told, ...]


def batched(
    wanted: Iterable[Wanted], files: int = FILES, size: int = BYTES
) -> Iterator[tuple[Wanted, ...]]:
    """Which files go together? Always the same for the same files."""
    held: list[Wanted] = []
    weight = 0
    for one in wanted:
        if held and (len(held) >= files or weight + one.source.size > size):
            yield tuple(held)
            held, weight = [], 0
        held.append(one)
        weight += one.source.size
    if held:
        yield tuple(held)


def run(batch: Batch) -> Done:
    """Read the files and write their parts. Raises OutputError where they can't be written."""
    taken, tables = [], _Tables()
    met: set[str] = set()
    for one in batch.wanted:
        found = take(one, met, batch.nonfinite)
        if found.tables is not None and found.digest is not None:
            met.add(found.digest)
            tables.add(found)
            found = replace(found, tables={})
        taken.append(found)
    changed = [one for one in taken if not one.unchanged]
    name = part_name(batch.generation, [f"{one.source.path} {one.digest}" for one in changed])
    parts = [
        write(batch.folder, f"{table}/{home}", [rows])
        for table, home, rows in (*tables.all(name), *_beside(changed, name, batch.reader))
    ]
    return Done(tuple(parts), tuple(_told(one, name) for one in taken))


def _told(one: Taken, name: str) -> Told:
    home = None if one.tables is None else home_of(one.tool, one.month, name)
    return Told(one.source.path, one.digest, home, one.error is not None, one.unchanged)


def part_name(generation: int, said: Sequence[str]) -> str:
    """How is a part called that holds this, written by that collect?"""
    made = hashlib.blake2b("\n".join(said).encode("utf-8", "surrogatepass"), digest_size=8)
    return f"{generation:06}-{made.hexdigest()}.parquet"


def home_of(tool: str, month: str, name: str) -> str:
    """Where in its table does a part stand?"""
    return f"tool={tool}/month={month}/{name}"


class _Tables:
    """The tables of a batch, by table, tool and month."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str, str], list[pa.Table]] = {}

    def add(self, taken: Taken) -> None:
        """Take in the tables of a file."""
        for name, rows in (taken.tables or {}).items():
            self.held.setdefault((name, taken.tool, taken.month), []).append(rows)

    def all(self, name: str) -> Iterator[tuple[str, str, pa.Table]]:
        """Which rows go where?"""
        import pyarrow as pa

        for (table, tool, month), rows in sorted(self.held.items(), key=lambda item: item[0]):
            yield table, home_of(tool, month, name), pa.concat_tables(rows)


def _beside(taken: Sequence[Taken], name: str, reader: str) -> Iterator[tuple[str, str, pa.Table]]:
    """Rows of the files themselves, and of their errors."""
    rows = [
        (
            *(one.source.path, one.digest, one.source.size, one.source.etag),
            *(one.error is None, reader),
        )
        for one in taken
    ]
    if rows:
        yield "file", name, cells.table("file", rows)
    errors = [_error(one, one.error) for one in taken if one.error is not None]
    if errors:
        yield "error", name, cells.table("error", errors)


def _error(taken: Taken, error: EvalglotError) -> tuple[Any, ...]:
    return (
        *(taken.source.path, taken.digest, type(error).__name__, error.found),
        *(error.expected or None, error.hint or None, error.pointer, error.line, error.column),
    )


def write(folder: Folder, path: str, tables: Iterable[pa.Table]) -> Part:
    """Write rows as a part; it is on the disk when this returns. Raises OutputError.

    Rows come as tables of one schema, and no more are held than make a group of rows.
    """
    import pyarrow.parquet as pq

    held, count = io.BytesIO(), 0
    with pq.ParquetWriter(held, cells.schema(path.partition("/")[0]), compression="zstd") as writer:
        for rows in _grouped(tables):
            writer.write_table(rows)
            count += rows.num_rows
    data = held.getbuffer()
    place = folder.at(path)
    with folder.writing():
        if folder.local:
            Path(place).parent.mkdir(parents=True, exist_ok=True)
            with Path(place).open("wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
        else:
            folder.system.pipe_file(place, bytes(data))
    return Part(path, count, len(data))


def _grouped(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The same rows, in tables of some size."""
    import pyarrow as pa

    held: list[pa.Table] = []
    for rows in tables:
        held.append(rows)
        if sum(one.nbytes for one in held) >= BYTES:
            yield pa.concat_tables(held)
            held = []
    if held:
        yield pa.concat_tables(held)


def read(folder: Folder, path: str, columns: Sequence[str] | None = None) -> pa.Table:
    """Which rows has a part, whose schema is that of its table? Raises InputError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from evalglot.dataset import places
    from registry.errors import InputError

    place = f"{folder.name}/{path}"
    with places.reaching(place), folder.system.open(folder.at(path), "rb") as stream:
        try:
            return pq.ParquetFile(stream).read(columns=columns and list(columns))
        except pa.ArrowException as error:
            raise InputError(
                found=f"a damaged part ({str(error)[:80]})", expected="Parquet", file=place
            ) from None
