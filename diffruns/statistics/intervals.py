"""Between which bounds does a share or a mean lie, given that many cases? Always at 95 %."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan, cos, fsum, hypot, pi, sin, sqrt
from statistics import NormalDist
from typing import TypeAlias

Clusters: TypeAlias = Sequence[Hashable] | None
"""to which cluster does each case belong? None where each is one of its own"""

LEVEL = 0.95
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
_SERIES = 30
"""degrees of freedom from which on the expansion of Student's quantile is exact to six digits"""
_ROUNDING = 1e-12
"""what is this small, beside the values, is what floats make of nothing"""


@dataclass(frozen=True, slots=True)
class Interval:
    """What is the estimate, and between which bounds?"""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """The same, but for the bounds of what is too little to have any."""

    value: float
    low: float | None
    high: float | None
    error: float | None
    """the standard error that the bounds come from"""


def wilson(passed: float, n: float) -> Interval:
    """Which share passed, of n independent trials? Wilson's score interval (1927).

    >>> wilson(8, 10)
    Interval(value=0.8, low=0.49016..., high=0.94331...)
    """
    share = passed / n
    shrunk = 1 + Z * Z / n
    middle = (share + Z * Z / (2 * n)) / shrunk
    half = Z / shrunk * sqrt(share * (1 - share) / n + (Z / (2 * n)) ** 2)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Interval(share, min(low, share), max(high, share))


def share_of_cases(shares: Sequence[float], clusters: Clusters = None) -> Interval:
    """Which share passed, where each case has a share of its own from several trials?

    Wilson's interval at the effective number of trials (Dean and Pagano 2015, "Evaluating
    confidence interval methods for binomial proportions in clustered surveys"): as many independent
    ones as would spread as the shares do, less what estimating that spread from few parts costs
    (Korn and Graubard 1998, "Confidence intervals for proportions with small expected number of
    positive counts estimated from survey data"). Shares that don't spread are worth one trial each.
    """
    value = min(1.0, fsum(shares) / len(shares))
    error, count = standard_error(shares, clusters)
    if not error or not _ROUNDING < value < 1 - _ROUNDING:
        return wilson(value * count, count)
    n = value / error * (1 - value) / error * (Z / student(count - 1)) ** 2
    return wilson(value * n, n)


def mean(values: Sequence[float], clusters: Clusters = None) -> Estimate:
    """What is the mean? Student's interval; no bounds of a single value, or a single cluster."""
    value = fsum(values) / len(values)
    error, count = standard_error(values, clusters)
    if error is None:
        return Estimate(value, None, None, None)
    half = student(count - 1) * error
    return Estimate(value, value - half, value + half, error)


def standard_error(values: Sequence[float], clusters: Clusters = None) -> tuple[float | None, int]:
    """By how much is a mean off by chance, and how many independent parts does that rest on?

    `clusters` names the cluster of each value: those of one may go together, so that it counts as
    one part (Miller 2024, "Adding error bars to evals", section 2.2). None for less than two parts.
    """
    n = len(values)
    middle = fsum(values) / n
    parts = summed([value - middle for value in values], clusters)
    count = len(parts)
    if count < 2:
        return None, count
    error = hypot(*parts) * sqrt(count / (count - 1)) / n
    return error if error > _ROUNDING * max(map(abs, values)) else 0.0, count


def summed(values: Sequence[float], clusters: Clusters) -> Sequence[float]:
    """What do the values of each cluster add up to? What cancels out but for rounding is zero."""
    if clusters is None:
        return values
    held: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        held.setdefault(cluster, []).append(value)
    return [_added(of_cluster) for of_cluster in held.values()]


def _added(values: Sequence[float]) -> float:
    total = fsum(values)
    return total if abs(total) > _ROUNDING * max(map(abs, values)) else 0.0


@lru_cache(maxsize=1024)
def student(df: int) -> float:
    """Which t leaves 2.5 % above it, at that many degrees of freedom?

    Few: the finite series of the distribution (Abramowitz and Stegun 26.7.3, 26.7.4), searched.
    Many: its expansion around the normal quantile (26.7.5).
    """
    if df >= _SERIES:
        return _expanded(df)
    low, high = 0.0, 1000.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, df) < LEVEL else (low, middle)
    return (low + high) / 2


def _within(t: float, df: int) -> float:
    """How likely does Student's t lie between -t and t?"""
    angle = atan(t / sqrt(df))
    odd = df % 2
    term = total = cos(angle) if odd else 1.0
    for step in range(2 + odd, df, 2):
        term *= cos(angle) ** 2 * (step - 1) / step
        total += term
    if not odd:
        return sin(angle) * total
    return 2 / pi * (angle + (sin(angle) * total if df > 1 else 0.0))


def _expanded(df: int) -> float:
    terms = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
        (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160,
    )
    return Z + fsum(term / df**power for power, term in enumerate(terms, 1))
