"""Which rows of a dataset's tables does one result file make?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from converter.facts import Case, Run, Trial, fingerprint, identity
from diffruns.entries import check_name, label_of, provider_of, tokens_of
from evalglot.dataset import cells
from evalglot.dataset.tables import PARTED, facts_of

if TYPE_CHECKING:
    import pyarrow as pa

    from converter.runs import RunFile

Row: TypeAlias = tuple[Any, ...]
MANY = 20_000
"""rows that wait, at the most, before they become a table of Arrow"""

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class When:
    """When was a run, and how is that known?"""

    at: datetime | None
    known_as: str | None

    @property
    def month(self) -> str:
        """Which month is it in? Made of a time, so it is no path of a file's making."""
        return UNKNOWN if self.at is None else f"{self.at.year:04}-{self.at.month:02}"


def when(run: Run, modified: datetime | None) -> When:
    """When was a run? When it started or ended by its own word, else when its file was written."""
    told = (("started", cells.moment(run.started)), ("completed", cells.moment(run.completed)))
    for known_as, at in (*told, ("modified", modified)):
        if at is not None:
            return When(at, known_as)
    return When(None, None)


@dataclass(slots=True)
class _Held:
    """Rows of one table, some of which have become tables of Arrow."""

    name: str
    rows: list[Row] = field(default_factory=list)
    done: list[pa.Table] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """Take in one row."""
        self.rows.append(row)
        if len(self.rows) >= MANY:
            self.turn()

    def turn(self) -> None:
        """Turn the rows that wait into a table."""
        self.done.append(cells.table(self.name, self.rows))
        self.rows = []

    def table(self) -> pa.Table:
        """Which table holds all rows?"""
        import pyarrow as pa

        if self.rows or not self.done:
            self.turn()
        return pa.concat_tables(self.done)


def tables(file: RunFile, digest: str, moment: When) -> dict[str, pa.Table]:
    """Which tables do the facts of a file make? Raises EvalglotError where the file is at fault."""
    held = {name: _Held(name) for name in PARTED}
    version = file.ref.partition("@")[2]
    told = (digest, version, moment.at, moment.known_as, file.nested)
    held["run"].add((*told, *_facts("run", file.run)))
    for name, row in _Rows(file, digest, moment.at).all():
        held[name].add(row)
    return {name: one.table() for name, one in held.items()}


@dataclass(slots=True)
class _Place:
    """A case of a file while its trials are met."""

    number: int
    key: str
    label: str
    trials: int = 0


@dataclass(slots=True)
class _Rows:
    """Rows of cases, trials and checks; records of one case in a flat format are its trials."""

    file: RunFile
    digest: str
    at: datetime | None
    order: int = 0

    def all(self) -> Iterator[tuple[str, Row]]:
        """All rows of the file, with the table that each is of."""
        seen: dict[object, _Place] = {}
        for number, (case, said) in enumerate(self.file.groups()):
            key = self.file.key(number, case)
            place = seen.get(key)
            if place is None:
                place = seen[key] = _Place(len(seen), case_key(case), label_of(case))
                told = (self.digest, place.number, place.key, place.label)
                yield "case", (*told, *_facts("case", case))
            for _, trial in said:
                yield from self._of_trial(trial, place)

    def _of_trial(self, trial: Trial, place: _Place) -> Iterator[tuple[str, Row]]:
        where = (self.digest, place.number, place.trials)
        target = provider_of(trial) or self.file.run.target
        what = (place.key, place.label, self.at, target)
        yield "trial", (*where, *what, tokens_of(trial), self.order, *_facts("trial", trial))
        for number, check in enumerate(trial.checks or ()):
            yield "check", (*where, number, *what, check_name(check), *_facts("check", check))
        place.trials += 1
        self.order += 1


def case_key(case: Case) -> str:
    """By which 16 hexadecimal digits is a case known in every run?"""
    return fingerprint(repr(identity(case)))


_WHOLE = {scope: len(facts_of(scope)) for scope in PARTED}
"""how many facts have columns"""


def _facts(scope: str, said: msgspec.Struct) -> Row:
    """What do the facts say, in the order of their columns? What has rows of its own comes last."""
    return msgspec.structs.astuple(said)[: _WHOLE[scope]]
