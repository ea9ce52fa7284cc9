"""promptfoo's own files, of four releases: what they say, and that they come home."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from converter import chain
from converter.chain import Stage
from converter.facts import Case, Check, Run, Trial
from converter.form import Context, Seat, Survey
from converter.formats.promptfoo import PROMPTFOO, read, read_run, write, write_run
from converter.formats.promptfoo_totals import PROMPT_ID, EvalTally
from registry import gate
from registry.values import same
from tests.converter import samples

REAL = [
    path
    for path in samples.valid()
    if path.name.startswith("real-") and samples.ref(path).startswith("promptfoo@")
]
V2, V3 = samples.FIXTURES / "promptfoo/2/valid", samples.FIXTURES / "promptfoo/3/valid"


def said(path: Path) -> tuple[Run, list[tuple[Case, Trial]]]:
    """What does a promptfoo file of any version say?"""
    top = samples.staged(path)
    if top.version != PROMPTFOO.version:
        top = chain.convert(top, "promptfoo", PROMPTFOO.version)
    rows = [record for group in top.parts.groups for record in group.records]
    return read_run(top.parts.envelope), [read(row, None) for row in rows]


def reread(document: Any, ref: str) -> Stage:
    """The document as it is read from its bytes."""
    return chain.stage(gate.load(gate.dump(document)), ref)


COUNTS = {
    V2 / "real-0.43.1.json": ({"passed": 4, "failed": 2}, 6),
    V2 / "real-0.81.5.json": ({"passed": 19, "failed": 14, "error": 7}, 59),
    V3 / "real-0.117.11.json": ({"passed": 22, "failed": 14, "error": 4}, 64),
    V3 / "real-0.117.11-repeat.json": ({"passed": 44, "failed": 28, "error": 8}, 128),
    V3 / "real-0.123.1.json": ({"passed": 4, "failed": 2}, 6),
}


@pytest.mark.parametrize("path", COUNTS, ids=samples.name)
def test_verdicts_and_checks_of_real_files(path: Path) -> None:
    _, trials = said(path)
    verdicts, checks = COUNTS[path]
    assert Counter(trial.verdict for _, trial in trials) == verdicts
    assert sum(len(trial.checks or ()) for _, trial in trials) == checks


@pytest.mark.parametrize(
    ("path", "ref"),
    [
        pytest.param(path, version.ref, id=f"{samples.name(path)}-{version.ref}")
        for path in REAL
        for version in samples.versions()
        if samples.ref(path) != version.ref
    ],
)
def test_a_real_file_comes_home_and_goes_again(path: Path, ref: str) -> None:
    id_, _, version = ref.partition("@")
    first = chain.convert(samples.staged(path), id_, version).document()
    home = chain.convert(reread(first, ref), "promptfoo", samples.ref(path).partition("@")[2])
    assert same(home.document(), samples.document(path))
    assert home.stale == ()
    assert same(chain.convert(home, id_, version).document(), first)


def test_facts_of_a_real_run() -> None:
    run, trials = said(V3 / "real-0.123.1-nan-row-lost.json")
    assert (run.id, run.suite, run.started) == (
        "eval-mDm-2026-12-01T06:05:40",
        "d",
        "2026-12-01T06:05:40.866Z",
    )
    assert (run.duration_ms, run.k) == (38, 2)
    assert len(trials) == 6


def test_facts_of_a_real_row() -> None:
    _, trials = said(V3 / "real-0.117.11.json")
    case, trial = trials[0]
    assert case.description == "contains passes"
    assert same(case.variables, {"name": "Ada", "place": "London"})
    assert (case.risk, case.severity) == ("coding-agent:secret-env-read", "high")
    assert (trial.provider, trial.provider_label) == ("echo", "echo-one")
    assert (trial.verdict, trial.score, trial.session_id) == ("passed", 0.875, "s-1")
    assert trial.checks is not None
    assert trial.checks[0] == Check(
        id="Naming",
        kind="promptfoo:contains",
        passed=True,
        score=1,
        reason="Assertion passed",
        value="Ada",
    )


def test_an_error_says_why_and_was_not_graded() -> None:
    _, trials = said(V3 / "real-0.117.11.json")
    errors = [trial for _, trial in trials if trial.verdict == "error"]
    assert {(trial.error or "").split("\n")[0] for trial in errors} == {
        "Error: provider exploded on purpose",
        "API error: 429 Too Many Requests",
    }
    assert all(trial.checks == () for trial in errors)


def test_repeats_are_trials_of_one_case() -> None:
    there = chain.convert(samples.staged(V3 / "real-0.117.11-repeat.json"), "sandtable").document()
    assert Counter(len(task["trials"]) for task in there["tasks"]) == {2: 40}
    assert there["k"] == 2


@pytest.mark.parametrize("name", ["real-0.43.1.json", "real-0.81.5.json"])
def test_rows_of_version_2_find_their_tests_in_the_table(name: str) -> None:
    document = samples.document(V2 / name)
    tests = [line["test"] for line in document["results"]["table"]["body"]]
    _, trials = said(V2 / name)
    assert len(trials) == len(document["results"]["results"])
    for row, (case, _) in zip(document["results"]["results"], trials, strict=True):
        (test,) = (test for test in tests if described(test, row, case))
        assert same(case.assertions, test.get("assert"))


def described(test: Any, row: Any, case: Case) -> bool:
    """Is this the row's test? A list of values stands for several rows."""
    return bool(
        test.get("description") == case.description
        and all(same(row["vars"].get(name), value) for name, value in test["vars"].items())
    )


def test_version_2_counts_errors_among_the_failures() -> None:
    document = samples.document(V2 / "real-0.81.5.json")
    assert document["results"]["stats"]["failures"] == 21
    above = chain.convert(samples.staged(V2 / "real-0.81.5.json"), "promptfoo", "3").document()
    stats = above["results"]["stats"]
    assert (stats["successes"], stats["failures"], stats["errors"]) == (19, 14, 7)
    below = chain.convert(samples.staged(V3 / "real-0.117.11.json"), "promptfoo", "2").document()
    assert below["results"]["stats"]["failures"] == 18
    assert "errors" not in below["results"]["stats"]


def test_version_2_lists_prompts_at_the_head_of_its_table() -> None:
    below = chain.convert(samples.staged(V3 / "real-0.117.11.json"), "promptfoo", "2").document()
    assert below["results"]["version"] == 2
    assert len(below["results"]["table"]["head"]["prompts"]) == 4
    assert "prompts" not in below["results"]


def test_json_lines_come_home_from_version_2() -> None:
    path = V3 / "real-0.123.1-rows.jsonl"
    below = chain.convert(samples.staged(path), "promptfoo", "2").document()
    home = chain.convert(reread(below, "promptfoo@2"), "promptfoo", "3")
    assert home.parts.shape["container"] == "lines"
    assert same(home.document(), samples.document(path))


def test_an_edit_of_a_row_of_version_2_comes_home_with_all_else_kept() -> None:
    source = samples.staged(V3 / "real-0.117.11.json")
    below = gate.load(gate.dump(chain.convert(source, "promptfoo", "2").document()))
    below["results"]["results"][0]["prompt"]["raw"] = "Hello Eve"
    below["results"]["results"].reverse()
    home = chain.convert(chain.stage(below, "promptfoo@2"), "promptfoo", "3").document()
    rows = samples.document(V3 / "real-0.117.11.json")["results"]["results"]
    wanted = [{**rows[0], "prompt": {**rows[0]["prompt"], "raw": "Hello Eve"}}, *rows[1:]]
    assert same(home["results"]["results"], wanted[::-1])


FIRST = Seat(0, 0, 0)


def written(trial: Trial, case: Case | None = None, survey: Survey | None = None) -> Any:
    context = Context(Run(target="model-a"), survey or Survey())
    return write(case or Case(input="Hi"), trial, FIRST, context)


@pytest.mark.parametrize("verdict", ["passed", "failed", "review", "error", "skipped"])
def test_every_verdict_is_kept_apart(verdict: Any) -> None:
    row = written(Trial(verdict=verdict))
    assert row["success"] is (verdict == "passed")
    assert read(row, None)[1].verdict == verdict


def test_an_error_has_no_grading() -> None:
    row = written(Trial(verdict="error", reason="timed out"))
    assert (row["failureReason"], row["error"], row["gradingResult"]) == (2, "timed out", None)


def test_a_soft_check_weighs_nothing() -> None:
    soft = Check("confirm-rate", passed=False, hard=False)
    row = written(Trial(verdict="passed", checks=(soft,)))
    component = row["gradingResult"]["componentResults"][0]
    assert component["assertion"]["weight"] == 0
    assert same(row["namedScores"], {})
    (back,) = read(row, None)[1].checks or ()
    assert (back.id, back.passed, back.hard) == ("confirm-rate", False, False)


def test_a_failed_row_repeats_its_reason_as_error() -> None:
    row = written(Trial(verdict="failed", checks=(Check("m", passed=False, reason="too long"),)))
    assert row["error"] == row["gradingResult"]["reason"] == "too long"
    assert same(row["namedScores"], {"m": 0})


def test_checks_that_an_errored_row_does_not_say_are_not_counted() -> None:
    tally = EvalTally()
    checks = (Check("a", passed=True), Check("b", passed=False))
    tally.add(
        Case(), [Trial(verdict="error", checks=checks), Trial(verdict="failed", checks=checks)]
    )
    (prompt,) = write_run(Context(Run()), tally)["results"]["prompts"]
    assert [prompt["metrics"][f"assert{kind}Count"] for kind in ("Pass", "Fail")] == [1, 1]


def test_totals_are_kept_for_each_target() -> None:
    tally = EvalTally()
    for provider, verdict in (("a", "passed"), ("b", "error"), ("a", "failed")):
        trial = Trial(provider=provider, verdict=verdict, latency_ms=5)  # type: ignore[arg-type]
        tally.add(Case(), [trial])
    envelope = write_run(Context(Run(duration_ms=7)), tally)
    stats = envelope["results"]["stats"]
    assert (stats["successes"], stats["failures"], stats["errors"]) == (1, 1, 1)
    assert stats["durationMs"] == 7
    prompts = envelope["results"]["prompts"]
    assert [(one["provider"], one["id"]) for one in prompts] == [("a", PROMPT_ID), ("b", PROMPT_ID)]
    assert prompts[0]["metrics"]["totalLatencyMs"] == 10
