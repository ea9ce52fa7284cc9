"""What other tools get wrong when they compare runs; each trap is one small pair of files."""

from __future__ import annotations

from typing import Any

import pytest

import evalglot
from diffruns.changes import FIELDS
from diffruns.gates import Asked
from diffruns.renderers import words
from evalglot import DiffOptions
from tests.diffruns.documents import ERROR, FAILED, cbl_failing_only, promptfoo, sandtable


def buckets(a: Any, b: Any, **given: Any) -> dict[str, str]:
    return {case.id: case.bucket for case in evalglot.diff(a, b, **given).cases}


def test_a_case_that_could_not_be_judged_is_neither_removed_nor_added() -> None:
    report = evalglot.diff(
        promptfoo([{"test": "t"}, {"test": "u"}]),
        promptfoo([{"test": "t", **ERROR}, {"test": "u"}]),
    )
    assert [case.bucket for case in report.cases] == ["errored", "unchanged"]
    assert report.summary.compared == 1
    assert report.summary.b.rate
    assert report.summary.b.rate.bracket == (0.5, 1.0)


def test_a_case_without_a_score_is_unscored_not_unchanged_and_not_zero() -> None:
    rows = [{"test": "t", "score": 0.5}, {"test": "u", "score": 0.5}]
    unscored = [{"test": "t", "score": float("nan")}, {"test": "u", "score": 0.5}]
    report = evalglot.diff(promptfoo(rows), promptfoo(unscored))
    case = next(case for case in report.cases if case.id == "t")
    assert case.bucket == "score-moved"
    assert case.b
    assert case.b.score is None
    assert report.summary.b.score
    assert (report.summary.b.score.value, report.summary.b.score.n) == (0.5, 1)
    assert report.summary.delta["score"].n == 1


def test_what_a_tool_writes_as_score_of_an_error_is_none() -> None:
    rows = [{"test": f"t{n}", "score": 1} for n in range(4)]
    report = evalglot.diff(promptfoo(rows), promptfoo([*rows[:3], {**rows[3], **ERROR}]))
    assert report.summary.b.score
    assert (report.summary.b.score.value, report.summary.b.score.n) == (1, 3)
    assert (report.summary.delta["score"].value, report.summary.delta["score"].n) == (0, 3)


def test_a_trial_in_error_beside_a_passed_one_makes_no_flaky_case() -> None:
    twice = [{"test": "c", "testIdx": 0}] * 2
    report = evalglot.diff(promptfoo(twice), promptfoo([twice[0], {**twice[1], **ERROR}]))
    (case,) = report.cases
    assert case.bucket == "errored"
    assert words.change_of_verdict(case) == "passed 2/2 → passed 1/1 +1 error"


def test_a_score_that_moves_under_one_verdict_is_shown() -> None:
    a, b = (promptfoo([{"test": "t", "score": score}]) for score in (0.1, 0.9))
    (case,) = evalglot.diff(a, b).cases
    assert case.bucket == "score-moved"
    assert [(one.field, one.a, one.b) for one in case.changes] == [("score", 0.1, 0.9)]
    assert buckets(a, b, options=DiffOptions(tolerance=0.9)) == {"t": "unchanged"}


def test_an_older_promptfoo_file_aligns_with_a_newer_one_by_what_was_asked() -> None:
    newer = promptfoo([{"test": name} for name in "tuv"])
    older = evalglot.convert(newer, "promptfoo@2", carry="none")
    report = evalglot.diff(older, newer)
    assert report.a.version == "2"
    assert report.b.version == "3"
    assert {case.bucket for case in report.cases} == {"unchanged"}
    assert report.summary.compared == 3


def test_one_missing_row_does_not_stop_the_comparison() -> None:
    report = evalglot.diff(
        promptfoo([{"test": name} for name in "tuv"]), promptfoo([{"test": name} for name in "tv"])
    )
    assert [case.bucket for case in report.cases] == ["unchanged", "removed", "unchanged"]
    assert report.exit_code == 0


@pytest.mark.parametrize("fail_on", [("regression",), ("new-failure",), ("error",)])
def test_two_equal_runs_that_fail_everything_pass_the_gate(fail_on: Any) -> None:
    run = promptfoo([{"test": name, **FAILED} for name in "tuv"])
    asked = Asked(fail_on=fail_on, max_drop=0.0)
    report = evalglot.diff(run, run, DiffOptions(asked=asked))
    assert [gate.tripped for gate in report.gates] == [False, False]
    assert report.exit_code == 0


def test_runs_without_a_common_case_may_not_be_compared() -> None:
    report = evalglot.diff(promptfoo([{"test": "t"}]), promptfoo([{"test": "u"}]))
    assert report.comparable.verdict == "not comparable"
    assert report.exit_code == 3


def test_runs_without_any_case_leave_nothing_to_assess() -> None:
    assert evalglot.diff(sandtable({}), sandtable({})).exit_code == 4


def test_repeats_are_trials_of_one_case() -> None:
    repeated = [{"test": "t", "testIdx": 0}, {"test": "t", "testIdx": 0, **FAILED}]
    report = evalglot.diff(promptfoo([{"test": "t"}]), promptfoo(repeated))
    (case,) = report.cases
    assert case.bucket == "flaky-onset"
    assert case.b
    assert (case.b.passes, case.b.trials) == (1, 2)


def test_one_provider_with_two_labels_is_two_targets() -> None:
    def run(hot: Any, cold: Any) -> Any:
        return promptfoo(
            {"test": "t", "provider": {"id": "gpt", "label": label}, **how}
            for label, how in (("hot", hot), ("cold", cold))
        )

    report = evalglot.diff(run({}, FAILED), run(FAILED, {}), DiffOptions(by=("target",)))
    assert report.a.targets == report.b.targets == ("hot", "cold")
    assert [(case.target, case.bucket) for case in report.cases] == [
        ("hot", "broke"),
        ("cold", "fixed"),
    ]
    assert [group.value for group in report.by["target"]] == ["cold", "hot"]
    assert report.exit_code == 1
    elsewhere = evalglot.convert(run(FAILED, {}), "sandtable")
    assert evalglot.diff(run({}, FAILED), elsewhere).buckets == report.buckets


def test_the_ids_one_and_one_stay_apart() -> None:
    run = promptfoo(
        [
            {"test": "n", "vars": {"q": 1}, "testCase": {"vars": {"q": 1}}},
            {"test": "s", "vars": {"q": "1"}, "testCase": {"vars": {"q": "1"}}, **FAILED},
        ]
    )
    swapped = promptfoo(
        [
            {"test": "s", "vars": {"q": "1"}, "testCase": {"vars": {"q": "1"}}, **FAILED},
            {"test": "n", "vars": {"q": 1}, "testCase": {"vars": {"q": 1}}},
        ]
    )
    report = evalglot.diff(run, swapped)
    assert [case.bucket for case in report.cases] == ["unchanged", "unchanged"]


def test_the_order_of_cases_does_not_matter() -> None:
    a = sandtable({"x": "pp", "y": "pf", "z": "ff"})
    b = sandtable({"z": "ff", "x": "pp", "y": "pf"})
    assert set(buckets(a, b).values()) == {"unchanged"}


def test_two_and_three_trials_compare_by_each_cases_own_number() -> None:
    a = sandtable({"x": "pf", "y": "pp"})
    b = sandtable({"x": "pff", "y": "ppp"})
    report = evalglot.diff(a, b)
    assert [case.bucket for case in report.cases] == ["less-reliable", "unchanged"]
    assert report.summary.a.pass_hat == {"1": 0.75, "2": 0.5}
    assert report.summary.b.pass_hat == pytest.approx({"1": 2 / 3, "2": 0.5, "3": 0.5})
    assert report.summary.delta["rate"].value == pytest.approx((1 / 3 - 1 / 2) / 2)
    assert "pass^3" not in report.summary.delta


def test_a_failed_case_that_is_not_listed_any_more_is_not_called_fixed() -> None:
    report = evalglot.diff(cbl_failing_only(["a", "b"], 1), cbl_failing_only(["b"], 2))
    assert {case.id: case.bucket for case in report.cases} == {
        "a": "now-unlisted",
        "b": "unchanged",
    }
    assert any("does not list" in note for note in report.notes)
    back = evalglot.diff(cbl_failing_only(["b"], 2), cbl_failing_only(["a", "b"], 1))
    assert {case.id: case.bucket for case in back.cases} == {"a": "now-listed", "b": "unchanged"}


def test_a_rate_of_listed_cases_only_says_so() -> None:
    report = evalglot.diff(cbl_failing_only(["a", "b"], 2), cbl_failing_only(["b"], 3))
    told = {label.strip(): (a, b) for label, a, b, _ in words.lines(*_sides(report))}
    assert told["listed pass rate"] == ("0.0%", "0.0%")
    assert told["with unlisted"] == ("50.0%", "75.0%")
    assert "pass rate of listed cases" in words.verdict(report)
    plain = evalglot.diff(sandtable({"x": "p"}), sandtable({"x": "p"}))
    assert plain.summary.a.whole_rate is None
    assert next(words.lines(*_sides(plain)))[0] == "pass rate"


def test_more_unlisted_cases_than_any_number_are_not_counted() -> None:
    report = evalglot.diff(cbl_failing_only(["a"], 10**400), cbl_failing_only(["a"], 10**400))
    assert report.summary.a.whole_rate is None


def _sides(report: Any) -> tuple[Any, Any]:
    return report.summary.a, report.summary.b


def test_a_verdict_that_changed_over_one_output_is_told_of_the_judge() -> None:
    said = {"response": {"output": "yes"}}
    report = evalglot.diff(
        promptfoo([{"test": "t", **said}]), promptfoo([{"test": "t", **said, **FAILED}])
    )
    assert report.cases[0].bucket == "broke"
    assert any("judge" in note for note in report.notes)


def test_a_case_that_is_asked_something_else_is_left_out() -> None:
    def run(asked: str, **said: Any) -> Any:
        case = {"case_id": "1", "content": asked, "passed": True, **said}
        case["metadata"] = {"dataset": "d", "recordId": "r-1"}
        return {
            "eval_id": "e", "status": "completed", "total_cases": 1, "pass_rate": 1.0,
            "cases": [case],
        }  # fmt: skip

    report = evalglot.diff(run("Hi"), run("Ho", passed=False))
    assert [case.bucket for case in report.cases] == ["input-changed"]
    assert report.summary.compared == 0


FIELD_CHANGES: dict[str, dict[str, Any]] = {
    "score": {"score": 0.5},
    "checks": {"failed": True},
    "soft": {"soft": True},
    "output": {"response": {"output": "other"}},
    "input": {"vars": {"q": 2}, "testCase": {"description": "t", "vars": {"q": 2}}},
    "prompt": {"prompt": {"raw": "other"}},
}


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_to_ignore_is_not_looked_at(field: str) -> None:
    def run(*, failed: bool = False, soft: bool = False, **said: Any) -> Any:
        graded = [
            {"pass": not missed, "score": 1, "reason": "", "assertion": {"type": name, **weight}}
            for name, missed, weight in (("hard", failed, {}), ("soft", soft, {"weight": 0}))
        ]
        grading = {"pass": False, "score": 0, "reason": "", "componentResults": graded}
        row = {"test": "t", **FAILED, "prompt": {"raw": "Hi"}, "gradingResult": grading, **said}
        return promptfoo([row])

    a, b = run(), run(**FIELD_CHANGES[field])
    seen = evalglot.diff(a, b)
    (case,) = seen.cases
    assert field in {change.field for change in case.changes}
    assert case.bucket != "unchanged" or seen.comparable.differences
    report = evalglot.diff(a, b, DiffOptions(ignore=frozenset({field})))
    assert [(case.bucket, case.changes) for case in report.cases] == [("unchanged", ())]
    assert not report.comparable.differences
    assert all(mode.change == "same" for mode in report.failure_modes)


def test_repeated_ids_that_rows_make_one_case_of_are_ambiguous_and_never_guessed() -> None:
    run = sandtable([("same", "p"), ("same", "f"), ("other", "p")])
    for task, text in zip(run["tasks"], ("First", "Second", "Third"), strict=True):
        task["description"] = text
    for runs in ((run, evalglot.convert(run, "promptfoo")), (run, run)):
        report = evalglot.diff(*runs)
        told = [case.bucket for case in report.cases]
        assert told in (["ambiguous"] * 2 + ["unchanged", "ambiguous"], ["unchanged"] * 3)
        assert report.exit_code == 0


def test_a_case_that_nobody_tried_is_not_removed_by_rows_that_can_not_say_it() -> None:
    run = sandtable({"x": "p", "empty": ""})
    rows = evalglot.convert(run, "promptfoo")
    for runs in ((run, rows), (rows, run)):
        report = evalglot.diff(*runs)
        assert {case.bucket for case in report.cases} == {"unchanged"}
        assert "not tried, and so in no row of the other file: 1" in report.notes
    assert buckets(run, sandtable({"x": "p"})) == {"x": "unchanged", "empty": "removed"}


def test_an_output_that_is_an_object_is_the_same_in_any_order_of_its_keys() -> None:
    a = promptfoo([{"test": "t", "response": {"output": {"x": 1, "y": "\ud83d"}}}])
    b = promptfoo([{"test": "t", "response": {"output": {"y": "\ud83d", "x": 1}}}])
    c = promptfoo([{"test": "t", "response": {"output": {"x": 1.0, "y": "\ud83d"}}}])
    assert buckets(a, b) == {"t": "unchanged"}
    assert buckets(a, c) == {"t": "output-changed"}


def test_nothing_is_said_of_the_judge_where_no_output_is_known() -> None:
    report = evalglot.diff(promptfoo([{"test": "t"}]), promptfoo([{"test": "t", **FAILED}]))
    assert report.cases[0].bucket == "broke"
    assert not any("judge" in note for note in report.notes)
