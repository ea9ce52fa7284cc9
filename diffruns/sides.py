"""One of the two runs that are compared: what its file says, kept small."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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


class Look(msgspec.Struct, frozen=True):
    """What was seen of a file: its version, its digest, what it says of its run and its cases."""

    ref: str
    sha256: str
    run: Run
    nested: bool
    entries: list[Entry]


def look(
    file: RunSaid,
    sha256: str,
    key: KeyOf = no_key,
    groups: Iterable[tuple[Case, Sequence[Said]]] | None = None,
) -> Look:
    """What is seen of this file, which has that digest? See `entries` for the rest."""
    return Look(file.ref, sha256, file.run, file.nested, list(entries(file, key, groups)))


def seen(look: Look, name: str, again: Callable[[], RunSaid]) -> Side:
    """Which side of a comparison is a file of that name? It is opened `again` to read more."""
    format_, _, version = look.ref.partition("@")

    def read(attempt: Attempt) -> Said:
        _, said = again().group(attempt.group)
        return said[attempt.place]

    source = Source(name, format_, version, look.sha256)
    return Side(source, look.run, look.entries, read, rows=not look.nested)


def side(file: RunSaid, name: str, sha256: str, key: KeyOf = no_key) -> Side:
    """Which side of a comparison is this run, from a file of that name and digest?"""
    return seen(look(file, sha256, key), name, lambda: file)


def entries(
    file: RunSaid, key: KeyOf = no_key, groups: Iterable[tuple[Case, Sequence[Said]]] | None = None
) -> Iterator[Entry]:
    """Which cases does a run have, one entry for each of its targets?

    `groups` are those of the file, as they are gone through.

    Groups of a nested format are cases; in a flat one, records of one case are its trials.
    """
    gathered: dict[Hashable, Entry | _Gathered] = {}
    for number, (case, said) in enumerate(file.groups() if groups is None else groups):
        for place, (_, trial) in enumerate(said):
            attempts = (attempt_of(trial, number, place),)
            entry = entry_of(case, trial, file.run, key(case, trial), attempts)
            told = number if file.nested else identity(entry)
            name = told, trial.provider, entry.target
            held = gathered.setdefault(name, entry)
            if type(held) is _Gathered:
                held.meet(entry)
            elif held is not entry:
                gathered[name] = _Gathered(held).meet(entry)  # type: ignore[arg-type]
        if not said:
            gathered[number, None, None] = entry_of(case, None, file.run, key(case, None))
    return (one.entry() if isinstance(one, _Gathered) else one for one in gathered.values())


def _telling(entry: Entry) -> dict[str, Digest | None]:
    """By what may a case be told, if all of its trials say the same of it?"""
    return {"title": entry.title, "asked": entry.asked, "prompt": entry.prompt}


class _Gathered:
    """A case of several trials while they are gathered."""

    __slots__ = ("_attempts", "_known")

    def __init__(self, first: Entry) -> None:
        self._known, self._attempts = first, [*first.attempts]

    def meet(self, other: Entry) -> _Gathered:
        """Take in another trial, and what it says of the case."""
        known = self._known
        self._attempts += other.attempts
        metrics = tuple(dict.fromkeys((*known.metrics, *other.metrics)))
        theirs, ours = _telling(other), _telling(known)
        if theirs != ours or metrics != known.metrics:
            same = {name: value if theirs[name] == value else None for name, value in ours.items()}
            self._known = msgspec.structs.replace(known, metrics=metrics, **same)
        return self

    def entry(self) -> Entry:
        """The case with all of its trials."""
        return msgspec.structs.replace(self._known, attempts=tuple(self._attempts))
