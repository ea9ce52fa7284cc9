"""Parts are written anew: without rows that hold no more, or several small ones as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evalglot.dataset import batches
from evalglot.dataset.manifest import Part
from evalglot.dataset.places import Folder

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Limit:
    """How many bytes are little, how many such may there be, and how many bytes are enough?"""

    small: int = 8 * 2**20
    many: int = 8
    large: int = 64 * 2**20


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
        around, _, _ = homes[0].rpartition("/")
        name = batches.part_name(self.generation, [*homes, *sorted(gone)])
        home = f"{around}/{name}" if around else name
        kept = [one for path in homes for one in self._keys(tables[0], path, key, gone)]
        change.moved.update(dict.fromkeys(kept, home))
        for table in tables:
            paths = [f"{table}/{one}" for one in homes]
            change.removed += paths
            if kept:  # a place with any rows has a part of each of its tables
                rows = (self._kept(path, key, gone) for path in paths)
                change.added.append(batches.write(self.folder, f"{table}/{home}", rows))

    def _keys(self, table: str, home: str, key: str, gone: Collection[str]) -> list[str]:
        rows = batches.read(self.folder, f"{table}/{home}", [key])
        return [one for one in rows.column(key).to_pylist() if one not in gone]

    def _kept(self, path: str, key: str, gone: Collection[str]) -> pa.Table:
        import pyarrow as pa
        import pyarrow.compute as pc

        rows = batches.read(self.folder, path)
        held = pc.is_in(rows.column(key), value_set=pa.array(sorted(gone), pa.string()))
        return rows.filter(pc.invert(held))


USUAL = Limit()


def small(parts: Sequence[Part], limit: Limit) -> Iterator[list[str]]:
    """Which homes of a place hold too little, and go together? `parts` are of all their tables."""
    weights: Counter[str] = Counter()
    for part in parts:
        weights[part.home] += part.bytes
    found: dict[str, list[str]] = {}
    for home, weight in sorted(weights.items()):
        if weight < limit.small:
            found.setdefault(home.rpartition("/")[0], []).append(home)
    for homes in found.values():
        if len(homes) > limit.many:
            yield from _together(homes, weights, limit.large)


def _together(homes: Sequence[str], weights: Mapping[str, int], large: int) -> Iterator[list[str]]:
    held: list[str] = []
    weight = 0
    for home in homes:
        if held and weight + weights[home] > large:
            yield held
            held, weight = [], 0
        held.append(home)
        weight += weights[home]
    if len(held) > 1:
        yield held
