"""Result files become a dataset: each content once, whatever happens meanwhile.

The manifest is replaced after each batch, with all that the batch changes: a collect that is killed
has done some whole batches, and the next one does the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import chain, islice
from typing import TYPE_CHECKING

from evalglot.dataset import batches, engine, known, manifest, places, rewriting
from evalglot.dataset.batches import Batch, Done, Told
from evalglot.dataset.known import Known
from evalglot.dataset.manifest import Manifest
from evalglot.dataset.places import Folder, Source
from evalglot.dataset.rewriting import Change, Limit, Rewriter
from evalglot.dataset.tables import PARTED
from evalglot.dataset.taking import Wanted
from registry.errors import OutputError

if TYPE_CHECKING:
    from registry.lexemes import Nonfinite


LOCK = ".lock"


class Busy(OutputError):
    """Another collect is at work in the same folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How is collected?"""

    nonfinite: Nonfinite = "reject"
    scheduler: str | None = None
    jobs: int = 1
    files: int = batches.FILES
    """how many files are one batch at the most"""
    limit: Limit = rewriting.USUAL
    """which parts are small, and become few"""


@dataclass(slots=True)
class Outcome:
    """How many files were taken in, were known, or were set aside?"""

    counts: Counter[str] = field(default_factory=Counter)

    @property
    def files(self) -> int:
        """How many files were there?"""
        return self.counts.total()


def collect(sources: Sequence[str], into: str, asked: Asked = Asked()) -> Outcome:
    """Take in these files. Raises EvalglotError where that can't go on; what is done is kept."""
    folder = Folder(into)
    reader = version("evalglot")
    with _alone(folder):
        held = manifest.read(folder) or Manifest()
        folder.remove(manifest.orphans(folder, held))
        collecting = _Collecting(folder, asked, reader, held, known.load(folder, held))
        collecting.take(sources)
        collecting.merge()
        folder.remove(manifest.orphans(folder, collecting.manifest))
    return collecting.outcome


class _Collecting:
    """One collect under way."""

    def __init__(
        self, folder: Folder, asked: Asked, reader: str, held: Manifest, seen: Known
    ) -> None:
        self.folder, self.asked, self.reader = folder, asked, reader
        self.manifest, self.known = held, seen
        self.generation = held.generation + 1
        self.rewriter = Rewriter(folder, self.generation)
        self.outcome = Outcome()
        self.sources: dict[str, Source] = {}
        self.again: list[Source] = []
        self.paths: Sequence[str] = ()

    def take(self, paths: Sequence[str]) -> None:
        """Take in all that these mean."""
        self.paths = paths
        self._work(self._wanted(places.listed(paths)))
        again, self.again = self.again, []
        self._work(Wanted(source) for source in again)
        if not self.manifest.commit:
            self._write(Change())  # an empty dataset is one, too

    def _wanted(self, sources: Iterable[Source]) -> Iterator[Wanted]:
        for source in sources:
            wanted = self.known.wanted(source, self.reader)
            if wanted is None:
                self._count("known")
            else:
                self.sources[source.path] = source
                yield wanted

    def _work(self, wanted: Iterator[Wanted]) -> None:
        asked = self.asked
        if asked.scheduler is not None and not self._shared():
            raise engine.WorkerLost(
                found="a cluster can't see the memory of this process",
                expected="sources and a dataset that all workers reach",
                file=self.folder.name,
            )
        work = (
            Batch(self.folder, self.generation, one, asked.nonfinite, self.reader)
            for one in batches.batched(wanted, asked.files)
        )
        first = list(islice(work, 2))
        jobs = asked.jobs if len(first) > 1 and self._shared() else 1
        with engine.executor(asked.scheduler if first else None, jobs) as (pool, width):
            for done in engine.each(pool, width, batches.run, chain(first, work)):
                self._take(done)

    def _shared(self) -> bool:
        """Can other processes see the dataset and all of its sources?"""
        return not any(map(places.in_process, (self.folder.name, *self.paths)))

    def _take(self, done: Done) -> None:
        """Make what came of a batch part of the dataset."""
        lost = [one for one in done.told if self._lost(one)]
        self.again += [self.sources[one.path] for one in lost]
        changed = [one for one in done.told if not one.unchanged and one not in lost]
        if changed or lost:
            self._commit(done, changed, lost)
        for one in done.told:
            if one not in lost:
                self._count(_outcome(one))

    def _lost(self, told: Told) -> bool:
        """Are the rows gone, since, that a worker knew of?"""
        relied = not told.unchanged and not told.failed and told.home is None
        return relied and told.digest not in self.known.homes

    def _commit(self, done: Done, changed: Sequence[Told], lost: Sequence[Told]) -> None:
        """Let the dataset be what it is with this batch, so that nothing is there twice."""
        seen, without = self.known, self.rewriter.without
        change = Change(added=list(done.parts))
        fresh = {one.digest: one.home for one in changed if one.digest and one.home}
        twice = fresh.keys() & seen.homes.keys()
        seen.homes.update({digest: fresh[digest] for digest in fresh.keys() - twice})
        at = {part.table: part.home for part in done.parts}
        old = {table: _popped(rows, changed) for table, rows in seen.rows.items()}
        before = [seen.note(one, self.sources[one.path], self.reader) for one in changed]
        for one in changed:
            seen.rows["file"][one.path] = at["file"]
            if one.failed:
                seen.rows["error"][one.path] = at["error"]
        gone = seen.unheld(before)
        for homes, digests in (
            ([fresh[one] for one in twice], twice),
            ([seen.homes[one] for one in gone], gone),
        ):
            seen.homes.update(change.take(without(PARTED, "digest", homes, digests)))
        seen.forget(gone)
        for table, homes in old.items():
            paths = [one.path for one in changed]
            seen.rows[table].update(change.take(without((table,), "path", homes, paths)))
        homes = [at["file"]] if lost else []
        paths = [one.path for one in lost]
        seen.rows["file"].update(change.take(without(("file",), "path", homes, paths)))
        self._write(change)

    def merge(self) -> None:
        """Make few parts of many small ones."""
        for tables, key in ((PARTED, "digest"), (("file",), "path"), (("error",), "path")):
            parts = [part for table in tables for part in self.manifest.of(table)]
            for homes in rewriting.small(parts, self.asked.limit):
                change = Change()
                moved = change.take(self.rewriter.merged(tables, key, homes))
                held = self.known.homes if key == "digest" else self.known.rows[tables[0]]
                held.update(moved)
                self._write(change)

    def _write(self, change: Change) -> None:
        """Replace the manifest, and only then remove what it names no more."""
        self.manifest = self.manifest.with_(self.generation, change.added, change.removed)
        manifest.write(self.folder, self.manifest)
        self.folder.remove(change.removed)

    def _count(self, what: str) -> None:
        self.outcome.counts[what] += 1


def _outcome(told: Told) -> str:
    """What became of a file, in a word?"""
    if told.failed:
        return "set aside"
    return "taken" if told.home else "known"


def _popped(rows: dict[str, str], changed: Sequence[Told]) -> list[str]:
    """In which parts are rows of files that have others now?"""
    return [rows.pop(one.path) for one in changed if one.path in rows]


@contextmanager
def _alone(folder: Folder) -> Iterator[None]:
    """Keep other collects out of a folder on this machine. Raises Busy.

    The system lets go of the lock whenever this process ends. No object store has such a lock.
    """
    if not folder.local:
        yield
        return
    import fcntl
    from pathlib import Path

    place = Path(folder.at(LOCK))
    with folder.writing():
        place.parent.mkdir(parents=True, exist_ok=True)
        stream = place.open("ab")
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(
                found="another collect is at work here", hint="Wait for it.", file=folder.name
            ) from None
        yield
