"""Which number does a record get among those that are alike, where a format keeps none together?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, TypeAlias

from converter.facts import Case, Trial, identity
from converter.form import Format, Seat

Said: TypeAlias = tuple[Case, Trial]


class Numbers:
    """Counts values as they come, by a digest of each.

    The digests of a million cases take a fifth of the memory of what they stand for.
    """

    __slots__ = ("_firsts", "_seen")

    def __init__(self) -> None:
        self._seen: Counter[bytes] = Counter()
        self._firsts: dict[bytes, int] = {}

    def next(self, value: Any) -> int:
        """How many times has this value come before?"""
        digest = _digest(value)
        self._seen[digest] += 1
        return self._seen[digest] - 1

    def of(self, value: Any) -> int:
        """How many others had come before this value first came?"""
        return self._firsts.setdefault(_digest(value), len(self._firsts))


def _digest(value: Any) -> bytes:
    return blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def attempt(said: Said) -> Any:
    """By what are attempts counted? By case and target."""
    case, trial = said
    return identity(case), trial.provider


class Seating:
    """Which seats do the records of a file of format `b` get, one after the other?"""

    def __init__(self, b: Format, targets: Sequence[str]) -> None:
        self._nested = b.write_case is not None
        self._by: Callable[[Said], Any] | None = b.numbered_by
        self._numbers, self._tests = Numbers(), Numbers()
        self._shared = b.shares_tests and len(targets) > 1
        """may records of several targets be of one test?"""
        self._cases = b.numbers_cases

    @property
    def counts(self) -> bool:
        """Does a seat depend on the records before it?"""
        return self._by is not None or self._shared or self._cases

    def seat(self, row: int, case: int, said: Sequence[Said], at: int) -> Seat:
        """Which seat gets the trial at `at` of a case with these trials?"""
        one, first = said[at], said[0][1].id
        trial = at if self._nested else 0
        test = row
        if self._by is not None:
            trial = self._numbers.next(self._by(one))
        if self._shared:
            test = self._tests.of((identity(one[0]), self._numbers.next(attempt(one))))
        if self._cases:
            test = self._tests.of(identity(one[0]))
        return Seat(row, case, trial, first, at == len(said) - 1, test)
