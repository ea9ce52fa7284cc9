"""Which case of one run is which case of the other, and by what were they told to be?

The ladder is climbed rung by rung, surest first. A rung pairs what it names once on either side;
what it names several times is left to the rungs below, which may tell it apart. What is then still
named several times is ambiguous, and said to be; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from diffruns import naming
from diffruns.entries import Entry

REPEATED = "repeated"
"""the rung of cases that are named several times, and say the same on both sides"""

Name: TypeAlias = Hashable
Content: TypeAlias = Callable[[Entry], Hashable]


class Rung(NamedTuple):
    """By what may a case be told? `name` gives None where a case has no such thing."""

    id: str
    name: Callable[[Entry], Name | None]


class Pair(msgspec.Struct, frozen=True, gc=False):
    """One case on both sides, or on the only one that has it.

    `rung` says by what the sides were told to be one case; "" where there is one side only.
    `ambiguous` cases are named several times, and can't be told apart.
    """

    a: Entry | None
    b: Entry | None
    rung: str = ""
    ambiguous: bool = False

    @property
    def both(self) -> tuple[Entry, Entry] | None:
        """The two sides, where there are two."""
        return None if self.a is None or self.b is None else (self.a, self.b)

    @property
    def entry(self) -> Entry:
        """The case on the side that has it; on A where both have."""
        return self.a or self.b  # type: ignore[return-value]


def _unless_none(*values: Name) -> Name | None:
    return None if values[-1] is None else values


RUNGS = (
    Rung("key", lambda one: one.keys),
    Rung("id", lambda one: _unless_none(one.dataset, one.case)),
    Rung("id in group", lambda one: _unless_none(one.dataset, one.group, one.case)),
    Rung("input in group", lambda one: _unless_none(one.dataset, one.group, one.prompt, one.asked)),
    Rung("input", lambda one: _unless_none(one.prompt, one.asked)),
    Rung("variables", lambda one: _unless_none(one.prompt is not None or None, one.asked)),
    Rung("description in group", lambda one: _unless_none(one.dataset, one.group, one.title)),
    Rung("description", lambda one: _unless_none(one.title)),
    Rung("group", lambda one: _unless_none(one.dataset, one.group if one.case is None else None)),
)
"""The identity ladder, surest first. With an explicit key its first rung is the only one."""


def align(
    a: Sequence[Entry],
    b: Sequence[Entry],
    content: tuple[Content, Content],
    *,
    explicit: bool = False,
    targets: Mapping[str, str] | None = None,
    renames: Mapping[str, str] | None = None,
) -> list[Pair]:
    """Which cases are one? Pairs in A's order, then what only B has, in B's.

    `content` reads all that a case's trials say, on either side: repeated cases that say the same
    are paired. `targets` renames targets of A; targets tell cases apart only where a run has
    several, or where some are renamed. `renames` says which name a case of A has in B: what it
    names is paired before any rung is climbed.
    """
    renamed = targets or {}
    several = bool(renamed) or any(len({one.target for one in side}) > 1 for side in (a, b))
    climb = _Climb(a, b)
    for left, right in _mapped(renames or {}):
        climb.step(left, renamed, several=several, right=right)
    for rung in RUNGS[:1] if explicit else RUNGS[1:]:
        climb.step(rung, renamed, several=several)
    if not explicit:
        climb.step(NAMELESS, renamed, several=several, surely=False)
    climb.pair_repeats(content)
    return climb.pairs()


def _mapped(renames: Mapping[str, str]) -> Iterator[tuple[Rung, Rung]]:
    """The rungs of cases that have another name in B, on A's side and on B's."""
    here, there = naming.renamed(renames), naming.renamed({to: to for to in renames.values()})
    if renames:
        yield Rung("map", here), Rung("map", there)
        yield _in_group(here), _in_group(there)


def _in_group(name: naming.Renamed) -> Rung:
    return Rung("map in group", lambda one: _unless_none(one.dataset, one.group, name(one)))


def _says_nothing(entry: Entry) -> bool | None:
    return True if all(rung.name(entry) is None for rung in RUNGS) else None


NAMELESS = Rung("nothing", _says_nothing)
"""What has no name at all may still be paired with what says the same."""


class _Climb:
    """How far has the ladder been climbed?"""

    def __init__(self, a: Sequence[Entry], b: Sequence[Entry]) -> None:
        self._a, self._b = a, b
        self._left, self._right = dict(enumerate(a)), dict(enumerate(b))
        self._found: dict[int, tuple[int, str]] = {}
        self._contested: list[tuple[list[int], list[int]]] = []
        self._unclear: tuple[set[int], set[int]] = (set(), set())

    def step(
        self,
        rung: Rung,
        renamed: Mapping[str, str],
        *,
        several: bool,
        surely: bool = True,
        right: Rung | None = None,
    ) -> None:
        """Pair what this rung names once on either side, if it names surely.

        `right` is the rung of B's side, where it is another one.
        """
        lefts = _named(self._left, rung, several=several, renamed=renamed)
        rights = _named(self._right, right or rung, several=several, renamed={})
        for name, ones in lefts.items():
            others = rights.get(name, [])
            if surely and len(ones) == len(others) == 1:
                self._pair(ones[0], others[0], rung.id)
            elif others:
                self._contested.append((ones, others))

    def _pair(self, one: int, other: int, rung: str) -> None:
        self._found[one] = (other, rung)
        del self._left[one], self._right[other]

    def pair_repeats(self, content: tuple[Content, Content]) -> None:
        """Pair what is named several times and says the same; the rest stays unclear."""
        for all_ones, all_others in self._contested:
            ones = _by_content(self._a, all_ones, self._left, content[0])
            others = _by_content(self._b, all_others, self._right, content[1])
            if not ones or not others:
                continue
            if {said: len(held) for said, held in ones.items()} == {
                said: len(held) for said, held in others.items()
            }:
                for said, held in ones.items():
                    for one, other in zip(held, others[said], strict=True):
                        self._pair(one, other, REPEATED)
            else:
                self._unclear[0].update(*ones.values())
                self._unclear[1].update(*others.values())

    def pairs(self) -> list[Pair]:
        """Which pairs were found, and what is left over?"""
        pairs = []
        for number, entry in enumerate(self._a):
            if number in self._found:
                other, rung = self._found[number]
                pairs.append(Pair(entry, self._b[other], rung))
            else:
                unclear = number in self._unclear[0]
                pairs.append(Pair(entry, None, ambiguous=unclear))
        pairs += [
            Pair(None, entry, ambiguous=number in self._unclear[1])
            for number, entry in self._right.items()
        ]
        return pairs


def _by_content(
    entries: Sequence[Entry], numbers: Sequence[int], open_: Mapping[int, Entry], content: Content
) -> dict[Hashable, list[int]]:
    """Which of these entries, so far as they are not paired, say the same?"""
    held: dict[Hashable, list[int]] = {}
    for number in numbers:
        if number in open_:
            held.setdefault(content(entries[number]), []).append(number)
    return held


def _named(
    entries: Mapping[int, Entry], rung: Rung, *, several: bool, renamed: Mapping[str, str]
) -> dict[Name, list[int]]:
    """Which entries has this rung a name for, by that name and, if several, by target?"""
    named: dict[Name, list[int]] = {}
    for number, entry in entries.items():
        name = rung.name(entry)
        if name is not None:
            target = renamed.get(entry.target or "", entry.target) if several else None
            named.setdefault((target, name), []).append(number)
    return named
