"""Every pair of states has a bucket, and its mirror has the mirrored one."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from diffruns.alignment import Pair
from diffruns.entries import State
from diffruns.transitions import (
    BETTER,
    MIRROR,
    STEADY,
    UNSEEN,
    WORDS,
    WORSE,
    Bucket,
    bucket,
    states,
)
from tests.diffruns.making import attempt, entry

SEEN = [state for state in get_args(State) if state not in UNSEEN]
VERDICTS = {
    "passed": ["passed"],
    "failed": ["failed"],
    "flaky": ["passed", "failed"],
    "review": ["review"],
    "error": ["error"],
    "skipped": [],
}


def told(before: str, after: str) -> Bucket:
    sides = [
        None if state in UNSEEN else entry(attempts=[attempt(v) for v in VERDICTS[state]])
        for state in (before, after)
    ]
    pair = Pair(*sides, rung="id")
    found = states(pair, before == "unlisted", after == "unlisted")
    assert found == (before, after)
    return bucket(pair, *found, 0.0, ())


@pytest.mark.parametrize(
    ("before", "after"),
    [pair for pair in product(get_args(State), repeat=2) if not set(pair) <= set(UNSEEN)],
)
def test_every_pair_of_states_has_a_bucket_and_the_mirrored_pair_the_mirrored_one(
    before: str, after: str
) -> None:
    there, back = told(before, after), told(after, before)
    assert MIRROR.get(there, there) == back
    assert there in WORDS
    if before == after:
        assert there == "unchanged"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("passed", "failed", "broke"),
        ("passed", "error", "errored"),
        ("passed", "flaky", "flaky-onset"),
        ("failed", "error", "errored"),
        ("error", "failed", "recovered"),
        ("failed", "unlisted", "now-unlisted"),
        ("failed", "missing", "removed"),
        ("unlisted", "failed", "now-listed"),
    ],
)
def test_what_peers_get_wrong_is_told_apart(before: str, after: str, expected: str) -> None:
    assert told(before, after) == expected


def test_every_bucket_has_its_words() -> None:
    assert set(WORDS) == set(get_args(Bucket))
    assert not WORSE & BETTER
    assert {MIRROR[name] for name in WORSE} == BETTER
    assert set(WORDS) >= STEADY


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (["passed", "failed"], ["passed", "failed", "failed"], "less-reliable"),
        (["passed", "failed"], ["passed", "passed", "failed", "failed"], "unchanged"),
        (["passed", "failed", "failed"], ["passed", "failed"], "more-reliable"),
    ],
)
def test_flaky_cases_are_compared_by_each_ones_own_number_of_trials(
    a: list[str], b: list[str], expected: str
) -> None:
    sides = [entry(attempts=[attempt(verdict) for verdict in side]) for side in (a, b)]
    pair = Pair(*sides, rung="id")
    assert bucket(pair, *states(pair, False, False), 0.0, ()) == expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (["passed", "passed"], ["passed", "error"], "errored"),
        (["failed", "failed"], ["failed", "error"], "errored"),
        (["passed", "passed"], ["passed", "review"], "undecided"),
        (["passed", "passed"], ["passed", "skipped"], "skipped"),
        (["passed", "error"], ["passed", "review"], "recovered"),
        (["passed", "error"], ["passed", "error", "error"], "unchanged"),
        (["passed", "error"], ["failed", "failed"], "broke"),
        (["passed", "failed"], ["failed", "error"], "less-reliable"),
    ],
)
def test_trials_that_were_not_judged_are_told_and_fail_nothing(
    a: list[str], b: list[str], expected: Bucket
) -> None:
    sides = [entry(attempts=[attempt(verdict) for verdict in side]) for side in (a, b)]
    pair = Pair(*sides, rung="id")
    assert bucket(pair, *states(pair, False, False), 0.0, ()) == expected
    back = Pair(*reversed(sides), rung="id")
    mirrored = bucket(back, *states(back, False, False), 0.0, ())
    assert mirrored == MIRROR.get(expected, expected)


def test_a_score_that_moves_under_one_verdict_is_seen() -> None:
    low, high = (entry(attempts=[attempt("passed", score=score)]) for score in (0.1, 0.9))
    assert bucket(Pair(low, high, "id"), "passed", "passed", 0.0, ()) == "score-moved"
    assert bucket(Pair(low, high, "id"), "passed", "passed", 0.85, ()) == "unchanged"
    assert bucket(Pair(low, high, "id"), "passed", "passed", 0.0, ("score",)) == "unchanged"


def test_a_case_that_has_no_score_any_more_has_another_score_and_not_zero() -> None:
    scored, unscored = (entry(attempts=[attempt("failed", score=score)]) for score in (0.0, None))
    assert bucket(Pair(scored, unscored, "id"), "failed", "failed", 0.0, ()) == "score-moved"
    assert unscored.score is None
