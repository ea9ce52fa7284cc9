"""What became of a case from one run to the other? One literal table of all that can.

A change of verdict is told in words that claim no more than what was seen: a case *broke* or was
*fixed*. Whether runs differ by more than noise is a question for the statistics.
"""

from __future__ import annotations

from collections.abc import Collection
from math import isclose
from typing import Literal, TypeAlias

from diffruns.alignment import Pair
from diffruns.entries import Entry, State

Bucket: TypeAlias = Literal[
    "broke",
    "flaky-onset",
    "less-reliable",
    "errored",
    "undecided",
    "skipped",
    "fixed",
    "steadied",
    "more-reliable",
    "recovered",
    "decided",
    "resumed",
    "removed",
    "added",
    "now-unlisted",
    "now-listed",
    "input-changed",
    "ambiguous",
    "score-moved",
    "checks-changed",
    "output-changed",
    "unchanged",
]

TABLE: dict[tuple[State, State], Bucket] = {
    ("passed", "failed"): "broke",
    ("passed", "flaky"): "flaky-onset",
    ("flaky", "failed"): "less-reliable",
    ("failed", "passed"): "fixed",
    ("failed", "flaky"): "more-reliable",
    ("flaky", "passed"): "steadied",
}
"""What becomes of a judged case that is judged still."""

LEAVING: dict[State, Bucket] = {
    "error": "recovered",
    "review": "decided",
    "skipped": "resumed",
    "missing": "added",
    "unlisted": "now-listed",
}
"""What is said of a case that was in this state, and is not any more?"""

REACHING: dict[State, Bucket] = {
    "error": "errored",
    "review": "undecided",
    "skipped": "skipped",
    "missing": "removed",
    "unlisted": "now-unlisted",
}
"""What is said of a case that is in this state now, and was judged before?"""

MIRROR: dict[Bucket, Bucket] = {
    "broke": "fixed",
    "flaky-onset": "steadied",
    "less-reliable": "more-reliable",
    "errored": "recovered",
    "undecided": "decided",
    "skipped": "resumed",
    "removed": "added",
    "now-unlisted": "now-listed",
}
MIRROR |= {back: there for there, back in MIRROR.items()}
"""What is it called the other way round? The rest is called the same."""

WORSE: frozenset[Bucket] = frozenset({"broke", "flaky-onset", "less-reliable", "errored"})
"""buckets of cases that got worse"""

BETTER: frozenset[Bucket] = frozenset({"fixed", "steadied", "more-reliable", "recovered"})

APART: frozenset[Bucket] = frozenset({"ambiguous", "input-changed"})
"""buckets of cases whose sides are not one test"""

STEADY: frozenset[Bucket] = frozenset({"unchanged", "output-changed", "checks-changed"})
"""buckets that a report counts without listing their cases, unless asked"""

WORDS: dict[Bucket, str] = {
    "broke": "passed before, fails now",
    "flaky-onset": "passed every trial before, fails some now",
    "less-reliable": "passes fewer of its trials",
    "errored": "some trial could not be judged this time",
    "undecided": "some trial is undecided now",
    "skipped": "skipped now",
    "fixed": "failed before, passes now",
    "steadied": "failed some trials before, passes all now",
    "more-reliable": "passes more of its trials",
    "recovered": "some trial could not be judged before",
    "decided": "some trial was undecided",
    "resumed": "was skipped",
    "removed": "only in A",
    "added": "only in B",
    "now-unlisted": "passed or not generated in B, which lists failing cases only",
    "now-listed": "passed or not generated in A, which lists failing cases only",
    "input-changed": "one id, another input: left out of the statistics",
    "ambiguous": "named several times, can't be told apart",
    "score-moved": "same verdict, another score",
    "checks-changed": "same verdict, other checks failed",
    "output-changed": "same verdict, another output",
    "unchanged": "same verdict, score and output",
}

BADGES: dict[str, Bucket] = {"regressed": "broke", "improved": "fixed", "flaky": "flaky-onset"}
"""other words by which people ask for a bucket"""

ROUNDING = 1e-9
"""a score that moved as far as is tolerated, but for rounding, has not moved"""

UNSEEN: tuple[State, ...] = ("missing", "unlisted")
UNJUDGED: tuple[State, ...] = ("error", "skipped", "review")


def states(pair: Pair, unlisted_a: bool, unlisted_b: bool) -> tuple[State, State]:
    """In which state is a case on either side? The flags say which run has unlisted cases."""
    absent_a: State = "unlisted" if unlisted_a else "missing"
    absent_b: State = "unlisted" if unlisted_b else "missing"
    return (
        pair.a.state if pair.a else absent_a,
        pair.b.state if pair.b else absent_b,
    )


def bucket(
    pair: Pair, before: State, after: State, tolerance: float, ignore: Collection[str]
) -> Bucket:
    """What became of the case?

    `tolerance` is how far a score may move and be the same; fields to `ignore` are not looked at.
    """
    if pair.ambiguous:
        return "ambiguous"
    if pair.both is None and before == after:
        return "unchanged"
    if pair.both is None:
        return REACHING[after] if after in UNSEEN else LEAVING[before]
    a, b = pair.both
    if left_out(a, b, ignore):
        return "input-changed"
    if before != after:
        return TABLE.get((before, after)) or _unjudged(before, after)
    return _same_verdict(a, b, tolerance, ignore)


def _unjudged(before: State, after: State) -> Bucket:
    """One of the two is no judgement; an error is told first, then a skipped case."""
    for state in UNJUDGED:
        if after == state:
            return REACHING[after]
        if before == state:
            return LEAVING[before]
    raise AssertionError(before, after)


def _partly_unjudged(before: Collection[State], after: Collection[State]) -> Bucket:
    """Other trials of the case were judged, with the same verdict on both sides."""
    for state in UNJUDGED:
        if (state in before) != (state in after):
            return REACHING[state] if state in after else LEAVING[state]
    raise AssertionError(before, after)


def _same_verdict(a: Entry, b: Entry, tolerance: float, ignore: Collection[str]) -> Bucket:
    rates = a.passes * b.judged - b.passes * a.judged  # compares shares of different n
    if a.state == "flaky" and rates:
        return "less-reliable" if rates > 0 else "more-reliable"
    if a.undecided != b.undecided:
        return _partly_unjudged(a.undecided, b.undecided)
    if "score" not in ignore and moved(a.score, b.score, tolerance):
        return "score-moved"
    if not same_failures(a, b, ignore):
        return "checks-changed"
    return "unchanged" if "output" in ignore or same_outputs(a, b) else "output-changed"


def asked_otherwise(a: Entry, b: Entry) -> bool:
    """Was the case asked something else, so far as is known?"""
    return a.asked is not None and b.asked is not None and a.asked != b.asked


def left_out(a: Entry, b: Entry, ignore: Collection[str]) -> bool:
    """Are the two no test of one thing, so that they are in no statistics?"""
    return asked_otherwise(a, b) and "input" not in ignore


def moved(a: float | None, b: float | None, tolerance: float) -> bool:
    """Is a score another one? A case that has none on one side only has moved."""
    if a is None or b is None:
        return a is not b
    return abs(a - b) > tolerance and not isclose(abs(a - b), tolerance, rel_tol=ROUNDING)


def alike(a: Entry, b: Entry) -> bool:
    """Is it plain at a glance that nothing has changed? Of single trials nearly always."""
    if len(a.attempts) != 1 or len(b.attempts) != 1 or a.asked != b.asked or a.prompt != b.prompt:
        return False
    one, other = a.attempts[0], b.attempts[0]
    return (
        one.output == other.output
        and one.verdict == other.verdict
        and one.score == other.score
        and one.failed == other.failed
        and one.broken == other.broken
    )


def failures(entry: Entry) -> dict[str, frozenset[str]]:
    """Which checks failed and which soft invariants were broken, in any trial? By field."""
    failed = frozenset(name for attempt in entry.attempts for name in attempt.failed)
    broken = frozenset(name for attempt in entry.attempts for name in attempt.broken)
    return {"checks": failed, "soft": broken}


def same_failures(a: Entry, b: Entry, ignore: Collection[str]) -> bool:
    """Did the same checks fail on both sides, whatever the order and number of trials?"""
    if len(a.attempts) == len(b.attempts) == 1:
        one, other = a.attempts[0], b.attempts[0]
        if one.failed == other.failed and one.broken == other.broken:
            return True
    before, after = failures(a), failures(b)
    return all(field in ignore or before[field] == after[field] for field in before)


def same_outputs(a: Entry, b: Entry) -> bool:
    """Were the outputs the same, whatever the order and number of trials?"""
    if len(a.attempts) == len(b.attempts) == 1:
        return a.attempts[0].output == b.attempts[0].output
    return {one.output for one in a.attempts} == {one.output for one in b.attempts}
