"""What may stop a pull request: each gate just at its limit and beyond it, and whom it names."""

from __future__ import annotations

from typing import Any

import pytest

import evalglot
from diffruns.gates import Asked
from diffruns.report import Gate, Report
from evalglot import DiffOptions
from tests.diffruns.documents import ERROR, FAILED, cbl_failing_only, promptfoo, sandtable


def compared(a: Any, b: Any, **asked: Any) -> Report:
    return evalglot.diff(a, b, DiffOptions(asked=Asked(**asked)))


def gate(a: Any, b: Any, **asked: Any) -> Gate:
    report = compared(a, b, **asked)
    (found,) = report.gates
    assert report.exit_code in ((1,) if found.tripped else (0,))
    return found


def named(letters: str) -> Any:
    """A run of cases t0, t1…, by letter: passed, failed, or in error."""
    how: dict[str, dict[str, Any]] = {"p": {}, "f": FAILED, "e": ERROR}
    return promptfoo([{"test": f"t{n}", **how[letter]} for n, letter in enumerate(letters)])


@pytest.mark.parametrize(
    ("a", "b", "name", "cases"),
    [
        ("pppppp", "ffffff", "regression", "t0 t1 t2 t3 t4 t5"),
        ("pppppp", "ffffpp", "regression", ""),
        ("ffffff", "pppppp", "regression", ""),
        ("ppf", "pff", "new-failure", "t1"),
        ("pf", "pfff", "new-failure", "t2 t3"),
        ("pe", "pf", "new-failure", "t1"),
        ("ppp", "pep", "error", "t1"),
        ("pp", "ppe", "error", "t2"),
        ("pe", "pe", "error", ""),
        ("ppp", "p", "missing", "t1 t2"),
        ("p", "ppp", "missing", ""),
    ],
)
def test_a_gate_names_each_case_that_trips_it(a: str, b: str, name: Any, cases: str) -> None:
    found = gate(named(a), named(b), fail_on=(name,))
    assert found.cases == tuple(cases.split())
    assert found.tripped == bool(cases)
    assert found.gate == name


@pytest.mark.parametrize(
    ("a", "b", "name", "cases"),
    [
        ("pp", "pe", "new-failure", ""),
        ("pp", "pe", "error", "x"),
        ("ff", "fe", "new-failure", ""),
        ("ff", "fe", "error", "x"),
        ("pp", "fe", "new-failure", "x"),
        ("pp", "fe", "error", "x"),
        ("pe", "pe", "error", ""),
        ("pe", "ee", "error", "x"),
        ("ee", "pe", "error", ""),
    ],
)
def test_a_trial_in_error_beside_others_is_an_error_and_no_failure(
    a: str, b: str, name: Any, cases: str
) -> None:
    seen = sandtable({"x": a, "y": "pp"}), sandtable({"x": b, "y": "pp"})
    assert gate(*seen, fail_on=(name,)).cases == tuple(cases.split())


def test_a_critical_case_that_fails_now_and_could_not_be_judged_before_trips() -> None:
    a, b = sandtable({"x": "e", "y": "p"}), sandtable({"x": "f", "y": "p"})
    assert gate(a, b, critical=("x",)).cases == ("x",)


def test_runs_with_another_suite_trip_the_gate_that_asks_for_comparable_ones() -> None:
    a, b = sandtable({"x": "p"}), sandtable({"x": "p"}, domain="airline")
    found = gate(a, b, fail_on=("not-comparable",))
    assert found.tripped
    assert found.says == "the runs differ in suite"
    assert not gate(a, a, fail_on=("not-comparable",)).tripped


@pytest.mark.parametrize(("limit", "tripped"), [(0.25, False), (0.249, True), (0.0, True)])
def test_a_drop_is_held_to_its_limit(limit: float, tripped: bool) -> None:
    found = gate(named("pppp"), named("fppp"), max_drop=limit)
    assert found.tripped == tripped
    assert found.cases == (("t0",) if tripped else ())


def test_a_rise_is_no_drop() -> None:
    assert not gate(named("fppp"), named("pppp"), max_drop=0.0).tripped


@pytest.mark.parametrize(("limit", "tripped"), [(0.5, False), (0.49, True)])
def test_the_share_of_failures_in_b_is_held_to_its_limit(limit: float, tripped: bool) -> None:
    found = gate(named("pp"), named("pf"), max_fail_share=limit)
    assert found.tripped == tripped
    assert found.cases == (("t1",) if tripped else ())


@pytest.mark.parametrize(("limit", "tripped"), [(0.1, True), (0.11, False)])
def test_cases_that_a_file_only_counts_are_in_the_share_of_failures(
    limit: float, tripped: bool
) -> None:
    failed = [f"p{n}" for n in range(11)]
    found = gate(cbl_failing_only(["p0"], 90), cbl_failing_only(failed, 89), max_fail_share=limit)
    assert found.tripped == tripped
    assert found.says == "11.0% of B failed, unlisted cases counted in"
    assert found.cases == (tuple(failed) if tripped else ())


@pytest.mark.parametrize(("limit", "tripped"), [(0.2, True), (0.3, False)])
def test_cases_that_a_file_only_counts_are_in_the_drop(limit: float, tripped: bool) -> None:
    a, b = cbl_failing_only(["x"], 9), cbl_failing_only(["x", "y", "z"], 5)
    found = gate(a, b, max_drop=limit)
    assert found.tripped == tripped
    assert found.says == "pass rate -27.5pp, unlisted cases counted in"
    assert found.cases == (("y", "z") if tripped else ())


def test_a_run_that_judged_nothing_does_not_pass_as_one_that_fails_little() -> None:
    report = compared(named("pp"), named("ee"), max_fail_share=0.2)
    assert [gate.tripped for gate in report.gates] == [True]
    assert report.exit_code == 4


@pytest.mark.parametrize(
    ("b", "watched", "cases"),
    [
        ({"x": "f", "y": "p"}, ("x",), ("x",)),
        ({"x": "f", "y": "p"}, ("y",), ()),
        ({"y": "p"}, ("x",), ("x",)),
        ({"x": "e", "y": "p"}, ("x", "y"), ("x",)),
    ],
)
def test_critical_cases_must_be_there_and_not_get_worse(
    b: Any, watched: Any, cases: tuple[str, ...]
) -> None:
    found = gate(sandtable({"x": "p", "y": "p"}), sandtable(b), critical=watched)
    assert found.cases == cases


def test_critical_cases_can_be_named_by_tag() -> None:
    a, b = sandtable({"x": "p", "y": "p"}), sandtable({"x": "f", "y": "f"})
    for run in (a, b):
        run["tasks"][0]["tags"] = ["money"]
    assert gate(a, b, critical=("money",)).cases == ("x",)


def test_a_gate_that_holds_is_all_that_counts() -> None:
    """With gates asked for, a case that broke is no finding by itself."""
    a, b = named("pppp"), named("fppp")
    assert compared(a, b).exit_code == 1
    assert compared(a, b, fail_on=("error",)).exit_code == 0


def test_nothing_to_compare_goes_before_any_gate() -> None:
    a, b = promptfoo([{"test": "t"}]), promptfoo([{"test": "u", **FAILED}])
    assert compared(a, b, fail_on=("new-failure",)).exit_code == 3
