"""SARIF: valid by its schema and by Microsoft's validator, with GitHub's rules."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffruns.transitions import WORSE
from tests.diffruns.renderers import golden

KIND = "sarif"
SCHEMA = jsonschema_rs.validator_for(
    json.loads((golden.SCHEMAS / "sarif-2.1.0.json").read_bytes()), validate_formats=True
)


def parsed(report: bytes) -> Any:
    log = json.loads(report)
    SCHEMA.validate(log)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    assert all(result["kind"] == "fail" or result["level"] == "none" for result in run["results"])
    return run


def of_cases(run: Any) -> dict[str, Any]:
    return {
        result["locations"][0]["logicalLocations"][0]["name"]: result
        for result in run["results"]
        if not result["ruleId"].startswith("gate-")
    }


@pytest.mark.parametrize("name", golden.CASES)
def test_report_is_as_it_was(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    report = golden.told(name, KIND, monkeypatch).stdout_bytes
    parsed(report)
    golden.hold(name, "sarif.json", report)


def test_every_baseline_state_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    run = parsed(golden.told("what-became-of-each-case", KIND, monkeypatch).stdout_bytes)
    states = {name: result["baselineState"] for name, result in of_cases(run).items()}
    for state, names in (
        ("new", ["broke", "flaky-onset", "errored", "undecided", "added"]),
        ("absent", ["fixed", "steadied", "recovered", "removed"]),
        ("unchanged", ["still-failing", "still-passing", "still-flaky"]),
        ("updated", ["failing-with-another-output", "less-reliable", "more-reliable"]),
    ):
        assert [states[name] for name in names] == [state] * len(names)


def test_level_is_error_where_a_case_got_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    run = parsed(golden.told("what-became-of-each-case", KIND, monkeypatch).stdout_bytes)
    levels = {name: result["level"] for name, result in of_cases(run).items()}
    assert {name for name, level in levels.items() if level == "error"} == WORSE
    assert (levels["still-failing"], levels["removed"]) == ("warning", "warning")
    assert (levels["fixed"], levels["still-passing"]) == ("note", "none")


def test_fingerprints_stay_when_what_became_of_a_case_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "what-became-of-each-case"
    there = parsed(golden.told(name, KIND, monkeypatch).stdout_bytes)
    itself = parsed(golden.told(name, KIND, monkeypatch, "--map", _names(tmp_path)).stdout_bytes)
    prints = [
        {case: result["partialFingerprints"] for case, result in of_cases(run).items()}
        for run in (there, itself)
    ]
    common = prints[0].keys() & prints[1].keys()
    assert len(common) > 20
    assert all(prints[0][case] == prints[1][case] for case in common)
    assert len({json.dumps(one) for one in prints[0].values()}) == len(prints[0])


def _names(folder: Path) -> str:
    """Another pairing: what was removed is what was added."""
    (folder / "names.json").write_text('{"removed": "added"}', encoding="utf-8")
    return str(folder / "names.json")


def test_targets_of_one_run_have_fingerprints_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    run = parsed(golden.told("two-targets-of-one-run", KIND, monkeypatch).stdout_bytes)
    prints = {result["partialFingerprints"]["caseIdentity/v1"] for result in run["results"]}
    assert len(prints) == len(run["results"]) == 4


def test_runs_that_can_not_be_compared_are_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    run = parsed(golden.told("nothing-in-common", KIND, monkeypatch).stdout_bytes)
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 3)
    first = invocation["toolExecutionNotifications"][0]
    assert (first["level"], first["message"]["text"][:14]) == ("error", "not comparable")


def test_hostile_text_acts_on_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    done = golden.told("hostile-text-acts-on-nothing", KIND, monkeypatch)
    assert done.stdout.isascii()
    assert "##" not in done.stdout
    run = parsed(done.stdout_bytes)
    assert not any(golden.ACTIVE.search(text) for text in golden.texts(run))
    messages = [result["message"]["text"] for result in run["results"]]
    assert not any(re.search(r"(?<!\\)[][]|(?<!\{)\{(?!\{)", text) for text in messages)
    assert any(r"\]\]><x/> \\u0000 \\ud83d" in text for text in messages)
    assert any(r"\\u001b\[31m" in text for text in messages)


@given(data=st.data())
def test_any_two_runs(data: st.DataObject) -> None:
    comparison, report = golden.rendered(KIND, data)
    run = parsed(report)
    assert len(run["results"]) == len(comparison.report.cases) + golden.gates(comparison)


@pytest.mark.skipif(golden.PACKAGES is None, reason="NPM_PACKAGES is not set; see .ci/run")
@pytest.mark.parametrize("name", golden.CASES)
def test_microsofts_validator_finds_no_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = golden.told(name, KIND, monkeypatch).stdout_bytes
    assert faults(log, tmp_path) == set()


@pytest.mark.skipif(golden.PACKAGES is None, reason="NPM_PACKAGES is not set; see .ci/run")
def test_microsofts_validator_does_find_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = golden.told("nothing-in-common", KIND, monkeypatch).stdout_bytes
    assert "SARIF1009" in faults(log.replace(b'"ruleIndex": 1', b'"ruleIndex": 9'), tmp_path)
    assert "SARIF1002" in faults(log.replace(b'"uri": "b.json"', b'"uri": "b c"'), tmp_path)


def faults(log: bytes, folder: Path) -> set[str]:
    """Which rules does a log break, by the validator's own rules and GitHub's?"""
    (folder / "ours.sarif").write_bytes(log)
    packages = Path(str(golden.PACKAGES))
    tool = packages / "@microsoft" / "sarif-multitool-linux" / "Sarif.Multitool"
    rules = ["--rule-kind", "Sarif;Gh;Ghas", "--level", "Error", "--kind", "Fail"]
    arguments = ["validate", "ours.sarif", "-o", "found.sarif", "--log", "ForceOverwrite", *rules]
    subprocess.run([tool, *arguments], cwd=folder, check=True, capture_output=True)
    (run,) = json.loads((folder / "found.sarif").read_bytes())["runs"]
    return {result["ruleId"] for result in run["results"] if result.get("level") == "error"}
