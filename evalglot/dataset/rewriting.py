"""Parts are written anew: without rows that hold no more, or several small ones as one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from evalglot.dataset import batches
from evalglot.dataset.manifest import Part
from evalglot.dataset.places import Folder

SMALL, MANY, LARGE = 4 * 2**20, 8, 64 * 2**20
"""bytes of a part that is small, how many small ones there may be, and bytes of a merged one"""


@dataclass(slots=True)
class Change:
    """Which parts come and which go, by what is written anew?"""

    added: list[Part] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)
    """where the rows of each key are now, by key"""

    def take(self, other: Change) -> dict[str, str]:
        """Take in another change; which rows did it move? What came and went meanwhile is not."""
        passing = set(other.removed)
        self.removed += other.removed
        self.added = [part for part in self.added if part.path not in passing] + other.added
        return other.moved


@dataclass(frozen=True, slots=True)
class Rewriter:
    """Writes parts of a folder anew, for one collect."""

    folder: Folder
    generation: int

    def without(
        self, tables: Sequence[str], key: str, homes: Iterable[str], gone: Collection[str]
    ) -> Change:
        """These parts without the rows whose key is gone."""
        change = Change()
        for home in sorted(set(homes)):
            self._write(change, tables, key, [home], gone)
        return change

    def merged(self, tables: Sequence[str], key: str, homes: Sequence[str]) -> Change:
        """These parts of one place as one."""
        change = Change()
        self._write(change, tables, key, homes, ())
        return change

    def _write(
        self,
        change: Change,
        tables: Sequence[str],
        key: str,
        homes: Sequence[str],
        gone: Collection[str],
    ) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        around, _, _ = homes[0].rpartition("/")
        name = batches.part_name(self.generation, [*homes, *sorted(gone)])
        home = f"{around}/{name}" if around else name
        for table in tables:
            paths = [f"{table}/{one}" for one in homes]
            rows = pa.concat_tables(batches.read(self.folder, path) for path in paths)
            if gone:
                held = pc.is_in(rows.column(key), value_set=pa.array(sorted(gone), pa.string()))
                rows = rows.filter(pc.invert(held))
            change.removed += paths
            if table == tables[0]:
                moved = dict.fromkeys(rows.column(key).to_pylist(), home)
                change.moved.update(moved)
            if moved:  # a place with any rows has a part of each of its tables
                change.added.append(batches.write(self.folder, f"{table}/{home}", rows))


def small(parts: Sequence[Part]) -> Iterator[list[str]]:
    """Which parts of one table and place are too many small ones, and go together?"""
    found: dict[str, list[Part]] = {}
    for part in parts:
        if part.bytes < SMALL:
            found.setdefault(part.home.rpartition("/")[0], []).append(part)
    for held in found.values():
        if len(held) > MANY:
            yield from _together(held)


def _together(parts: Sequence[Part]) -> Iterator[list[str]]:
    held: list[str] = []
    weight = 0
    for part in parts:
        if held and weight + part.bytes > LARGE:
            yield held
            held, weight = [], 0
        held.append(part.home)
        weight += part.bytes
    if len(held) > 1:
        yield held
