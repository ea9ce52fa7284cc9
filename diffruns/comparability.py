"""May two runs be compared, and what can't be put down to the target alone?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from converter.facts import Run
from diffruns.alignment import Pair
from diffruns.dimensions import evidence
from diffruns.entries import Entry
from diffruns.report import Comparable, Difference, Effect
from diffruns.sides import Side


class Fact(NamedTuple):
    """Which fact of a run should be the same on both sides, and what follows where it is not?"""

    field: str
    of: Callable[[Run], object]
    effect: Effect


FACTS = (
    Fact("suite", lambda run: run.suite, "limits"),
    Fact("judge", lambda run: run.judge, "limits"),
    Fact("threshold", lambda run: run.threshold, "limits"),
    Fact("simulated user", lambda run: run.user, "limits"),
    Fact("inputs", lambda run: run.inputs_digest, "limits"),
    Fact("trials per case", lambda run: run.k, "notes"),
)
"""Compared where both runs say it: what a file does not say can't differ."""

UNFINISHED = ("partial", "error")


def comparability(
    a: Side, b: Side, pairs: Sequence[Pair], ignore: Collection[str] = ()
) -> Comparable:
    """May the two be compared, by all but the fields to ignore?"""
    told = _differences(a, b, pairs)
    differences = tuple(one for one in told if one.field not in ignore)
    effects = {difference.effect for difference in differences}
    if "blocks" in effects:
        return Comparable("not comparable", differences)
    return Comparable("limited" if "limits" in effects else "comparable", differences)


def _differences(a: Side, b: Side, pairs: Sequence[Pair]) -> Iterator[Difference]:
    both = [pair.both for pair in pairs if pair.both]
    if not both:
        here, there = f"{len(a.entries):,} in all", f"{len(b.entries):,} in all, none of them A's"
        yield Difference("cases", here, there, "blocks")
    for fact in FACTS:
        of_a, of_b = fact.of(a.run), fact.of(b.run)
        if of_a is not None and of_b is not None and of_a != of_b:
            yield Difference(fact.field, str(of_a), str(of_b), fact.effect)
    if a.run.status in UNFINISHED or b.run.status in UNFINISHED:
        yield Difference("status", str(a.run.status), str(b.run.status), "limits")
    if a.run.pending or b.run.pending:
        counts = [f"{len(run.pending or ()):,} items" for run in (a.run, b.run)]
        yield Difference("pending review", counts[0], counts[1], "limits")
    yield from _of_cases(both)


class Property(NamedTuple):
    """What should be the same of every case on both sides?"""

    field: str
    of: Callable[[Entry], object]
    effect: Effect


PROPERTIES = (
    Property("checks", lambda one: one.assertions, "limits"),
    Property("prompt", lambda one: one.prompt, "notes"),
    Property("evidence level", evidence, "notes"),
)


def _of_cases(both: Sequence[tuple[Entry, Entry]]) -> Iterator[Difference]:
    for wanted in PROPERTIES:
        of = wanted.of
        known = [
            (here, there)
            for one, other in both
            if (here := of(one)) is not None and (there := of(other)) is not None
        ]
        differing = [(here, there) for here, there in known if here != there]
        if differing and isinstance(differing[0][0], str):
            counts = [Counter(map(str, side)) for side in zip(*known, strict=True)]
            yield Difference(wanted.field, _counted(counts[0]), _counted(counts[1]), wanted.effect)
        elif differing:
            other = f"another in {len(differing):,} of {len(known):,} cases"
            yield Difference(wanted.field, "as configured", other, wanted.effect)


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{value}: {count:,}" for value, count in sorted(counts.items()))
