"""What CTRF reports say, and what is said in them."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from converter import chain
from converter.facts import Case, Check, Run, Trial, Verdict
from converter.form import Context, Group, Seat
from converter.formats.ctrf import CTRF, read, read_run, write, write_case, write_run
from converter.formats.ctrf_totals import TestTally
from converter.reading import Reading
from registry import gate
from registry.values import same
from tests.converter import samples
from tests.laws import pairs

HOME = samples.FIXTURES / "ctrf"
VALID = HOME / "0/valid"
REAL = VALID / "real-junit-to-ctrf-0.0.14.json"
OFFICIAL = jsonschema_rs.validator_for(
    json.loads(
        (samples.FIXTURES.parent / "tests/diffruns/renderers/schemas/ctrf-0.0.json").read_bytes()
    ),
    validate_formats=True,
)
PACKAGES = os.environ.get("NPM_PACKAGES")
CHECK = """
import {readFileSync} from "node:fs";
const ctrf = await import(process.argv[1]);
const report = JSON.parse(readFileSync(0, "utf8"));
ctrf.validateStrict(report);
console.log(JSON.stringify(ctrf.calculateSummary(report.results.tests)));
"""


def said(path: Path) -> list[list[tuple[Case, Trial]]]:
    """What does each test say, attempt by attempt?"""
    parts = samples.staged(path).parts
    return [list(one) for one in Reading(CTRF, parts, chain.find).groups()]


def written(case: Case, *trials: Trial) -> Any:
    """Which test says these trials of a case?"""
    last = len(trials) - 1
    records = [
        write(case, trial, Seat(0, 0, number, None, number == last), Context(Run()))
        for number, trial in enumerate(trials)
    ]
    (test,) = CTRF.layout.records_of([Group(write_case(case, trials), records)], {})
    return test


def back(test: Any) -> list[tuple[Case, Trial]]:
    """What does a test say?"""
    group = CTRF.layout.group(test)
    return [read(record, group.parent) for record in group.records]


def test_attempts_of_a_real_report_are_trials() -> None:
    told = [[trial.verdict for _, trial in test] for test in said(REAL)]
    assert told == [
        ["passed"],
        ["failed"],
        ["failed", "passed"],
        ["failed", "failed", "failed"],
        ["failed"],
        ["skipped"],
    ]
    slow = said(REAL)[2]
    assert [trial.reason for _, trial in slow] == ["took 3.1 s", None]
    assert {case.description for case, _ in slow} == {"orders: answers in time"}
    assert {case.group for case, _ in slow} == {"orders"}


def test_trials_are_attempts_and_the_test_tells_of_the_last() -> None:
    test = written(
        Case(id="c", description="asks first"),
        Trial(id="t0", verdict="failed", reason="shipped", output="Done."),
        Trial(id="t1", verdict="error", error="cut off"),
        Trial(id="t2", verdict="passed", duration_ms=12),
    )
    assert (test["testId"], test["name"]) == ("c", "asks first")
    assert (test["status"], test["executionId"], test["duration"]) == ("passed", "t2", 12)
    assert (test["retries"], test["flaky"]) == (2, True)
    assert test["retryAttempts"] == [
        {
            "attempt": 1,
            "attemptId": "t0",
            "status": "failed",
            "message": "shipped",
            "extra": {"output": "Done."},
        },
        {
            "attempt": 2,
            "attemptId": "t1",
            "status": "failed",
            "message": "cut off",
            "extra": {"rawStatus": "error"},
        },
    ]


@pytest.mark.parametrize("verdict", ["passed", "failed", "review", "error", "skipped"])
def test_every_verdict_comes_back_of_the_last_trial_and_of_those_before(verdict: Verdict) -> None:
    checks = (Check(id="a", kind="k", passed=False, score=0.5, hard=False), Check(id="b"))
    checks = checks if verdict == "passed" else (*checks, Check(id="c", passed=False))
    trial = Trial(verdict=verdict, reason="so", error="broken", score=0.25, checks=checks)
    for _, told in back(written(Case(), trial, trial)):
        assert (told.verdict, told.reason, told.error) == (verdict, "so", "broken")
        assert told.score == 0.25
        assert [(one.id, one.passed) for one in told.checks or ()] == [
            (one.id, one.passed) for one in checks
        ]


@pytest.mark.parametrize(
    ("status", "word", "verdict"),
    [
        ("pending", None, "skipped"),
        ("pending", "todo", "skipped"),
        ("pending", "review", "review"),
        ("other", None, "review"),
        ("other", "error", "error"),
        ("failed", "timedOut", "failed"),
        ("passed", "error", "passed"),
    ],
)
def test_a_tools_own_word_makes_a_status_more_exact(
    status: str, word: str | None, verdict: str
) -> None:
    test = {"name": "t", "status": status, "duration": 0}
    ((_, trial),) = back(test if word is None else {**test, "rawStatus": word})
    assert trial.verdict == verdict


@pytest.mark.parametrize(
    ("trial", "duration"),
    [
        (Trial(duration_ms=12.5, latency_ms=3), 12),
        (Trial(latency_ms=2.6), 3),
        (Trial(latency_ms=10**400), 10**400),
        (Trial(latency_ms=-1), None),
        (Trial(), None),
    ],
)
def test_a_trial_took_as_long_as_its_latency_where_nothing_else_is_known(
    trial: Trial, duration: int | None
) -> None:
    assert written(Case(), trial).get("duration") == duration


def test_a_trace_is_read_where_there_is_no_message() -> None:
    ((_, trial),) = back({"name": "t", "status": "failed", "duration": 1, "trace": "t.ts:1"})
    assert trial.reason == "t.ts:1"


def test_a_step_that_did_not_keep_its_test_from_passing_is_soft() -> None:
    steps = [{"name": "a", "status": "passed"}, {"name": "b", "status": "failed"}]
    test = {"name": "t", "duration": 1, "steps": steps}
    hard = [
        [
            check.hard
            for _, trial in back({**test, "status": status})
            for check in trial.checks or ()
        ]
        for status in ("passed", "failed")
    ]
    assert hard == [[True, False], [True, True]]


@pytest.mark.parametrize(
    ("given", "asked", "variables"),
    [
        (None, None, None),
        ({"a": 1}, None, {"a": 1}),
        ({"input": "Hi"}, "Hi", None),
        ({"input": "Hi", "a": 1}, "Hi", {"a": 1}),
        ({"input": 3}, None, {"input": 3}),
        ({"input": "Hi", "variables": {"input": "Ho"}}, "Hi", {"input": "Ho"}),
        ({"input": "Hi", "variables": {}}, "Hi", {}),
        ({"variables": {}, "b": 1}, None, {"variables": {}, "b": 1}),
    ],
)
def test_parameters_are_variables_beside_the_input(given: Any, asked: Any, variables: Any) -> None:
    test = {"name": "t", "status": "passed", "duration": 1}
    ((case, _),) = back(test if given is None else {**test, "parameters": given})
    assert (case.input, case.variables) == (asked, variables)
    ((again, _),) = back(written(case, Trial(verdict="passed")))
    assert (again.input, again.variables) == (asked, variables)


@pytest.mark.parametrize(
    ("milliseconds", "moment"),
    [
        (0, None),
        (1788170400000, "2026-08-31T10:00:00Z"),
        (1788170400250.0, "2026-08-31T10:00:00.250Z"),
        (0.5, None),
        (10**400, None),
        (-1, None),
    ],
)
def test_times_are_moments_where_they_are_known(milliseconds: float, moment: str | None) -> None:
    document = samples.document(VALID / "smallest.json")
    results = document["results"]
    summary = {**results["summary"], "start": milliseconds}
    run = read_run({**document, "results": {**results, "summary": summary}})
    assert run.started == moment
    start = write_run(Context(run), None)["results"]["summary"]["start"]
    assert start == (milliseconds if moment else 0)


@pytest.mark.parametrize("path", [REAL, VALID / "typical.json"], ids=samples.name)
def test_tests_are_counted_by_their_last_attempt(path: Path) -> None:
    tally, later = TestTally(), TestTally()
    for number, test in enumerate(said(path)):
        (later if number > 2 else tally).add(test[0][0], [trial for _, trial in test])
    tally.join(later)
    summary = samples.document(path)["results"]["summary"]
    totals = {key.rpartition("/")[2]: count for key, count in tally.totals(Run()).items()}
    assert totals == {key: summary[key] for key in totals}


def test_where_the_last_attempt_is_taken_out_the_one_before_is_the_last() -> None:
    path = VALID / "typical.json"
    there = chain.convert(samples.staged(path), "promptbeat").document()
    del there["cases"][3]  # the last of three attempts at the second test
    home = chain.convert(chain.stage(there, "promptbeat@1"), "ctrf").document()
    test = next(one for one in home["results"]["tests"] if one["testId"] == "refund-early")
    before = samples.document(path)["results"]["tests"][1]
    first, second = before["retryAttempts"]
    assert same(test["retryAttempts"], [first])
    assert (test["status"], test["duration"]) == (second["status"], second["duration"])


def test_repeats_of_a_test_elsewhere_are_its_attempts() -> None:
    path = samples.FIXTURES / "promptfoo/3/valid/repeat.json"
    there = chain.convert(samples.staged(path), "ctrf", carry=False).document()
    tests = there["results"]["tests"]
    rows = samples.document(path)["results"]["results"]
    assert sum(1 + one.get("retries", 0) for one in tests) == len(rows)
    assert Counter(one["name"] for one in tests).total() < len(rows)


FOREIGN = [path for path in pairs.NEWEST if not samples.ref(path).startswith("ctrf@")]


@pytest.mark.parametrize("path", FOREIGN, ids=samples.name)
@pytest.mark.parametrize("carry", [True, False], ids=["carry", "no carry"])
def test_what_is_written_keeps_to_the_schema_of_its_authors(path: Path, carry: bool) -> None:
    there = chain.convert(samples.staged(path), "ctrf", carry=carry)
    OFFICIAL.validate(json.loads(gate.dump(there.document())))


READERS = pytest.mark.skipif(PACKAGES is None, reason="NPM_PACKAGES is not set; see .ci/run")


@READERS
@pytest.mark.parametrize("id_", ["cbl", "inspect", "promptbeat", "promptfoo", "sandtable"])
def test_the_library_of_its_authors_takes_what_is_written_and_counts_the_same(id_: str) -> None:
    path = samples.FIXTURES / id_ / chain.newest(id_) / "valid/typical.json"
    document = chain.convert(samples.staged(path), "ctrf").document()
    module = Path(str(PACKAGES)) / "ctrf/dist/index.js"
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", CHECK, module.as_uri()],
        input=gate.dump(document),
        check=True,
        capture_output=True,
    )
    theirs, ours = json.loads(done.stdout), document["results"]["summary"]
    counts = ("tests", "passed", "failed", "skipped", "pending", "other", "flaky")
    assert [theirs.get(name, 0) for name in counts] == [ours[name] for name in counts]


@READERS
def test_the_real_report_is_what_its_converter_writes(tmp_path: Path) -> None:
    command = Path(str(PACKAGES)) / "junit-to-ctrf/dist/cli.js"
    source, target = HOME / f"{REAL.stem}.xml", tmp_path / "report.json"
    options = ["-o", str(target), "-t", "pytest", "-e", "appName=shop-agent", "buildName=nightly"]
    subprocess.run(["node", str(command), str(source), *options], check=True, capture_output=True)
    now, before = json.loads(target.read_bytes()), json.loads(REAL.read_bytes())
    assert {**now, "timestamp": ""} == {**before, "timestamp": ""}
