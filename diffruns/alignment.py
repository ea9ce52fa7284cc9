"""Which case of one run is which case of the other, and by what were they told to be?

The ladder is climbed rung by rung, surest first. A rung pairs what it names once on either side;
what it names several times is left to the rungs below, which may tell it apart. What is then still
named several times is ambiguous, and said to be; nothing is guessed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import NamedTuple, TypeAlias, overload

import msgspec

from diffruns import naming
from diffruns.entries import Entry

NOBODY = -1
"""stands for the number of a case that one side does not have"""

REPEATED = "repeated"
"""the rung of cases that are named several times, and say the same on both sides"""

Name: TypeAlias = Hashable
Content: TypeAlias = Callable[[Entry], Hashable]
Named: TypeAlias = Iterator[tuple[int, list[int]]]
"""entries of one side that have one name, by its hash: 64 bits, by which a million cases are taken
for one another once in ten million comparisons"""


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


@dataclass(frozen=True, slots=True)
class Pairs(Sequence[Pair]):
    """All pairs: by which number is the case of each known on either side, or NOBODY?"""

    a: Sequence[Entry]
    b: Sequence[Entry]
    lefts: Sequence[int]
    rights: Sequence[int]
    rungs: Sequence[str]
    unclear: Sequence[int]

    def __len__(self) -> int:
        return len(self.lefts)

    @overload
    def __getitem__(self, number: int) -> Pair: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Pair]: ...
    def __getitem__(self, number: int | slice) -> Pair | Sequence[Pair]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        left, right = self.lefts[number], self.rights[number]
        return Pair(
            None if left == NOBODY else self.a[left],
            None if right == NOBODY else self.b[right],
            self.rungs[number],
            bool(self.unclear[number]),
        )


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
) -> Pairs:
    """Which cases are one? Pairs in A's order, then what only B has, in B's.

    `content` reads all that a case's trials say, on either side: repeated cases that say the same
    are paired. `targets` renames targets of A; targets tell cases apart only where a run has
    several, or where some are renamed. `renames` says which name a case of A has in B: what it
    names is paired before any rung is climbed.
    """
    renamed = targets or {}
    looks = _Look(a), _Look(b)
    several = bool(renamed) or any(look.targets > 1 for look in looks)
    climb = _Climb(a, b)
    for left, right in _mapped(renames or {}):
        climb.step(left, renamed, several=several, right=right)
    for rung in RUNGS[:1] if explicit else RUNGS[1:]:
        if all(rung in look.rungs for look in looks):
            climb.step(rung, renamed, several=several)
    if not explicit:
        climb.step(NAMELESS, renamed, several=several, surely=False)
    climb.pair_repeats(content)
    return climb.pairs()


class _Look:
    """How many targets has a side, and which rungs have a name for some of its cases?"""

    def __init__(self, entries: Iterable[Entry]) -> None:
        targets: set[str | None] = set()
        nameless = [*RUNGS]
        for entry in entries:
            targets.add(entry.target)
            if any(rung.name(entry) is not None for rung in nameless):
                nameless = [rung for rung in nameless if rung.name(entry) is None]
        self.targets = len(targets)
        self.rungs = frozenset(RUNGS).difference(nameless)


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
        self._sides = _Side(a), _Side(b)
        self._rungs = [""] * len(a)
        self._contested: list[tuple[Sequence[int], Sequence[int]]] = []

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
        if not all(side.left for side in self._sides):
            return
        lefts = self._sides[0].named(rung, several=several, renamed=renamed)
        rights = self._sides[1].named(right or rung, several=several, renamed={})
        contested = []
        for ones, others in _met(lefts, rights):
            if surely and len(ones) == len(others) == 1:
                self._pair(ones[0], others[0], rung.id)
            else:
                contested.append((ones, others))
        self._contested += sorted(contested)

    def _pair(self, one: int, other: int, rung: str) -> None:
        for side, number, partner in zip(self._sides, (one, other), (other, one), strict=True):
            side.partner[number] = partner
            side.left -= 1
        self._rungs[one] = rung

    def pair_repeats(self, content: tuple[Content, Content]) -> None:
        """Pair what is named several times and says the same; the rest stays unclear."""
        for numbers in self._contested:
            ones, others = (
                side.by_content(held, reads)
                for side, held, reads in zip(self._sides, numbers, content, strict=True)
            )
            if not ones or not others:
                continue
            if {said: len(held) for said, held in ones.items()} == {
                said: len(held) for said, held in others.items()
            }:
                for said, held in ones.items():
                    for one, other in zip(held, others[said], strict=True):
                        self._pair(one, other, REPEATED)
            else:
                for side, unclear in zip(self._sides, (ones, others), strict=True):
                    for number in chain.from_iterable(unclear.values()):
                        side.unclear[number] = 1

    def pairs(self) -> Pairs:
        """Which pairs were found, and what is left over?"""
        a, b = self._sides
        alone = array("q", b.open())
        return Pairs(
            a=a.entries,
            b=b.entries,
            lefts=array("q", range(len(a.entries))) + array("q", [NOBODY]) * len(alone),
            rights=a.partner + alone,
            rungs=self._rungs + [""] * len(alone),
            unclear=a.unclear + bytes(b.unclear[number] for number in alone),
        )


class _Side:
    """The entries of one side, and whose partner each of them is."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self.partner = array("q", [NOBODY]) * len(entries)
        self.left = len(entries)
        """how many are not paired"""
        self.unclear = bytearray(len(entries))

    def open(self) -> Iterator[int]:
        """Which entries are not paired?"""
        return (number for number, partner in enumerate(self.partner) if partner == NOBODY)

    def named(self, rung: Rung, *, several: bool, renamed: Mapping[str, str]) -> Named:
        """Which entries that are not paired has this rung a name for? Hash by hash, rising.

        What is hashed is the name and, if several, the target.
        """
        hashes, numbers = array("q"), array("q")
        for number in self.open():
            entry = self.entries[number]
            name = rung.name(entry)
            if name is not None:
                target = renamed.get(entry.target or "", entry.target) if several else None
                hashes.append(hash((target, name)))
                numbers.append(number)
        order = array("q", sorted(range(len(hashes)), key=hashes.__getitem__))
        for same, places in groupby(order, key=hashes.__getitem__):
            yield same, [numbers[place] for place in places]

    def by_content(self, numbers: Sequence[int], content: Content) -> dict[Hashable, list[int]]:
        """Which of these entries, so far as they are not paired, say the same?"""
        held: dict[Hashable, list[int]] = {}
        for number in numbers:
            if self.partner[number] == NOBODY:
                held.setdefault(content(self.entries[number]), []).append(number)
        return held


def _met(lefts: Named, rights: Named) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Which entries of both sides have one name?"""
    one, other = next(lefts, None), next(rights, None)
    while one is not None and other is not None:
        if one[0] == other[0]:
            yield one[1], other[1]
            one, other = next(lefts, None), next(rights, None)
        elif one[0] < other[0]:
            one = next(lefts, None)
        else:
            other = next(rights, None)
