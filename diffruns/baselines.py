"""Which earlier runs stand for A, all of them together?

A folder of many runs is not this package's matter: who knows one says so by an entry point of the
group GROUP, a function that is given the name, B, and the function that names a case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt
from typing import TypeAlias

import msgspec

from diffruns import measures, statistics
from diffruns.compare import Comparison
from diffruns.entries import Entry
from diffruns.sides import KeyOf, Side
from registry.errors import EvalglotError

GROUP = "evalglot.baselines"


@dataclass(frozen=True, slots=True)
class Baseline:
    """Several runs as one side, whose cases have the trials of all; and each run's own cases."""

    side: Side
    runs: Sequence[Sequence[Entry]]
    notes: Sequence[str] = ()


Find: TypeAlias = Callable[[str, Side, KeyOf], Baseline]


class NoBaseline(EvalglotError):
    """Nothing that is installed knows such a baseline."""


def find(name: str, other: Side, key: KeyOf) -> Baseline:
    """Which runs does this name mean, to compare B with? Raises EvalglotError."""
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        found: Find = point.load()
        return found(name, other, key)
    raise NoBaseline(
        found=f"--baseline {name}",
        expected="an installation that knows datasets",
        hint="Install evalglot anew: pip install 'evalglot[data]'",
    )


def with_noise(comparison: Comparison, baseline: Baseline) -> Comparison:
    """The comparison, with a note of how far the runs of the baseline lie apart, and where B is."""
    report = comparison.report
    notes = (*report.notes, *baseline.notes, *_noise(comparison, baseline))
    return replace(comparison, report=msgspec.structs.replace(report, notes=notes))


def _noise(comparison: Comparison, baseline: Baseline) -> Sequence[str]:
    """How do the runs scatter on the cases that B has, too, and would one like them be like B?"""
    both = [pair.both for pair in comparison.pairs if pair.both]
    shared = {(one.label, one.target) for one, _ in both}
    rates = [
        _rate([one for one in run if (one.label, one.target) in shared]) for run in baseline.runs
    ]
    known = [rate for rate in rates if rate is not None]
    ours = _rate([other for _, other in both])
    if len(known) < 2 or ours is None:
        return [f"baseline of {len(baseline.runs)} runs: too few to tell how far runs lie apart"]
    low, high = expected(known)
    where = "within" if low <= ours <= high else "below" if ours < low else "above"
    return [
        f"baseline of {len(known)} runs: they passed {min(known):.1%} to {max(known):.1%}; "
        f"one more like them is expected from {low:.1%} to {high:.1%} (95 %), "
        f"and B, at {ours:.1%}, is {where}"
    ]


def _rate(entries: Sequence[Entry]) -> float | None:
    rate = measures.measure(entries).rate
    return None if rate is None else rate.value


def expected(values: Sequence[float]) -> tuple[float, float]:
    """Where is one more value like these, 95 times out of 100? Student's prediction interval.

    Hahn and Meeker 1991, "Statistical intervals", section 4.7; shares lie between 0 and 1.

    >>> expected([0.9, 0.92, 0.94])
    (0.820..., 1.0)
    """
    n = len(values)
    mean = fsum(values) / n
    spread = sqrt(fsum((value - mean) ** 2 for value in values) / (n - 1))
    half = statistics.student(n - 1) * spread * sqrt(1 + 1 / n)
    return max(0.0, mean - half), min(1.0, mean + half)
