"""What do many trials come to? Formulas that several formats and reports share."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, comb
from typing import overload

from converter.facts import Trial
from registry.limits import MAX_DIGITS

PASSED = "passed"

LONGEST: int = 10**MAX_DIGITS - 1
"""the largest integer that the gate reads"""


def pass_hat(counts: Mapping[tuple[int, int], int], j: int) -> float | None:
    """How likely do all of j trials of a case pass? pass^j, from 0 to 1.

    `counts` says how many cases had n trials of which c passed, by (n, c). The mean over cases with
    n >= j of C(c, j) / C(n, j), as tau-bench defines it; None without such a case.
    """
    usable = [(n, c, cases) for (n, c), cases in counts.items() if n >= j]
    cases = sum(number for _, _, number in usable)
    if not cases or j < 0:
        return None
    return sum(number * comb(c, j) / comb(n, j) for n, c, number in usable) / cases


def nearest_rank(values: Sequence[float], share: float) -> float | None:
    """Which value has at least this share of all values at or below it? None without values."""
    if not values:
        return None
    return sorted(values)[max(ceil(share * len(values)), 1) - 1]


@overload
def plus(left: int, right: int) -> int: ...
@overload
def plus(left: float, right: float) -> float: ...
def plus(left: float, right: float) -> float:
    """What do two numbers of a file come to? A number that a file can hold, whatever they are.

    A sum beyond the largest double, or beyond the longest integer that the gate takes, is that.
    """
    if isinstance(left, int) and isinstance(right, int):
        return max(min(left + right, LONGEST), -LONGEST)
    try:
        exact = float(left + right)
    except OverflowError:  # an integer that no double holds, and a double
        exact = math.inf if int(left) + int(right) > 0 else -math.inf
    return max(min(exact, sys.float_info.max), -sys.float_info.max)


def total(numbers: Iterable[float]) -> float:
    """What do numbers of a file come to? See `plus`."""
    result: float = 0
    for number in numbers:
        result = plus(result, number)
    return result


class Sum:
    """What do numbers come to that are added one by one, or by several helpers?

    Adding doubles in another order gives another sum, so what was added is kept: going on with a
    helper's numbers is then the same as having heard them oneself.
    """

    __slots__ = ("_doubles", "_first", "_log", "_whole")

    def __init__(self) -> None:
        self._whole: int = 0
        """the sum of all integers that came before the first double"""
        self._first = 0
        """how many those were"""
        self._doubles = False
        self._log: array[float] | list[float] = array("d")

    def add(self, number: float) -> None:
        """Add a number."""
        if not self._doubles and isinstance(number, int):
            self._whole = plus(self._whole, number)
            self._first += 1
        else:
            self._doubles = True
        if isinstance(number, int) and abs(number) >= EXACT and isinstance(self._log, array):
            self._log = list(self._log)
        self._log.append(number)

    def join(self, later: Sum) -> None:
        """Add what somebody else has added since."""
        if later._doubles or self._doubles or isinstance(later._log, list):
            for number in later._numbers():
                self.add(number)
            return
        self._whole = plus(self._whole, later._whole)
        self._first += later._first
        self._log.extend(later._log)

    def _numbers(self) -> Iterator[float]:
        """What was added, integers as integers as long as that makes a difference."""
        for at, number in enumerate(self._log):
            yield int(number) if at < self._first else number

    @property
    def value(self) -> float:
        """What does it all come to?"""
        result: float = self._whole
        for at in range(self._first, len(self._log)):
            result = plus(result, self._log[at])
        return result


EXACT: int = 2**53
"""integers below it are doubles, too"""


def rate(part: int, whole: int) -> float:
    """Which share of the whole is this part? 0.0 of nothing."""
    return part / whole if whole else 0.0


def passes(trials: Iterable[Trial]) -> int:
    """How many of these trials passed?"""
    return sum(trial.verdict == PASSED for trial in trials)
