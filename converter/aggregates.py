"""What do many trials come to? Formulas that several formats and reports share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, comb

from converter.facts import Trial

PASSED = "passed"


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


def rate(part: int, whole: int) -> float:
    """Which share of the whole is this part? 0.0 of nothing."""
    return part / whole if whole else 0.0


def passes(trials: Iterable[Trial]) -> int:
    """How many of these trials passed?"""
    return sum(trial.verdict == PASSED for trial in trials)
