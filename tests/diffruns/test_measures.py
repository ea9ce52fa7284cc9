"""What cases come to: a case counts once, absent is not zero, and denominators are visible."""

from __future__ import annotations

import msgspec
import pytest

from diffruns.measures import deltas, measure
from diffruns.modes import failure_modes
from tests.diffruns.making import attempt, entry


def test_a_case_counts_once_whatever_its_number_of_trials() -> None:
    often = entry([attempt("failed")] * 8 + [attempt("passed")] * 2)
    once = entry([attempt("passed")])
    found = measure([often, once])
    assert found.rate
    assert found.rate.value == pytest.approx(0.6)
    assert (found.cases, found.trials) == (2, 11)


def test_errors_are_in_the_bracket_only() -> None:
    found = measure(
        [entry([attempt(verdict)]) for verdict in ("passed", "failed", "error", "review")]
    )
    assert found.rate
    assert found.rate.value == 0.5
    assert found.rate.n == 2
    assert found.rate.bracket == (pytest.approx(1 / 3), 0.5)
    assert found.verdicts == {"error": 1, "failed": 1, "passed": 1, "review": 1}


def test_nothing_judged_is_no_rate() -> None:
    assert measure([entry([attempt("error")]), entry()]).rate is None


def test_what_a_file_does_not_say_is_not_zero() -> None:
    found = measure([entry([attempt("passed")])])
    assert (found.cost_usd, found.tokens, found.latency_ms, found.score) == (None,) * 4
    some = measure([entry([attempt("passed", cost_usd=0.0)]), entry([attempt("passed")])])
    assert some.cost_usd
    assert (some.cost_usd.value, some.cost_usd.n, some.cost_usd.missing) == (0.0, 1, 1)


def test_latencies_are_told_by_nearest_rank_over_trials() -> None:
    found = measure([entry([attempt("passed", latency_ms=float(ms)) for ms in range(1, 101)])])
    assert found.latency_ms
    assert (found.latency_ms.p50, found.latency_ms.p95, found.latency_ms.n) == (50, 95, 100)


def test_pass_hat_goes_to_every_power_that_some_case_has_trials_for() -> None:
    found = measure([entry([attempt("passed")] * 3), entry([attempt("passed"), attempt("failed")])])
    assert found.pass_hat == {"1": 0.75, "2": 0.5, "3": 1.0}
    assert found.pass_at == {"1": 0.75, "2": 1.0, "3": 1.0}


def test_differences_are_of_the_cases_that_both_sides_say() -> None:
    here = entry([attempt("passed", score=0.5, cost_usd=1.0)])
    there = entry([attempt("passed", score=0.9)])
    found = deltas([(here, there), (entry([attempt("error")]), there)], 0.05)
    assert found["score"].value == pytest.approx(0.4)
    assert found["score"].n == 1
    assert found["rate"].n == 1
    assert "cost_usd" not in found


def test_a_lower_score_is_worse_and_a_higher_latency_only_differs() -> None:
    pairs = [
        (
            entry([attempt("passed", score=0.9, latency_ms=10.0 + n)]),
            entry([attempt("passed", score=0.1, latency_ms=90.0 + n)]),
        )
        for n in range(8)
    ]
    found = deltas(pairs, 0.05)
    assert found["score"].finding == "worse"
    assert found["latency_ms"].finding == "differs"
    assert found["rate"].finding == "~"


def test_too_few_changes_say_how_many_it_takes() -> None:
    pairs = [(entry([attempt("passed")]), entry([attempt("failed")]))] * 4
    found = deltas(pairs, 0.05)["rate"]
    assert found.finding == "~"
    assert found.note == (
        "cases that changed: 4; to reject at 0.05 takes 5, all one way: "
        "4 can show no change, however large"
    )
    assert found.detectable is None
    assert deltas([*pairs, pairs[0]], 0.05)["rate"].finding == "worse"


@pytest.mark.parametrize(("count", "some"), [(5, False), (6, True)])
def test_where_no_test_can_reject_no_change_is_detectable(count: int, some: bool) -> None:
    """Several trials: six cases that all change one way reject, five do not."""
    here, there = entry([attempt("passed")] * 4), entry([attempt("failed")] * 4)
    part = entry([attempt("passed")] * 3 + [attempt("failed")])
    found = deltas([(here, there)] * (count - 1) + [(here, part)], 0.05)["rate"]
    assert (found.detectable is not None) == some
    assert (found.note is None) == some
    assert (found.finding == "worse") == some
    tied = [
        (msgspec.structs.replace(here, group=str(n)), msgspec.structs.replace(part, group=str(n)))
        for n in range(count)
    ]
    found = deltas(tied * 3, 0.05, lambda one: one.group)["rate"]
    assert (found.detectable is not None) == some


def test_cases_of_one_cluster_count_as_one() -> None:
    pairs = [(entry([attempt("passed")], group="g"), entry([attempt("failed")], group="g"))] * 12
    assert deltas(pairs, 0.05)["rate"].finding == "worse"
    tied = deltas(pairs, 0.05, lambda one: one.group)["rate"]
    assert (tied.finding, tied.p) == ("~", 1.0)


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ((), ("c",), "appeared"),
        (("c",), (), "vanished"),
        (("c",), ("c",), "same"),
    ],
)
def test_failure_modes_appear_and_vanish(
    before: tuple[str, ...], after: tuple[str, ...], change: str
) -> None:
    pair = (entry([attempt("failed", failed=before)]), entry([attempt("failed", failed=after)]))
    (mode,) = failure_modes([pair], "holm")
    assert (mode.check, mode.hard, mode.change) == ("c", True, change)


def test_more_and_fewer_are_said_of_shares_of_trials() -> None:
    here = entry([attempt("failed", failed=("c",)), attempt("passed")])
    there = entry(
        [attempt("failed", failed=("c",)), attempt("failed", failed=("c",))]
        + [attempt("passed")] * 2
    )
    (mode,) = failure_modes([(here, there)], "holm")
    assert (mode.a_trials, mode.b_trials, mode.change) == (1, 2, "same")


def test_soft_invariants_are_counted_beside_checks_of_the_same_name() -> None:
    pair = (entry([attempt("passed")]), entry([attempt("failed", failed=("c",), broken=("c",))]))
    modes = failure_modes([pair], "holm")
    assert [(mode.hard, mode.b_cases, mode.corrected) for mode in modes] == [
        (False, 1, 1.0),
        (True, 1, 1.0),
    ]
