"""One of the two runs that are compared: what its file says, kept small."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

import msgspec

from converter.facts import Case, Run, Trial
from diffruns.entries import Attempt, Digest, Entry, attempt_of, entry_of, identity

if TYPE_CHECKING:
    from converter.bundling import Said

KeyOf: TypeAlias = Callable[[Case, Trial | None], tuple[str, ...] | None]


class RunSaid(Protocol):
    """What a run says, group by group, wherever it was read. See `converter.runs.RunFile`."""

    @property
    def ref(self) -> str:
        """Which version has its file, such as cbl@4?"""

    @property
    def run(self) -> Run:
        """What is said of the run?"""

    @property
    def nested(self) -> bool:
        """Is a group a case, and not a trial?"""

    def group(self, number: int, /) -> tuple[Case, Sequence[Said]]:
        """What does group `number` say?"""

    def groups(self) -> Iterator[tuple[Case, Sequence[Said]]]:
        """What do all groups say, in order?"""


class Source(msgspec.Struct, frozen=True):
    """Which file is it?"""

    file: str
    format: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Side:
    """A run as it is compared: its facts, and an entry for each of its cases and targets."""

    source: Source
    run: Run
    entries: Sequence[Entry]
    read: Callable[[Attempt], Said]
    """reads one trial again, with all that it says"""
    rows: bool = False
    """is a trial a record, so that a case without trials can't be said?"""


def no_key(case: Case, trial: Trial | None) -> None:
    """No explicit key."""
    del case, trial


def side(
    file: RunSaid,
    name: str,
    sha256: str,
    key: KeyOf = no_key,
    known: Sequence[Entry] | None = None,
) -> Side:
    """Which side of a comparison is this run, from a file of that name and digest?

    `known` are its entries, where they have been gathered already.
    """
    format_, _, version = file.ref.partition("@")

    def read(attempt: Attempt) -> Said:
        _, said = file.group(attempt.group)
        return said[attempt.place]

    seen = list(entries(file, key)) if known is None else known
    source = Source(name, format_, version, sha256)
    return Side(source, file.run, seen, read, rows=not file.nested)


def entries(file: RunSaid, key: KeyOf = no_key) -> Iterator[Entry]:
    """Which cases does a run have, one entry for each of its targets?

    Groups of a nested format are cases; in a flat one, records of one case are its trials.
    """
    gathered: dict[Hashable, _Gathered] = {}
    for number, (case, said) in enumerate(file.groups()):
        for place, (_, trial) in enumerate(said):
            entry = entry_of(case, trial, file.run, key(case, trial))
            told = number if file.nested else identity(entry)
            name = told, trial.provider, entry.target
            held = gathered.get(name)
            if held is None:
                held = gathered[name] = _Gathered(entry)
            else:
                held.meet(entry)
            held.attempts.append(attempt_of(trial, number, place))
        if not said:
            gathered[number, None, None] = _Gathered(
                entry_of(case, None, file.run, key(case, None))
            )
    return (held.entry() for held in gathered.values())


def _telling(entry: Entry) -> dict[str, Digest | None]:
    """By what may a case be told, if all of its trials say the same of it?"""
    return {"title": entry.title, "asked": entry.asked, "prompt": entry.prompt}


@dataclass(slots=True)
class _Gathered:
    """A case while its trials are gathered."""

    known: Entry
    attempts: list[Attempt] = field(default_factory=list)

    def meet(self, other: Entry) -> None:
        """Take in what another trial says of the case."""
        known = self.known
        metrics = tuple(dict.fromkeys((*known.metrics, *other.metrics)))
        theirs, ours = _telling(other), _telling(known)
        if theirs != ours or metrics != known.metrics:
            same = {name: value if theirs[name] == value else None for name, value in ours.items()}
            self.known = msgspec.structs.replace(known, metrics=metrics, **same)

    def entry(self) -> Entry:
        """The case with all of its trials."""
        return msgspec.structs.replace(self.known, attempts=tuple(self.attempts))
