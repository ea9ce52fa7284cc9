"""Which records have the same key, found with a few bytes of memory for each?

The keys of a million records would take more memory than anything else. So only a hash of each is
kept, and where two have the same hash their keys are read once more.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from converter.glimpse import Key


@dataclass(frozen=True, slots=True)
class Bundles(Sequence[Sequence[int]]):
    """Numbers from 0 in bundles: `members` in the bundles' order, and where each bundle starts."""

    members: Sequence[int]
    starts: Sequence[int]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, number: Any) -> Any:
        return self.members[self.starts[number] : self.starts[number + 1]]

    @property
    def moved(self) -> bool:
        """Do the bundles, from first to last, give the numbers in another order?"""
        return any(number != at for at, number in enumerate(self.members))

    @property
    def longest(self) -> int:
        """How many members has the largest bundle? 1 without any."""
        return max((len(bundle) for bundle in self), default=1)


def gather(count: int, key_of: Callable[[int], Key]) -> tuple[Bundles, tuple[str, ...]]:
    """Which of so many records belong together, and which targets do they name?

    Those of one case, and of one target where there are several.
    """
    hashes, marks = array("q"), array("I")
    targets: dict[str | None, int] = {None: 0}
    for number in range(count):
        case, target = key_of(number)
        hashes.append(hash(case))
        marks.append(targets.setdefault(target, len(targets)))
    names = tuple(target for target in targets if target is not None)
    several = len(names) > 1

    def exact(number: int) -> Any:
        case, target = key_of(number)
        return (case, target) if several else case

    if several:
        hashes = array("q", map(hash, zip(hashes, marks, strict=True)))
    return _bundles(_grouped(hashes, exact), count), names


def _grouped(hashes: Sequence[int], exact: Callable[[int], Any]) -> Sequence[int]:
    """In which bundle, counted by first members, is each number? Hashes alone decide nothing."""
    bundles, firsts = array("I"), array("I")
    known: dict[int, int] = {}
    others: dict[Any, int] = {}
    for number, hashed in enumerate(hashes):
        bundle = known.setdefault(hashed, len(firsts))
        if bundle < len(firsts):
            key = exact(number)
            if key != exact(firsts[bundle]):
                bundle = others.setdefault(key, len(firsts))
        if bundle == len(firsts):
            firsts.append(number)
        bundles.append(bundle)
    return bundles


def _bundles(bundle_of: Sequence[int], count: int) -> Bundles:
    size = max(bundle_of, default=-1) + 1
    if size == count:
        return Bundles(range(count), range(count + 1))
    sizes = array("I", bytes(array("I").itemsize * size))
    for bundle in bundle_of:
        sizes[bundle] += 1
    starts = array("I", accumulate(sizes, initial=0))
    members, free = array("I", bytes(array("I").itemsize * count)), array("I", starts)
    for number, bundle in enumerate(bundle_of):
        members[free[bundle]] = number
        free[bundle] += 1
    return Bundles(members, starts)
