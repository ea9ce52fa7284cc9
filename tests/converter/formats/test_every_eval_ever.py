"""What rows and aggregates of Every Eval Ever say, and how other runs are said as such."""

from __future__ import annotations

from typing import Any

import pytest

from converter import api
from converter.facts import Case, Check, Event, ModelUsage, Run, Trial, Verdict
from converter.form import Context
from converter.formats.every_eval_ever import read, write
from converter.formats.every_eval_ever_layout import ROWS
from registry import validation
from tests.converter import samples

VALID = samples.FIXTURES / "every-eval-ever/0.3/valid"
INSPECT = samples.FIXTURES / "inspect/2/valid"
ROW: dict[str, Any] = {
    "schema_version": "0.3.0",
    "evaluation_id": "e",
    "model_id": "acme/m",
    "evaluation_name": "set",
    "sample_id": "s1",
    "interaction_type": "single_turn",
    "input": {"raw": "Q", "reference": ["A"]},
    "output": {"raw": ["A", "B"]},
    "answer_attribution": [],
    "evaluation": {"score": 0.5, "is_correct": True},
}


def told(**fields: Any) -> tuple[Case, Trial]:
    return read({**ROW, **fields}, None)


def written(trial: Trial, case: Case | None = None) -> list[dict[str, Any]]:
    record = write(case or Case(id="s1", input="Q"), trial, None, Context(Run(suite="set")))
    rows = [{key: held for key, held in record.items() if key != ROWS}, *record.get(ROWS, ())]
    for row in rows:
        assert validation.record_check("every-eval-ever@0.3")(row)
    return rows


def test_a_row_says_its_case_and_trial() -> None:
    case, trial = told()
    assert (case.id, case.dataset, case.input, case.expected) == ("s1", "set", "Q", "A")
    assert (trial.verdict, trial.score, trial.output) == ("passed", 0.5, "A")
    assert (trial.provider, trial.checks) == ("acme/m", None)


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        ({"evaluation": {"score": 1, "is_correct": False}}, "failed"),
        ({"error": "timed out"}, "error"),
        ({"metadata": {"verdict": "review"}}, "review"),
        ({"metadata": {"verdict": "skipped"}, "error": "no time"}, "skipped"),
        ({"metadata": {"verdict": ["odd"]}}, "passed"),
    ],
)
def test_the_verdict_is_told_by_what_says_it_best(fields: Any, verdict: Verdict) -> None:
    assert told(**fields)[1].verdict == verdict


def test_a_row_for_each_value_of_a_dict_scorer_is_one_trial() -> None:
    (case,) = api.read_run(samples.document(VALID / "dict-scorer_samples.jsonl"), lines=True).cases
    (trial,) = case.trials
    assert [(check.id, check.score) for check in trial.checks or ()] == [
        ("judge/style", 0.8),
        ("judge/length", 41),
        ("judge/truth", 1),
    ]


def test_dict_scorers_keep_their_rows() -> None:
    log = samples.document(INSPECT / "dict-and-list-scores.json")
    made = api.convert(log, "every-eval-ever")
    named = {row.get("evaluation_result_id") for row in made["samples"]}
    values = {
        f"{name}/{key}"
        for sample in log["samples"]
        for name, score in sample["scores"].items()
        if isinstance(score["value"], dict)
        for key in score["value"]
    }
    assert values
    assert values <= named


def test_a_score_that_is_nan_counts_nowhere_and_aborts_nothing() -> None:
    log = samples.document(INSPECT / "nan-scores.json")
    made = api.convert(log, "every-eval-ever", carry=False)
    unscored = [row for row in made["samples"] if "check_unscored" in row.get("metadata", {})]
    assert unscored
    assert all(not row["evaluation"]["is_correct"] for row in unscored)
    (result,) = (
        one for one in made["evaluation_results"] if one.get("evaluation_result_id") == "num"
    )
    scored = [
        row["evaluation"]["score"]
        for row in made["samples"]
        if row.get("evaluation_result_id") == "num" and row not in unscored
    ]
    assert result["score_details"]["uncertainty"]["num_samples"] == len(scored)
    assert result["score_details"]["score"] == pytest.approx(sum(scored) / len(scored))


def test_rows_of_several_trials_are_told_apart() -> None:
    run = api.read_run(samples.document(VALID / "unusual_samples.jsonl"), lines=True)
    same = next(one for one in run.cases if one.case.id == "same")
    assert [[check.id for check in trial.checks or ()] for trial in same.trials] == [
        ["m1"],
        ["m1", "m2"],
        ["m2"],
    ]


def test_the_first_check_leads_where_it_comes_to_what_the_trial_does() -> None:
    checks = (Check(id="a", passed=True, score=1.0), Check(id="b", passed=False, score=0.25))
    rows = written(Trial(verdict="passed", score=1.0, checks=checks))
    assert [row["evaluation_result_id"] for row in rows] == ["a", "b"]
    rows = written(Trial(verdict="failed", score=0.5, checks=checks))
    assert [row.get("evaluation_result_id") for row in rows] == [None, "a", "b"]
    assert rows[0]["evaluation"] == {"score": 0.5, "is_correct": False}


def test_checks_of_one_name_and_of_none_have_results_of_their_own() -> None:
    checks = (Check(id="a", passed=True), Check(id="a", passed=False), Check(passed=None))
    rows = written(Trial(verdict="failed", checks=checks))
    assert [row.get("evaluation_result_id") for row in rows] == [None, "a", "a (2)", "check"]
    assert rows[3]["metadata"]["check_verdict"] == "review"


@pytest.mark.parametrize("verdict", ["passed", "failed", "review", "error", "skipped"])
def test_each_verdict_comes_back(verdict: Verdict) -> None:
    (row,) = written(Trial(verdict=verdict))
    assert read(row, None)[1].verdict == verdict
    (row,) = written(Trial(verdict=verdict, error="odd"))
    assert read(row, None)[1].verdict == verdict


def test_an_error_is_no_score() -> None:
    (row,) = written(Trial(verdict="error", error="timed out"))
    assert row["evaluation"] == {"score": 0.0, "is_correct": False}
    assert read(row, None)[1].score is None


def test_a_transcript_with_tools_is_agentic() -> None:
    events = (
        Event("user", "How far?"),
        Event("tool", name="map", arguments={"to": "Quito", "km": 1}, result={"km": 1326}),
        Event("agent", "1326 km"),
    )
    (row,) = written(Trial(verdict="passed", transcript=events, output="1326 km"))
    assert row["interaction_type"] == "agentic"
    assert "output" not in row
    assert [message["role"] for message in row["messages"]] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    _, trial = read(row, None)
    assert trial.output == "1326 km"
    called = next(event for event in trial.transcript or () if event.kind == "tool")
    assert (called.name, called.arguments) == ("map", {"to": "Quito", "km": 1})


def test_two_models_are_counted_together() -> None:
    usage = (ModelUsage(input=3, output=4), ModelUsage(input=5, cache_read=6))
    (row,) = written(Trial(verdict="passed", usage=usage))
    assert row["token_usage"] == {
        "input_tokens": 8,
        "output_tokens": 4,
        "total_tokens": 18,
        "input_tokens_cache_read": 6,
    }


def test_trials_of_a_sample_are_epochs() -> None:
    log = samples.document(INSPECT / "epochs.json")
    made = api.convert(log, "every-eval-ever")
    told = [(row["sample_id"], row["metadata"]["epoch"]) for row in made["samples"]]
    assert {epoch for _, epoch in told} > {"1", "2"} or {epoch for _, epoch in told} == {"1", "2"}


def test_what_is_reported_as_lost_has_the_place_of_its_row() -> None:
    from converter.examining import examine

    found = examine(samples.staged(VALID / "typical.json"), "cbl", pointers=True)
    places = {
        place for field in found.fields for place in field.pointers or () if "samples" in place
    }
    rows = {int(place.split("/")[2]) for place in places}
    assert rows == set(range(len(samples.document(VALID / "typical.json")["samples"])))
    assert not any("\0" in place for place in places)


def test_a_negative_number_of_tokens_has_no_place() -> None:
    (row,) = written(
        Trial(verdict="passed", usage=(ModelUsage(input=-1, output=-1, cache_read=2),))
    )
    assert row["token_usage"] == {
        "input_tokens": 0,
        "output_tokens": 0,
        "total_tokens": 2,
        "input_tokens_cache_read": 2,
    }
