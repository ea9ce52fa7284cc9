"""One of the two runs that are compared: what its file says, kept small."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Protocol, TypeAlias

import msgspec

from converter.facts import Case, Run, Trial
from diffruns.entries import Attempt, Digest, Entry, attempt_of, entry_of, identity
from diffruns.kept import Kept

if TYPE_CHECKING:
    from converter.bundling import Said

Group: TypeAlias = "tuple[Case, Sequence[Said]]"
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
    """What was seen of a file beside its cases: version, digest, and what it says of its run."""

    ref: str
    sha256: str
    run: Run
    nested: bool


def look(
    file: RunSaid,
    sha256: str,
    into: Kept[Entry],
    key: KeyOf = no_key,
    groups: Iterable[Group] | None = None,
) -> Look:
    """What is seen of this file, which has that digest? Its cases are kept; see `gather`."""
    gather(file, into, key, groups)
    return Look(file.ref, sha256, file.run, file.nested)


def seen(look: Look, cases: Kept[Entry], name: str, again: Callable[[], RunSaid]) -> Side:
    """Which side of a comparison is a file of that name? It is opened `again` to read more."""
    format_, _, version = look.ref.partition("@")

    def read(attempt: Attempt) -> Said:
        _, said = again().group(attempt.group)
        return said[attempt.place]

    source = Source(name, format_, version, look.sha256)
    return Side(source, look.run, cases.frozen(), read, rows=not look.nested)


def side(file: RunSaid, name: str, sha256: str, key: KeyOf = no_key) -> Side:
    """Which side of a comparison is this run, from a file of that name and digest?"""
    cases = Kept(Entry)
    return seen(look(file, sha256, cases, key), cases, name, lambda: file)


def entries(file: RunSaid, key: KeyOf = no_key) -> Sequence[Entry]:
    """Which cases does a run have, one entry for each of its targets?"""
    cases = Kept(Entry)
    gather(file, cases, key)
    return cases.frozen()


def gather(
    file: RunSaid, into: Kept[Entry], key: KeyOf = no_key, groups: Iterable[Group] | None = None
) -> None:
    """Keep the cases of a run, one entry for each of its targets.

    `groups` are those of the file, as they are gone through. Groups of a nested format are cases;
    in a flat one, records of one case are its trials.
    """
    names = array("q")
    for number, (case, said) in enumerate(file.groups() if groups is None else groups):
        trials = _trials(file, number, case, said, key)
        if file.nested and len(said) > 1:
            into.extend(_united(trials).values())
            continue
        for name, entry in trials:
            into.append(entry)
            if not file.nested:
                names.append(hash(name))
    if not file.nested:
        _unite_repeated(into, names)


def _trials(
    file: RunSaid, number: int, case: Case, said: Sequence[Said], key: KeyOf
) -> Iterator[tuple[Hashable, Entry]]:
    """An entry for each trial of a group, or for its case without any, each with its name."""
    for place, (_, trial) in enumerate(said):
        attempts = (attempt_of(trial, number, place),)
        entry = entry_of(case, trial, file.run, key(case, trial), attempts)
        told = number if file.nested else identity(entry)
        yield (told, trial.provider, entry.target), entry
    if not said:
        yield (number, None, None), entry_of(case, None, file.run, key(case, None))


def _united(trials: Iterable[tuple[Hashable, Entry]]) -> dict[Hashable, Entry]:
    """One entry for all trials of one name, in the order of the names' first trials."""
    gathered: dict[Hashable, _Gathered] = {}
    for name, entry in trials:
        if name in gathered:
            gathered[name].meet(entry)
        else:
            gathered[name] = _Gathered(entry)
    return {name: one.entry() for name, one in gathered.items()}


def _name(entry: Entry) -> Hashable:
    return identity(entry), entry.target


def _unite_repeated(cases: Kept[Entry], names: array[int]) -> None:
    """Make one entry of those whose names are the same; `names` has the hash of each one's.

    Hashes take little room, and are equal by chance once in a blue moon: so entries are asked, too.
    """
    repeated = {one for one, other in pairwise(sorted(names)) if one == other}
    if not repeated:
        return
    order = array("q", range(len(cases)))
    open_ = (number for number, name in enumerate(names) if name in repeated)
    for _, numbers in groupby(sorted(open_, key=names.__getitem__), key=names.__getitem__):
        alike = [(number, cases[number]) for number in numbers]
        told = [(_name(entry), number, entry) for number, entry in alike]
        firsts: dict[Hashable, int] = {}
        for name, number, _ in told:
            order[number] = -1
            firsts.setdefault(name, number)
        for name, entry in _united((name, entry) for name, _, entry in told).items():
            order[firsts[name]] = len(cases)
            cases.append(entry)
    cases.pick(number for number in order if number >= 0)


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
