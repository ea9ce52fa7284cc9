"""Did the pass rate move, where the same cases were tried once on each side?

Only the cases whose verdict changed say anything: `broke` passed before and fail now, `fixed` the
other way round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

from diffruns.statistics.intervals import Interval, Z

POWER = 0.8
MANY = 10_000
"""changed cases from which on the normal limit stands for the binomial sum"""


@dataclass(frozen=True, slots=True)
class McNemar:
    """How likely is a change this lopsided, or more, if breaking were as likely as being fixed?"""

    p: float
    """mid-p: half of the probability of what was seen counts; Fagerland, Lydersen, Laake 2013"""
    exact: float


@lru_cache(maxsize=4096)
def mcnemar(broke: int, fixed: int) -> McNemar:
    """Is breaking as likely as being fixed? Two-sided, by the binomial distribution.

    >>> mcnemar(1, 9)
    McNemar(p=0.01171875, exact=0.021484375)
    """
    n, fewer = broke + fixed, min(broke, fixed)
    if n > MANY:
        return _limit(n, fewer)
    term, below = 1, 0
    for k in range(fewer):
        below += term
        term = term * (n - k) // (k + 1)
    exact = min(1.0, 2 * (below + term) / 2**n)
    return McNemar(1.0 if broke == fixed else (2 * below + term) / 2**n, exact)


def _limit(n: int, fewer: int) -> McNemar:
    normal, spread = NormalDist(), sqrt(n) / 2
    z, corrected = (fewer - n / 2) / spread, (fewer + 0.5 - n / 2) / spread
    return McNemar(min(1.0, 2 * normal.cdf(z)), min(1.0, 2 * normal.cdf(corrected)))


def smallest_discordant(alpha: float) -> int:
    """How many changed cases, all one way, does it take to reject at alpha?

    >>> smallest_discordant(0.05)
    5
    """
    n = 1
    while mcnemar(0, n).p > alpha:
        n += 1
    return n


def paired_rate_interval(broke: int, fixed: int, n: int) -> Interval:
    """By how much did the share of passed cases rise? Tango's score interval (1998).

    The bounds are the differences that a score test at 5 % would just not refuse.
    """

    def score(difference: float) -> float:
        """How many standard errors is what was seen above this difference?"""
        linear = -broke - fixed + (2 * n - fixed + broke) * difference
        constant = -broke * difference * (1 - difference)
        root = sqrt(max(0.0, linear * linear - 8 * n * constant))
        share = max(0.0, (root - linear) / (4 * n))
        spread = sqrt(max(0.0, n * (2 * share + difference * (1 - difference))))
        gap = fixed - broke - n * difference
        return gap / spread if spread else (Z + 1) * ((gap > 0) - (gap < 0))

    value = (fixed - broke) / n
    return Interval(
        value,
        _root(lambda at: Z - score(at), -1.0, value),
        _root(lambda at: -Z - score(at), value, 1.0),
    )


@lru_cache(maxsize=4096)
def detectable_rate(n: int, changed: float, alpha: float) -> float | None:
    """Which rise or fall of the pass rate would n cases have shown, four times out of five?

    `changed` is the share of cases whose verdict changes; it is at least the difference itself.
    None where even a change of all cases would not do. Connor 1987, "Sample size for testing
    differences in proportions for the paired-sample design".
    """
    reject, show = NormalDist().inv_cdf(1 - alpha / 2), NormalDist().inv_cdf(POWER)

    def spare(difference: float) -> float:
        share = max(changed, difference)
        needed = reject * sqrt(share) + show * sqrt(share - difference * difference)
        return difference * sqrt(n) - needed

    return None if spare(1.0) < 0 else _root(spare, 0.0, 1.0)


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Where does a rising function pass zero? The nearer end where it doesn't."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2
