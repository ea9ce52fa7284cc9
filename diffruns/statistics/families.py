"""What are the p-values of a family of tests worth together?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate


def correct(ps: Sequence[float], method: str) -> list[float]:
    """Which p-values, in the same order, hold for the whole family? `method` is one of METHODS.

    >>> correct([0.01, 0.04, 0.03], "holm")
    [0.03, 0.06, 0.06]
    >>> correct([0.01, 0.04, 0.03], "bh")
    [0.03, 0.04, 0.04]
    """
    order = sorted(range(len(ps)), key=ps.__getitem__)
    adjusted = METHODS[method]([ps[place] for place in order])
    found = dict(zip(order, adjusted, strict=True))
    return [min(1.0, found[place]) for place in range(len(ps))]


def _holm(ps: Sequence[float]) -> list[float]:
    """Step down, Holm 1979: how likely is one false finding or more in the family?"""
    return list(accumulate(((len(ps) - rank) * p for rank, p in enumerate(ps)), max))


def _bh(ps: Sequence[float]) -> list[float]:
    """Step up, Benjamini and Hochberg 1995: which share of the findings is false at most?"""
    raised = [len(ps) / (rank + 1) * p for rank, p in enumerate(ps)]
    return list(accumulate(reversed(raised), min))[::-1]


METHODS: Mapping[str, Callable[[Sequence[float]], Sequence[float]]] = {
    "holm": _holm,
    "bh": _bh,
    "none": list,
}
"""the corrections that can be asked for; each is given sorted p-values"""
