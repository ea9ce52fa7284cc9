"""Where in a sequence did its level change, by more than noise?

The sequence is cut in two where the means on both sides differ most for their lengths; whether that
is more than chance is told by shuffling it, since without a change every order is as likely. Both
parts are then looked at in the same way: binary segmentation (Scott and Knott 1974, "A cluster
analysis method for grouping means in the analysis of variance") with a permutation test at each cut
(James and Matteson 2014, "ecp: an R package for nonparametric multiple change point analysis",
section 2). The statistic is the likelihood ratio's for a shift of a mean (Hawkins 1977, "Testing a
sequence of observations for a shift in location"), and, for shares, Worsley's (1983, "The power of
likelihood ratio and cumulative sum tests for a change in a binomial probability").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import fsum, sqrt
from operator import mul
from random import Random

LEAST_SIDE = 2
"""values on either side of a change: one that differs is no new level yet"""
DRAWS = 999
ENOUGH = 20
"""shuffled sequences as extreme that say enough: chance explains it (Besag and Clifford 1991)"""
LEAST_RUNS = 8
"""values that it takes to reject at 0.05 where they are only 0 and 1: 2 of the 70 orders of four
each are as clear as can be"""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Shift:
    """The level changed before the value at `place`: from the mean before to the mean after.

    The means are of the values up to the shifts beside it, `p` that of its permutation test.
    """

    place: int
    before: float
    after: float
    p: float
    n_before: int
    n_after: int


def shifts(values: Sequence[float], alpha: float) -> list[Shift]:
    """Where did the level change, in order? The same values give the same answer, every time.

    >>> [(one.place, one.before, one.after) for one in shifts([1, 1, 1, 1, 1, 0, 0, 0, 0, 0], 0.05)]
    [(5, 1.0, 0.0)]
    """
    found = dict(_cuts(values, 0, len(values), alpha))
    edges = [0, *sorted(found), len(values)]
    means = [fsum(values[low:high]) / (high - low) for low, high in pairwise(edges) if high > low]
    return [
        Shift(
            place,
            means[number],
            means[number + 1],
            found[place],
            place - edges[number],
            edges[number + 2] - place,
        )
        for number, place in enumerate(edges[1:-1])
    ]


def _cuts(
    values: Sequence[float], low: int, high: int, alpha: float
) -> Iterator[tuple[int, float]]:
    """Where is this part cut, and with which p?"""
    waiting = [(low, high)]
    while waiting:
        low, high = waiting.pop()
        cut = _cut(values[low:high], alpha)
        if cut is not None:
            place, p = low + cut[0], cut[1]
            yield place, p
            waiting += [(low, place), (place, high)]


def _cut(values: Sequence[float], alpha: float) -> tuple[int, float] | None:
    n = len(values)
    if n < 2 * LEAST_SIDE:
        return None
    mean = fsum(values) / n
    centred = [value - mean for value in values]
    weights = _weights(n)
    seen = [abs(one) for one in map(mul, accumulate(centred), weights)]
    most = max(seen)
    if most <= _ROUNDING:
        return None
    p = _chance(centred, weights, most * (1 - _ROUNDING))
    return (seen.index(most) + 1, p) if p <= alpha else None


def _weights(n: int) -> list[float]:
    """By what is the sum of the first values, less their mean, divided to compare all places?"""
    inner = [sqrt(n / (t * (n - t))) for t in range(LEAST_SIDE, n - LEAST_SIDE + 1)]
    return [*[0.0] * (LEAST_SIDE - 1), *inner, *[0.0] * LEAST_SIDE]


def _chance(centred: Sequence[float], weights: Sequence[float], most: float) -> float:
    """How likely is a cut this clear in another order? Phipson and Smyth 2010: never zero."""
    draw = Random(len(centred)).random
    beyond = 0
    for number in range(1, DRAWS + 1):
        order = sorted(centred, key=lambda _: draw())
        highest: float = max(map(abs, map(mul, accumulate(order), weights)))
        beyond += highest >= most
        if beyond == ENOUGH:
            return ENOUGH / number
    return (beyond + 1) / (DRAWS + 1)
