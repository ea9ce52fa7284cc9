"""What runs may differ in and still be compared, and what of it is said."""

from __future__ import annotations

from typing import Any

import pytest

import evalglot
from tests.diffruns.documents import promptfoo, sandtable


def differences(a: Any, b: Any) -> dict[str, str]:
    comparable = evalglot.diff(a, b).comparable
    return {one.field: one.effect for one in comparable.differences}


@pytest.mark.parametrize(
    ("said", "field", "effect"),
    [
        ({"domain": "airline"}, "suite", "limits"),
        ({"user": "model"}, "simulated user", "limits"),
        ({"inputs": "sha256:2"}, "inputs", "limits"),
        ({"k": 3}, "trials per case", "notes"),
        ({"pendingReview": [{"kind": "task", "id": "x"}]}, "pending review", "limits"),
    ],
)
def test_each_difference_between_runs_is_named(
    said: dict[str, Any], field: str, effect: str
) -> None:
    a = sandtable({"x": "p"}, user="scripted", inputs="sha256:1")
    b = sandtable({"x": "p"}, **{"user": "scripted", "inputs": "sha256:1", **said})
    assert differences(a, b) == {field: effect}
    assert differences(b, a) == {field: effect}
    assert differences(a, a) == {}


def test_what_a_file_does_not_say_is_no_difference() -> None:
    a = sandtable({"x": "p"}, user="scripted", inputs="sha256:1")
    assert differences(a, sandtable({"x": "p"})) == {}


def test_the_target_is_what_runs_are_compared_for() -> None:
    a, b = sandtable({"x": "p"}, agent="one"), sandtable({"x": "p"}, agent="two")
    report = evalglot.diff(a, b)
    assert report.comparable.verdict == "comparable"
    assert (report.a.targets, report.b.targets) == (("one",), ("two",))


def test_other_checks_on_the_same_cases_limit_what_can_be_said() -> None:
    def run(kind: str) -> Any:
        checks = [{"type": kind, "value": "x"}]
        tested = {"description": "t", "vars": {"q": "t"}, "assert": checks}
        return promptfoo([{"test": "t", "testCase": tested}])

    assert differences(run("contains"), run("equals")) == {"checks": "limits"}
    assert differences(run("equals"), run("equals")) == {}


def test_an_unfinished_run_limits_what_can_be_said() -> None:
    def run(status: str) -> Any:
        case = {"case_id": "1", "content": "Hi", "passed": True}
        counts = {"total_cases": 1, "pass_rate": 1.0}
        return {"eval_id": "e", "status": status, **counts, "cases": [case]}

    assert differences(run("completed"), run("partial")) == {"status": "limits"}
    assert differences(run("completed"), run("completed")) == {}
