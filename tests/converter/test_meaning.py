"""What a conversion says by itself: the carry would bring home what was said wrong, too."""

from __future__ import annotations

from typing import Any

import pytest

from converter import chain
from converter.blanks import Blank, without
from converter.codecs import NUMBERED, UNIT_SCORE
from registry import validation
from registry.values import same

ITEM: dict[str, Any] = {
    "ScenarioID": "s",
    "SeedID": "1",
    "CasePrompt": "Hi",
    "ActualOutput": "No.",
    "Status": "PASS",
    "Passed": True,
}
RESULT: dict[str, Any] = {
    "test_result_id": 1,
    "iteration": 0,
    "user_input": "Hi",
    "conversation_id": 2,
    "model_response": "No.",
    "safe_response_score": 0.25,
    "passed": False,
}
CASE: dict[str, Any] = {
    "case_id": "a",
    "content": "Hi",
    "passed": True,
    "score": 1.5,
    "error": None,
    "response": "No.",
}


def converted(document: Any, source: str, target: str) -> Any:
    id_, _, version = target.partition("@")
    return chain.convert(chain.stage(document, source), id_, version).document()


@pytest.mark.parametrize("text", ["007", "+7", "-0", " 7", "7.0", "٧", "9" * 19])  # noqa: RUF001
def test_only_the_one_spelling_of_a_number_is_an_id(text: str) -> None:
    assert NUMBERED.write is not None
    assert NUMBERED.write(text) is None
    assert same(NUMBERED.write("-7"), -7)


@pytest.mark.parametrize(("score", "written"), [(-0.5, 0), (0.5, 0.5), (1.5, 1)])
def test_a_score_is_clamped_to_its_scale(score: float, written: float) -> None:
    assert UNIT_SCORE.write is not None
    assert same(UNIT_SCORE.write(score), written)


def test_a_score_off_the_scale_makes_a_valid_file() -> None:
    report = {"eval_id": "e", "status": "completed", "total_cases": 1, "passed": 1, "failed": 0}
    report |= {"errors": 0, "pass_rate": 1.0, "cases": [CASE]}
    there = converted(report, "promptbeat@1", "cbl@4")
    assert validation.problems(there, "cbl@4") == []
    assert same(there["results"][0]["safe_response_score"], 1)


def test_versions_before_4_list_only_what_failed() -> None:
    run = {"evaluation_id": 7, "total_passed": 1, "total_failed": 1}
    both = [RESULT, {**RESULT, "test_result_id": 2, "passed": True}]
    old = converted({**run, "results": both}, "cbl@4", "cbl@3.1")
    assert [[one["test_result_id"] for one in layer] for layer in old["failed_results"]] == [[1]]


def test_version_1_0_does_not_have_what_came_with_1_1() -> None:
    task = {"id": "t", "description": "d", "tags": [], "critical": True, "trials": [], "passes": 0}
    suite = converted([ITEM], "promptbeat-judgment@1", "sandtable@1.1") | {"tasks": [task]}
    suite.pop("x-evalglot")
    old = converted(suite, "sandtable@1.1", "sandtable@1.0")
    assert "critical" not in old["tasks"][0]


def test_the_order_of_keys_counts() -> None:
    assert not same({"a": 1, "b": 1}, {"b": 1, "a": 1})
    assert same({"a": 1, "b": 1}, {"b": 1, "a": 1}, key_order=False)


def test_a_blank_says_nothing_until_it_is_edited() -> None:
    blanks = (Blank("a", 0),)
    assert same(without({"a": 0, "b": 1}, ["a"], blanks), {"b": 1})
    assert same(without({"a": 5, "b": 1}, ["a"], blanks), {"a": 5, "b": 1})
    assert same(without({"a": 0, "b": 1}, [], blanks), {"a": 0, "b": 1})


def test_what_passed_without_a_score_scores_one() -> None:
    there = converted([ITEM], "promptbeat-judgment@1", "promptfoo@3")
    assert same(there["results"]["prompts"][0]["metrics"]["score"], 1)


def test_seeds_of_two_scenarios_are_two_cases_of_a_report() -> None:
    items = [{**ITEM, "ScenarioID": name} for name in ("s", "t", "s")]
    cases = converted(items, "promptbeat-judgment@1", "promptbeat@1")["cases"]
    assert [case["case_id"] for case in cases] == ["1", "1#1", "1#2"]


def test_a_case_without_a_name_is_told_by_what_was_asked() -> None:
    results = [{**RESULT, "user_input": text} for text in ("a", "b")]
    for result in results:
        del result["test_result_id"], result["iteration"], result["passed"]
    source = {"total_passed": 0, "total_failed": 2, "failed_results": results}
    written = converted({**source, "test_case_groups": []}, "cbl@3", "promptbeat@1")
    assert len({case["case_id"] for case in written["cases"]} - {"", "0"}) == 2


def test_targets_asked_the_same_share_a_test() -> None:
    items = [
        {**ITEM, "SeedID": seed, "ProviderID": provider}
        for seed in ("1", "1", "2")
        for provider in ("a", "b")
    ]
    rows = converted(items, "promptbeat-judgment@1", "promptfoo@3")["results"]["results"]
    assert [row["testIdx"] for row in rows] == [0, 0, 1, 1, 2, 2]
    assert [row["promptIdx"] for row in rows] == [0, 1, 0, 1, 0, 1]
