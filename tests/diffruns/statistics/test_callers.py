"""What the comparison gives to the statistics is what they are made for."""

from __future__ import annotations

from diffruns.measures import deltas
from diffruns.modes import failure_modes
from tests.diffruns.making import attempt, entry


def test_scores_that_tools_rounded_otherwise_are_no_difference() -> None:
    pair = entry([attempt("passed", score=0.1 + 0.2)]), entry([attempt("passed", score=0.3)])
    found = deltas([pair] * 8, 0.05)["score"]
    assert (found.value, found.p, found.finding) == (0.0, 1.0, "~")


def test_a_check_is_not_tested_where_more_trials_had_more_occasions() -> None:
    """Each trial fails one time out of five, on both sides: but five trials nearly always once."""
    once = entry([attempt("passed")])
    often = entry([attempt("failed", failed=("exact",))] + [attempt("passed")] * 4)
    (mode,) = failure_modes([(once, often)] * 8, "none")
    assert mode.p is None


def test_a_case_that_broke_down_has_not_mended_its_checks() -> None:
    failed, broken = entry([attempt("failed", failed=("exact",))]), entry([attempt("error")])
    (mode,) = failure_modes([(failed, broken)] * 8, "none")
    assert mode.p is None
    (mode,) = failure_modes([(failed, entry([attempt("passed")]))] * 8, "none")
    assert mode.p is not None
    assert mode.p < 0.05
