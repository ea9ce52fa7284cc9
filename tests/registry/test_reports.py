"""Every shape of report, on every kind of finding, as it is written and printed.

EVALGLOT_GOLDEN=write writes the expected files anew; look at what changed before you commit it.
"""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

from registry import gate
from registry.commands.validate import validate
from registry.engine import judge
from registry.reports import KINDS
from registry.reports.paths import relative, uri
from registry.shelves import versions_root

GOLDEN = Path(__file__).parent / "golden"
HOSTILE = "\x1b[31m\n::set-output name=a::b\r##[error]]]>\x0b\u202e\u2028\ufffe\U000e0041%0A,:"
ROW = {
    "test_result_id": 1,
    "iteration": 0,
    "user_input": "hi",
    "conversation_id": 4,
    "model_response": "yo",
    "safe_response_score": 0.3,
    "passed": True,
    "test_case_id": 3,
}


def cbl(rows, **changed):
    run = {"evaluation_id": 7, "total_passed": len(rows), "total_failed": 0, "results": rows}
    return json.dumps(run | changed, indent=1)


def rows(count, **changed):
    return [ROW | {"test_result_id": number + 1} | changed for number in range(count)]


def lines(*rows):
    return "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)


def cbl_3(**changed):
    run = {"total_passed": 0, "total_failed": 0, "failed_results": [], "test_case_groups": []}
    return json.dumps(run | changed, indent=1)


ITEM = {"ScenarioID": "s", "SeedID": "1", "CasePrompt": "Hi", "Status": "PASS", "Passed": True}

CASES = {
    "nothing-is-wrong": ({"run.json": cbl([ROW])}, []),
    "faults-of-one-kind-are-counted": (
        {"run.json": cbl([ROW | {"passed": "no"}] * 1212, evaluation_id="x")},
        [],
    ),
    "file-that-is-no-json": ({"run.json": cbl([ROW])[:-40]}, []),
    "lines-that-are-no-json": (
        {"run.jsonl": lines(ITEM, '{"ScenarioID": "a", "ScenarioID": "b"}', ITEM, '{"a": NaN}')},
        [],
    ),
    "unknown-fields-are-warnings": ({"run.json": cbl(rows(3, later=1))}, []),
    "unknown-fields-fail-when-strict": (
        {"run.json": cbl(rows(3, later=1))},
        ["--strict"],
    ),
    "unknown-format-is-a-finding": ({"package.json": '{"name": "x"}'}, []),
    "unknown-format-is-skipped-when-asked": (
        {"package.json": '{"name": "x"}', "tsconfig.json": '{"a": 1 // no\n}'},
        ["--ignore-unknown"],
    ),
    "rules-beyond-shape": (
        {"run.json": cbl([*rows(3), ROW | {"passed": False}], total_failed=2)},
        [],
    ),
    "rules-beyond-shape-with-reasons": ({"run.json": cbl_3(total_passed=4)}, []),
    "rules-beyond-shape-fail-when-strict": ({"run.json": cbl_3(total_passed=4)}, ["--strict"]),
    "rules-beyond-shape-left-out": (
        {"run.json": cbl([*rows(3), ROW | {"passed": False}], total_failed=2)},
        ["--ignore", "cbl/totals", "--ignore", "cbl/threshold"],
    ),
    "hostile-text-acts-on-nothing": (
        {"a::set-output name=x::%0A,\x1b[31m.json": cbl([ROW | {"passed": HOSTILE, HOSTILE: 1}])},
        [],
    ),
    "hostile-key-acts-on-nothing": ({"run.json": cbl([ROW | {HOSTILE: 1}])}, ["--strict"]),
    "missing-file-is-unreadable": ({}, ["missing.json"]),
}


def run(name, kind, folder, monkeypatch):
    files, options = CASES[name]
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    return CliRunner().invoke(validate, [*sorted(files), *options, "--format", kind])


def hold(path: Path, told: str) -> None:
    """What is told has to be what is in the golden file."""
    if os.environ.get("EVALGLOT_GOLDEN") == "write":
        path.write_text(told, encoding="utf-8", newline="\n")
    assert told == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("kind", KINDS)
def test_report_is_as_it_was(name, kind, tmp_path, monkeypatch):
    done = run(name, kind, tmp_path, monkeypatch)
    told = re.sub(r'("name": "evalglot",\s+"version"): "[^"]*"', r'\1: "0"', done.stdout)
    hold(GOLDEN / f"{name}.{kind}.out", told)
    hold(GOLDEN / f"{name}.err", f"{done.stderr}exit code {done.exit_code}\n")


@pytest.mark.parametrize("name", CASES)
def test_json_report_keeps_to_its_schema(name, tmp_path, monkeypatch):
    path = versions_root() / "evalglot-validation-report" / "1" / "schema.json"
    schema = gate.load(path.read_bytes())
    done = run(name, "json", tmp_path, monkeypatch)
    assert judge(schema)(gate.load(done.stdout_bytes))


@pytest.mark.parametrize("name", CASES)
def test_junit_report_is_xml_that_counts_what_it_holds(name, tmp_path, monkeypatch):
    root = ET.fromstring(run(name, "junit", tmp_path, monkeypatch).stdout_bytes)
    for tag, count in (("testcase", "tests"), ("failure", "failures"), ("skipped", "skipped")):
        assert len(root.findall(f".//{tag}")) == int(root.attrib[count])


@pytest.mark.parametrize("name", CASES)
def test_sarif_results_name_their_rule_and_a_place(name, tmp_path, monkeypatch):
    (log,) = json.loads(run(name, "sarif", tmp_path, monkeypatch).stdout_bytes)["runs"]
    rules = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    for result in log["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        (location,) = result["locations"]
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[\w.%~/-]+", uri)


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("hostile")])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_from_a_file_acts_on_a_terminal_or_a_ci(name, kind, tmp_path, monkeypatch):
    done = run(name, kind, tmp_path, monkeypatch)
    told = done.stdout + done.stderr
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\ufffe\U000e0041]", told)
    assert "##[" not in told
    commands = [line for line in told.splitlines() if line.lstrip().startswith("::")]
    assert all(re.match("::(error|warning) file=.*::", line) for line in commands)
    findings = 2 if name == "hostile-text-acts-on-nothing" else 1  # its key is unknown, too
    assert len(commands) == (findings if kind == "github" else 0)


def test_files_are_named_relative_to_here_where_they_are_below(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert relative(str(tmp_path / "a b" / "c.json")) == "a b/c.json"
    assert uri(str(tmp_path / "a b" / "ü#.json")) == "a%20b/%C3%BC%23.json"
    assert uri(str(tmp_path.parent / "x.json")) == (tmp_path.parent / "x.json").as_uri()
    assert uri("../x.json") == "../x.json"
