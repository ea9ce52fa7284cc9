"""What became of each case, one after the other, and what is counted on the way?"""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from diffruns import changes
from diffruns.alignment import Pair
from diffruns.comparability import Properties
from diffruns.entries import State
from diffruns.options import Options
from diffruns.report import CaseRow, Change, Transition
from diffruns.sides import Side
from diffruns.transitions import Bucket, alike, bucket, states

Reached: TypeAlias = "tuple[State, State]"


def _reached(pair: Pair, some: tuple[bool, bool], sides: tuple[Side, Side]) -> Reached:
    """In which state is the case on either side? What nobody tried, rows can't say, and is there.

    `some` says which run has unlisted cases.
    """
    found = states(pair, *some)
    if pair.both or pair.entry.attempts:
        return found
    before, after = (
        "skipped" if state == "missing" and side.rows else state
        for state, side in zip(found, sides, strict=True)
    )
    return before, after


class Seen:
    """What is counted while cases are looked at one by one. `some` is as in `_reached`."""

    def __init__(self, sides: tuple[Side, Side], some: tuple[bool, bool], options: Options) -> None:
        self._sides, self._some, self._options = sides, some, options
        self._reached: Counter[Reached] = Counter()
        self.properties = Properties()
        self.buckets: Counter[Bucket] = Counter()
        self.rungs: Counter[str] = Counter()
        self.untried = 0
        """how many has nobody tried, so that the rows of the other file can't say them?"""
        self.same_words = 0
        """how many broke or were fixed, and said the same?"""
        self.several = False
        """has some case several trials?"""

    def row(self, pair: Pair) -> CaseRow:
        """What became of this case? It is counted in."""
        reached = _reached(pair, self._some, self._sides)
        row = _row(pair, reached, self._options)
        self.buckets[row.bucket] += 1
        if not pair.ambiguous:
            self._reached[reached] += 1
        if pair.a and pair.b:
            self.rungs[pair.rung] += 1
            self.properties.add(pair.a, pair.b)
        elif row.bucket == "unchanged":
            self.untried += 1
        if row.bucket in ("broke", "fixed") and _same_words(pair):
            self.same_words += 1
        self.several = self.several or len(pair.entry.attempts) > 1
        return row

    def transitions(self) -> tuple[Transition, ...]:
        """How many cases went from one state to another?"""
        return tuple(
            Transition(before, after, cases)
            for (before, after), cases in sorted(self._reached.items())
        )


def _row(pair: Pair, reached: Reached, options: Options) -> CaseRow:
    a, b = pair.a, pair.b
    entry = b or pair.entry
    if a and b and not pair.ambiguous and alike(a, b):
        found: Bucket = "unchanged"
        before = after = changes.side(a)
        changed: tuple[Change, ...] = ()
    else:
        found = bucket(pair, *reached, options.tolerance, options.ignore)
        before, after = changes.side(a), changes.side(b)
        changed = changes.changes(pair, options.ignore, options.tolerance)
    return CaseRow(
        entry.label,
        entry.group,
        entry.target,
        pair.rung,
        before,
        after,
        found,
        pair.entry.critical or entry.critical,
        entry.tags,
        changed,
    )


def _same_words(pair: Pair) -> bool:
    """Did the target say the same on both sides, so far as is known?"""
    if pair.both is None:
        return False
    said = [{attempt.output for attempt in side.attempts} for side in pair.both]
    return said[0] == said[1] != {None}
