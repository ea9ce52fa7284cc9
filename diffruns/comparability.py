"""May two runs be compared, and what can't be put down to the target alone?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from converter.facts import Run
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


def comparability(a: Side, b: Side, cases: Properties, ignore: Collection[str] = ()) -> Comparable:
    """May the two be compared, by all but the fields to ignore?"""
    told = _differences(a, b, cases)
    differences = tuple(one for one in told if one.field not in ignore)
    effects = {difference.effect for difference in differences}
    if "blocks" in effects:
        return Comparable("not comparable", differences)
    return Comparable("limited" if "limits" in effects else "comparable", differences)


def _differences(a: Side, b: Side, cases: Properties) -> Iterator[Difference]:
    if not cases.count:
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
    yield from cases.differences()


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


class Properties:
    """What is known of the cases of both sides, while they are told one by one."""

    def __init__(self) -> None:
        self.count = 0
        self._each = [_Property(wanted) for wanted in PROPERTIES]

    def add(self, one: Entry, other: Entry) -> None:
        """Count this case in, of A and of B."""
        self.count += 1
        for each in self._each:
            each.add(one, other)

    def differences(self) -> Iterator[Difference]:
        """In what do the runs differ, case by case?"""
        for each in self._each:
            yield from each.differences()


class _Property:
    """Of how many cases is a property known on both sides, and of how many is it another?"""

    def __init__(self, wanted: Property) -> None:
        self._wanted = wanted
        self._known = self._differing = 0
        self._values: tuple[Counter[str], Counter[str]] = Counter(), Counter()

    def add(self, one: Entry, other: Entry) -> None:
        """Count this case in, of A and of B."""
        here, there = self._wanted.of(one), self._wanted.of(other)
        if here is None or there is None:
            return
        self._known += 1
        self._differing += here != there
        if isinstance(here, str) and isinstance(there, str):
            for values, value in zip(self._values, (here, there), strict=True):
                values[value] += 1

    def differences(self) -> Iterator[Difference]:
        """In what do the runs differ by it, if they do?"""
        field, _, effect = self._wanted
        a, b = map(_counted, self._values)
        if self._differing and a:
            yield Difference(field, a, b, effect)
        elif self._differing:
            other = f"another in {self._differing:,} of {self._known:,} cases"
            yield Difference(field, "as configured", other, effect)


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{value}: {count:,}" for value, count in sorted(counts.items()))
