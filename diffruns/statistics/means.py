"""Did a mean move, where the same cases have a value on both sides?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, erfc, fsum, hypot, log2, sqrt
from statistics import NormalDist

from diffruns.statistics.intervals import Clusters, mean, summed
from diffruns.statistics.rates import POWER, detectable_rate, paired_rate_interval

EXACT = 24
"""differences beside zero up to which every assignment of signs is counted"""
_LARGEST = 10
"""of more differences: how many of them, the largest, are still flipped one by one"""
_CLOSE = 1e-9
"""sums that are this near, of all that was added, are told equal: floats round"""


@dataclass(frozen=True, slots=True)
class Paired:
    """By how much do the cases differ in the mean, within which bounds, and is it noise?"""

    value: float
    low: float | None
    high: float | None
    p: float
    test: str
    detectable: float | None
    changed: int
    """how many cases, or clusters of them, differ at all: what the test has to go by"""
    parts: int
    """how many there are"""


def paired_mean(differences: Sequence[float], alpha: float, clusters: Clusters = None) -> Paired:
    """By how much did the mean over cases move? Student's interval, and a sign-flip test.

    With `clusters` the standard error is the clustered one, and signs are flipped by cluster.
    """
    found = mean(differences, clusters)
    sums = summed(differences, clusters)
    normal = NormalDist()
    reach = normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(POWER)
    return Paired(
        value=found.value,
        low=found.low,
        high=found.high,
        p=sign_flip(sums),
        test="sign flip" if clusters is None else "sign flip by cluster",
        detectable=reach * found.error if found.error else None,
        changed=sum(map(bool, sums)),
        parts=len(sums),
    )


def smallest_changed(alpha: float) -> int:
    """How many changed cases, all one way, does it take a sign-flip test to reject at alpha?

    >>> smallest_changed(0.05)
    6
    """
    return ceil(1 - log2(alpha))


def paired_share(differences: Sequence[float], alpha: float, clusters: Clusters = None) -> Paired:
    """The same of shares, whose differences lie between -1 and 1.

    Where all cases differ alike there is no spread to go by: each is then worth one trial.
    """
    found = paired_mean(differences, alpha, clusters)
    count = found.parts
    if found.low is None or found.high is None or found.low < found.high:
        low, high = found.low, found.high
        return replace(found, low=low and max(low, -1.0), high=high and min(high, 1.0))
    fixed = round(max(found.value, 0.0) * count)
    broke = round(max(-found.value, 0.0) * count)
    bounds = paired_rate_interval(broke, fixed, count)
    low, high = min(bounds.low, found.value), max(bounds.high, found.value)
    return replace(found, low=low, high=high, detectable=detectable_rate(count, 0.0, alpha))


def sign_flip(differences: Sequence[float]) -> float:
    """How likely is a sum this far from zero if every difference could as well have the other sign?

    Exact for up to EXACT differences beside zero. Fisher 1935, "The design of experiments",
    section 21.

    >>> sign_flip([1.0, 1.0, 1.0])
    0.25
    """
    flipped = [abs(one) for one in differences if one]
    seen = abs(fsum(differences))
    if len(flipped) > EXACT:
        return _limit(sorted(flipped, reverse=True), seen)
    seen -= _CLOSE * fsum(flipped)
    half = len(flipped) // 2
    left, right = _all_sums(flipped[:half]), sorted(_all_sums(flipped[half:]))
    beyond = sum(
        bisect_right(right, -seen - one) + len(right) - bisect_left(right, seen - one)
        for one in left
    )
    return min(1.0, beyond / (len(left) * len(right)))


def _limit(falling: Sequence[float], seen: float) -> float:
    """The same of many: the largest are flipped exactly, what the rest adds is taken as normal.

    The normal limit alone takes a few outliers for many differences, and rejects too often.
    """
    sums, spread = _all_sums(falling[:_LARGEST]), sqrt(2) * hypot(*falling[_LARGEST:])
    return min(1.0, fsum(erfc((seen - one) / spread) for one in sums) / len(sums))


def _all_sums(values: Sequence[float]) -> list[float]:
    """Which sums come of all assignments of signs?"""
    sums = [0.0]
    for value in values:
        sums = [total + signed for total in sums for signed in (value, -value)]
    return sums
