"""What has a dataset taken in so far?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from evalglot.dataset import batches
from evalglot.dataset.batches import Told
from evalglot.dataset.manifest import Manifest
from evalglot.dataset.places import Folder, Source
from evalglot.dataset.taking import Before, Wanted


@dataclass(frozen=True, slots=True)
class File:
    """One file that was looked at."""

    digest: str | None
    size: int
    etag: str | None
    taken: bool
    reader: str


@dataclass(slots=True)
class Known:
    """The files of a dataset, and where their rows are. It changes with each commit."""

    files: dict[str, File] = field(default_factory=dict)
    rows: dict[str, dict[str, str]] = field(default_factory=lambda: {"file": {}, "error": {}})
    """by table, in which part the row of each path is"""
    homes: dict[str, str] = field(default_factory=dict)
    """in which parts the rows of each digest are, as `Part.home` has it"""
    holders: Counter[str] = field(default_factory=Counter)
    """how many files hold each digest"""
    sized: dict[int, set[str]] = field(default_factory=dict)
    """which digests had files of each size"""

    def wanted(self, source: Source, reader: str) -> Wanted | None:
        """Is this file to be looked at, and what is known of it? None: surely as it was.

        A store's ETag says that content is the same; a time of change does not.
        """
        had = self.files.get(source.path)
        before = None
        if had is not None and had.digest is not None and (had.taken or had.reader == reader):
            if had.etag is not None and had.etag == source.etag:
                return None
            before = Before(had.digest, had.etag)
        alike = self.sized.get(source.size, ())
        return Wanted(source, frozenset(one for one in alike if one in self.homes), before)

    def note(self, told: Told, source: Source, reader: str) -> str | None:
        """A file was looked at, and its row is written. Which digest has it held until now?"""
        had = self.files.get(told.path)
        held = had.digest if had is not None and had.taken else None
        if held is not None:
            self.holders[held] -= 1
        taken = not told.failed
        self.files[told.path] = File(told.digest, source.size, source.etag, taken, reader)
        if taken and told.digest is not None:
            self.holders[told.digest] += 1
            self.sized.setdefault(source.size, set()).add(told.digest)
        return held

    def unheld(self, digests: Iterable[str | None]) -> frozenset[str]:
        """Which of these, whose rows are here, does no file hold any more?"""
        gone = (one for one in digests if one in self.homes)
        return frozenset(one for one in gone if one is not None and self.holders[one] <= 0)

    def forget(self, digests: Iterable[str]) -> None:
        """The rows of these are gone."""
        for one in digests:
            del self.homes[one]


def load(folder: Folder, manifest: Manifest) -> Known:
    """What does the dataset say of itself? Raises InputError for damaged parts."""
    known = Known()
    for table, places in known.rows.items():
        for part in manifest.of(table):
            paths = batches.read(folder, part.path, ["path"]).column("path").to_pylist()
            places.update(dict.fromkeys(paths, part.home))
    for part in manifest.of("file"):
        for row in batches.read(folder, part.path).to_pylist():
            file = File(row["digest"], row["size"], row["etag"], row["taken"], row["reader"])
            known.files[row["path"]] = file
            if file.taken and file.digest is not None:
                known.holders[file.digest] += 1
                known.sized.setdefault(file.size, set()).add(file.digest)
    for part in manifest.of("run"):
        digests = batches.read(folder, part.path, ["digest"]).column("digest").to_pylist()
        known.homes.update(dict.fromkeys(digests, part.home))
    return known
