"""What test runs of deepeval say, and how other runs are said as such."""

from __future__ import annotations

from typing import Any

import pytest

from converter import api
from converter.facts import Case, Check, Event, ModelUsage, Run, Trial
from converter.form import Context, Seat
from converter.formats.deepeval import read, write
from converter.formats.deepeval_layout import TALK
from registry.values import same
from tests.converter import samples

VALID = samples.FIXTURES / "deepeval/4/valid"
TALKS = Context(Run(), shape={"turns": "multi"})
BROKEN = {"name": "B", "success": False, "error": "ValueError: no"}
FAILED = {"name": "F", "success": False, "score": 0.25, "reason": "too short"}
PASSED = {"name": "P", "success": True, "score": 0.75, "reason": "fits"}
OPEN = {"name": "O", "score": 16.0}


def told(success: bool | None, *metrics: dict[str, Any]) -> Trial:
    record = {"name": "a", "input": "Q", "success": success, "metricsData": list(metrics)}
    return read(record, None)[1]


def written(trial: Trial, context: Context = Context(Run())) -> dict[str, Any]:  # noqa: B008
    return write(Case(input="Q"), trial, None, context)


@pytest.mark.parametrize(
    ("success", "metrics", "verdict"),
    [
        (True, [PASSED], "passed"),
        (True, [{**BROKEN, "success": None}], "passed"),
        (False, [PASSED, FAILED], "failed"),
        (False, [PASSED, BROKEN], "error"),
        (False, [FAILED, BROKEN], "failed"),
        (False, [{**FAILED, "flaky": True}, BROKEN], "error"),
        (False, [{**BROKEN, "flaky": True}, PASSED], "failed"),
        (False, [], "failed"),
        (None, [OPEN], "review"),
    ],
)
def test_an_error_is_a_failure_by_what_broke_down_alone(
    success: bool | None, metrics: list[dict[str, Any]], verdict: str
) -> None:
    assert told(success, *metrics).verdict == verdict


def test_a_trial_has_the_score_of_its_only_metric() -> None:
    assert (told(True, PASSED).score, told(True, PASSED).reason) == (0.75, "fits")
    assert (told(True, PASSED, OPEN).score, told(True, PASSED, OPEN).reason) == (None, None)


def test_a_trial_that_failed_has_the_reason_of_the_first_that_did() -> None:
    assert told(False, PASSED, FAILED).reason == "too short"
    assert told(False, PASSED, BROKEN).error == "ValueError: no"


def test_metrics_that_never_decide_are_soft() -> None:
    checks = told(False, FAILED, {**FAILED, "flaky": True}, OPEN, BROKEN).checks or ()
    assert [check.hard for check in checks] == [True, False, False, True]
    assert [check.passed for check in checks] == [False, False, None, None]
    assert checks[-1].reason == "ValueError: no"


@pytest.mark.parametrize("verdict", ["passed", "failed", "review", "error"])
@pytest.mark.parametrize("context", [Context(Run()), TALKS])
def test_verdicts_from_elsewhere_come_back(verdict: Any, context: Context) -> None:
    error = "lost" if verdict == "error" else None
    trial = Trial(verdict=verdict, score=0.25, reason="so", error=error, output="A")
    back = read(written(trial, context), None)[1]
    assert (back.verdict, back.score, back.reason) == (verdict, 0.25, "so")
    assert (back.error, back.output, back.checks) == (error, "A", None)


def test_an_error_from_elsewhere_is_one_whatever_failed() -> None:
    trial = Trial(verdict="error", error="lost", checks=(Check("runs", passed=False),))
    back = read(written(trial), None)[1]
    assert (back.verdict, back.error, back.checks) == ("error", "lost", trial.checks)


def test_what_went_wrong_in_a_trial_that_failed_comes_back() -> None:
    trial = Trial(verdict="failed", error="lost", output="A")
    back = read(written(trial), None)[1]
    assert (back.verdict, back.error, back.reason) == ("failed", "lost", None)


def test_what_one_metric_says_needs_no_other() -> None:
    check = Check("fits", passed=True, score=0.5, threshold=0.5, reason="well")
    made = written(Trial(verdict="passed", score=0.5, reason="well", checks=(check,)))
    assert [metric["name"] for metric in made["metricsData"]] == ["fits"]
    broken = Check("fits", reason="lost")
    made = written(Trial(verdict="error", error="lost", checks=(broken,)))
    assert [(one["name"], one["error"]) for one in made["metricsData"]] == [("fits", "lost")]


def test_names_made_of_a_position_say_nothing() -> None:
    for name in ("test_case_3", "conversational_test_case_0", "test_case_None"):
        assert read({"name": name, "input": "Q"}, None)[0].name is None
    assert read({"name": "test_case_3b", "input": "Q"}, None)[0].name == "test_case_3b"
    seat, trial = Seat(7, 7, 0), Trial(verdict="passed")
    assert write(Case(), trial, seat, Context(Run()))["name"] == "test_case_7"
    assert write(Case(), trial, seat, TALKS)["name"] == "conversational_test_case_7"


def test_an_id_stands_for_a_name_and_is_none() -> None:
    made = write(Case(id="c-7", input="Q"), Trial(), None, Context(Run()))
    assert (made["name"], made["metadata"]) == ("c-7", {"id": "c-7"})
    assert read(made, None)[0] == Case(id="c-7", input="Q")


def test_tools_are_steps_between_question_and_answer() -> None:
    tool = Event("tool", name="look", arguments={"day": "today"}, result="9-17")
    events = (Event("user", "Q"), tool, Event("agent", "A"))
    trial = Trial(verdict="passed", output="A", transcript=events)
    for context in (Context(Run()), TALKS):
        made = written(trial, context)
        assert read(made, None)[1].transcript == events
        assert (TALK in made) == (context is TALKS)


def test_a_tool_that_nobody_speaks_after_has_a_turn_of_its_own() -> None:
    events = (Event("user", "Q"), Event("tool", name="look"))
    turns = written(Trial(transcript=events), TALKS)["turns"]
    assert [(turn["role"], turn["content"]) for turn in turns] == [("user", "Q"), ("assistant", "")]
    assert turns[1]["toolsCalled"] == [{"name": "look", "type": "FUNCTION"}]


def test_times_are_seconds_and_tokens_are_those_of_the_target() -> None:
    usage = (ModelUsage(input=3, output=4), ModelUsage("user", input=9))
    made = written(Trial(latency_ms=1500, duration_ms=10**400, usage=usage))
    assert (made["completionTime"], made["runDuration"]) == (1.5, 10**397)
    assert (made["inputTokenCount"], made["outputTokenCount"]) == (3, 4)
    assert "runDuration" not in written(Trial(duration_ms=10**400 + 1))
    huge = read({"name": "a", "input": "Q", "completionTime": 1e308}, None)[1]
    assert huge.latency_ms is None


def test_a_file_has_cases_of_one_kind() -> None:
    talk = samples.document(samples.FIXTURES / "sandtable/1.1/valid/typical.json")
    made = api.convert(talk, "deepeval")
    assert (made["testCases"], bool(made["conversationalTestCases"])) == ([], True)
    asked = samples.document(samples.FIXTURES / "promptfoo/3/valid/typical.json")
    made = api.convert(asked, "deepeval")
    assert (bool(made["testCases"]), made["conversationalTestCases"]) == (True, [])


@pytest.mark.parametrize("path", sorted(VALID.glob("real-*.json")), ids=samples.name)
def test_totals_of_real_runs_are_counted_as_deepeval_does(path: Any) -> None:
    document = samples.document(path)
    clean = api.convert(document, "promptfoo", source="deepeval", carry=False)
    made = api.convert(clean, "deepeval", carry=False)
    own = document.get("testRunData", document)
    assert made["testPassed"] == own["testPassed"]
    assert made["testFailed"] == own["testFailed"]


def test_both_lists_come_home_in_their_order() -> None:
    document = samples.document(VALID / "unusual.json")
    there = api.convert(document, "sandtable", source="deepeval")
    assert same(api.convert(there, "deepeval"), document)
