"""How likely do all of j trials of a case pass, and how likely does one of them at least?

Both are the unbiased estimates from a case's own n trials of which c passed, averaged over the
cases that have j trials: every way to draw j of the n without putting back is equally likely.
pass@k: Chen et al. 2021, "Evaluating large language models trained on code", section 2.1; pass^k:
Yao et al. 2024, "tau-bench", section 5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, fsum
from typing import TypeAlias

Counts: TypeAlias = Sequence[tuple[int, int]]
"""(n trials, c of them passed), case by case"""


def pass_hat(counts: Counts, j: int) -> float | None:
    """pass^j: how likely do all of j trials pass? None where no case has so many.

    >>> pass_hat([(4, 2), (4, 4)], 2)
    0.5833333333333334
    """
    return _averaged(counts, j, lambda n, c: comb(c, j) / comb(n, j))


def pass_at(counts: Counts, j: int) -> float | None:
    """pass@j: how likely does one of j trials pass at least? None where no case has so many.

    >>> pass_at([(4, 2), (4, 0)], 2)
    0.4166666666666667
    """
    return _averaged(counts, j, lambda n, c: 1 - comb(n - c, j) / comb(n, j))


def _averaged(counts: Counts, j: int, share: Callable[[int, int], float]) -> float | None:
    shares = [share(n, c) for n, c in counts if n >= j]
    return fsum(shares) / len(shares) if shares else None
