"""CTRF: valid by its schema and by the library of its authors; counts agree with the tests."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.facts import Run
from diffruns.renderers import ctrf
from diffruns.transitions import WORSE
from registry import detection, validation
from registry.drift import unknown_fields
from tests.diffruns.renderers import golden

KIND = "ctrf"
SHELF = "ctrf@0"
SCHEMA = jsonschema_rs.validator_for(
    json.loads((golden.SCHEMAS / "ctrf-0.0.json").read_bytes()), validate_formats=True
)
CHECK = """
import {readFileSync} from "node:fs";
const ctrf = await import(process.argv[1]);
const report = JSON.parse(readFileSync(0, "utf8"));
ctrf.validateStrict(report);
console.log(JSON.stringify(ctrf.calculateSummary(report.results.tests)));
"""


def parsed(report: bytes) -> Any:
    """The results, whose summary counts what they hold."""
    document = json.loads(report)
    SCHEMA.validate(document)
    assert validation.problems(document, SHELF) == []
    results = document["results"]
    counts = Counter(test["status"] for test in results["tests"])
    counts["flaky"] = sum(test.get("flaky", False) for test in results["tests"])
    counts["tests"] = len(results["tests"])
    summary = dict(results["summary"])
    assert summary.pop("start") <= summary.pop("stop")
    assert summary == {name: counts[name] for name in summary}
    return results


@pytest.mark.parametrize("name", golden.CASES)
def test_report_is_as_it_was(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    report = golden.told(name, KIND, monkeypatch).stdout_bytes
    parsed(report)
    golden.hold(name, "ctrf.json", report)


@pytest.mark.parametrize("name", golden.CASES)
def test_report_is_a_run_that_can_be_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    report = golden.told(name, KIND, monkeypatch).stdout_bytes
    assert detection.detect_bytes(report).ref == SHELF
    assert unknown_fields(json.loads(report), SHELF) == []


def test_each_status_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    results = parsed(golden.told("what-became-of-each-case", KIND, monkeypatch).stdout_bytes)
    tests = {test["name"]: test for test in results["tests"]}
    assert {name for name, test in tests.items() if test["status"] == "failed"} == WORSE
    for status, names in (
        ("passed", ["still-passing", "fixed", "added", "still-flaky"]),
        ("skipped", ["removed"]),
        ("pending", ["undecided", "still-undecided", "partly-undecided"]),
        ("other", ["still-failing", "added-and-failing", "input-changed", "still-in-error"]),
    ):
        assert [tests[name]["status"] for name in names] == [status] * len(names)
    flaky = {name for name, test in tests.items() if test.get("flaky")}
    assert flaky == {"still-flaky", "flaky-with-errors", "more-reliable"}
    assert tests["still-flaky"]["retries"] == 2
    assert tests["broke"]["extra"]["a"]["verdict"] == "passed"
    assert tests["broke"]["message"] == "passed before, fails now (passed → failed)"


def test_tripped_gates_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    results = parsed(golden.told("gates-that-trip-and-hold", KIND, monkeypatch).stdout_bytes)
    gates = {test["name"]: test["status"] for test in results["tests"] if "extra" not in test}
    assert gates == {
        "comparable": "passed",
        "gate new-failure": "failed",
        "gate missing": "passed",
        "gate max-drop 0.5": "passed",
        "gate critical one": "failed",
    }


@pytest.mark.parametrize(
    ("run", "times"),
    [
        (Run(), (0, 0)),
        (Run(started="yesterday", completed="9" * 30), (0, 0)),
        (Run(started="1970-01-01T00:00:01Z"), (1000, 1000)),
        (Run(started="1970-01-01T01:00:01.5+01:00", duration_ms=20.4), (1500, 1520)),
        (Run(started="1970-01-01T00:00:01", completed="1970-01-01T00:00:02"), (1000, 2000)),
        (Run(started="1970-01-01T00:00:02Z", completed="1970-01-01T00:00:01Z"), (2000, 2000)),
        (Run(started="0001-01-01T00:00:00+23:59", completed="9999-12-31T23:59:59-23:59"), None),
    ],
)
def test_times_are_those_of_the_run(run: Run, times: tuple[int, int] | None) -> None:
    start, stop = ctrf.times(run)
    assert times in (None, (start, stop))
    assert 0 <= start <= stop


def test_hostile_text_acts_on_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    done = golden.told("hostile-text-acts-on-nothing", KIND, monkeypatch)
    assert done.stdout.isascii()
    assert "##" not in done.stdout
    results = parsed(done.stdout_bytes)
    assert not any(golden.ACTIVE.search(text) for text in golden.texts(results))
    assert any(r"]]><x/> \u0000 \ud83d \u202e" in test["name"] for test in results["tests"])


@given(data=st.data())
def test_any_two_runs(data: st.DataObject) -> None:
    comparison, report = golden.rendered(KIND, data)
    tests = parsed(report)["tests"]
    assert len(tests) == len(comparison.report.cases) + golden.gates(comparison) + 1


@pytest.mark.skipif(golden.PACKAGES is None, reason="NPM_PACKAGES is not set; see .ci/run")
@pytest.mark.parametrize("name", golden.CASES)
def test_its_authors_library_takes_it_strictly_and_counts_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = golden.told(name, KIND, monkeypatch).stdout_bytes
    module = Path(str(golden.PACKAGES)) / "ctrf" / "dist" / "index.js"
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", CHECK, module.as_uri()],
        input=report,
        check=True,
        capture_output=True,
    )
    theirs = json.loads(done.stdout)
    ours = parsed(report)["summary"]
    counts = ("tests", "passed", "failed", "skipped", "pending", "other", "flaky")
    assert [theirs.get(name, 0) for name in counts] == [ours[name] for name in counts]
