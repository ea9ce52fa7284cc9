"""What do all cases come to, and those of each value of a dimension?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from diffruns import measures
from diffruns.alignment import Pair
from diffruns.dimensions import values
from diffruns.modes import Modes
from diffruns.options import Options
from diffruns.report import CaseRow, Delta, Group, Measures, Mode
from diffruns.transitions import left_out

Unlisted: TypeAlias = "tuple[measures.Unlisted, measures.Unlisted]"
Both: TypeAlias = "tuple[measures.Cases, measures.Cases]"


@dataclass(frozen=True, slots=True)
class Counted:
    """What all cases come to, and those in the statistics: of both sides, with one input."""

    a: Measures
    b: Measures
    delta: dict[str, Delta]
    modes: list[Mode]
    compared: int
    """cases that were judged on both sides"""
    uneven: bool
    """were some of them not judged equally often?"""
    tested: int
    groups: int
    """how many groups are the tested cases of?"""


def counted(pairs: Sequence[Pair], unlisted: Unlisted, options: Options) -> Counted:
    """All that is counted and tested, while somebody else looks at case by case."""
    cluster = _cluster(options)
    a, b = measures.Cases(cluster), measures.Cases(cluster)
    differences, modes = measures.Differences(cluster), Modes()
    groups: set[int] = set()
    for pair in pairs:
        if pair.a:
            a.add(pair.a)
        if pair.b:
            b.add(pair.b)
        if pair.a and pair.b and not left_out(pair.a, pair.b, options.ignore):
            differences.add(pair.a, pair.b)
            modes.add(pair.a, pair.b)
            if pair.b.group is not None:
                groups.add(hash(pair.b.group))
    delta = measures.corrected(differences.deltas(options.alpha), options.correct, options.alpha)
    return Counted(
        a=a.measures(unlisted[0]),
        b=b.measures(unlisted[1]),
        delta=delta,
        modes=modes.told(options.correct),
        compared=differences.compared,
        uneven=differences.uneven,
        tested=len(differences),
        groups=len(groups),
    )


def groups(
    pairs: Sequence[Pair], rows: Sequence[CaseRow], dimension: str, options: Options
) -> tuple[Group, ...]:
    """What do the cases of each value come to? The family of their tests is corrected for.

    The difference is of the cases that have the value on both sides.
    """
    cluster = _cluster(options)
    sides = defaultdict[str, Both](lambda: (measures.Cases(cluster), measures.Cases(cluster)))
    tested = defaultdict[str, measures.Differences](lambda: measures.Differences(cluster))
    for pair, row in zip(pairs, rows, strict=True):
        for place, side in enumerate((pair.a, pair.b)):
            if side is not None:
                for value in values(side, dimension):
                    sides[value][place].add(side)
        if pair.a and pair.b and row.bucket != "input-changed":
            for value in set(values(pair.a, dimension)).intersection(values(pair.b, dimension)):
                tested[value].add(pair.a, pair.b)
    deltas = {value: tested[value].deltas(options.alpha) for value in sorted(sides)}
    corrected = measures.corrected_over(deltas, options.correct, options.alpha)
    return tuple(
        Group(value, sides[value][0].measures(), sides[value][1].measures(), corrected[value])
        for value in sorted(sides)
    )


def _cluster(options: Options) -> measures.Cluster:
    """Which function names the cluster of a case?"""
    name = options.cluster
    return None if name is None else lambda entry: values(entry, name)
