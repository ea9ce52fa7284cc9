"""JUnit: valid by Jenkins' schema, and read by junit-to-ctrf as our own CTRF says it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from diffruns.transitions import WORSE
from tests.diffruns.renderers import golden

KIND = "junit"
SCHEMA = etree.XMLSchema(etree.parse(golden.SCHEMAS / "junit-10.xsd"))


def parsed(report: bytes) -> Any:
    root = etree.fromstring(report)
    SCHEMA.assertValid(root)
    return root


def suites(root: Any) -> dict[str, Any]:
    return {suite.get("name"): suite for suite in root.findall("testsuite")}


@pytest.mark.parametrize("name", golden.CASES)
def test_report_is_as_it_was(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    golden.hold(name, "junit.xml", golden.told(name, KIND, monkeypatch).stdout_bytes)


@pytest.mark.parametrize("name", golden.CASES)
def test_counts_are_those_of_what_it_holds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    root = parsed(golden.told(name, KIND, monkeypatch).stdout_bytes)
    for suite in (root, *root.findall("testsuite")):
        for count, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            assert int(suite.get(count)) == len(suite.findall(f".//{tag}"))


def test_only_what_got_worse_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    root = parsed(golden.told("what-became-of-each-case", KIND, monkeypatch).stdout_bytes)
    cases = {case.get("name"): case for case in suites(root)["diffruns"].findall("testcase")}
    worse = {
        name: [held.get("type") for held in case if held.tag in ("failure", "error")]
        for name, case in cases.items()
    }
    assert {name: types for name, types in worse.items() if types} == {
        name: [name] for name in WORSE
    }
    assert cases["errored"].find("error") is not None
    kinds = [[held.tag for held in cases[name]][:-1] for name in ("still-passing", "fixed")]
    assert kinds == [[], []]
    assert [held.tag for held in cases["still-failing"]] == ["skipped", "system-out"]
    assert [held.tag for held in cases["still-flaky"]] == ["flakyFailure", "system-out"]
    assert [held.tag for held in cases["flaky-with-errors"]] == ["flakyError", "system-out"]


def test_runs_that_can_not_be_compared_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    done = golden.told("nothing-in-common", KIND, monkeypatch)
    (comparable,) = suites(parsed(done.stdout_bytes))["gates"].findall("testcase")
    assert done.exit_code == 3
    assert comparable.find("error").get("message").startswith("not comparable")


def test_only_the_buckets_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    done = golden.told("what-became-of-each-case", KIND, monkeypatch, "--only", "broke,fixed")
    cases = suites(parsed(done.stdout_bytes))["diffruns"].findall("testcase")
    assert [case.get("name") for case in cases] == ["broke", "fixed"]


def test_hostile_text_acts_on_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    done = golden.told("hostile-text-acts-on-nothing", KIND, monkeypatch)
    root = parsed(done.stdout_bytes)
    said = [*root.itertext(), *(value for one in root.iter() for value in one.attrib.values())]
    assert not any(golden.ACTIVE.search(text) for text in [done.stdout, *said])
    names = [case.get("name") for case in suites(root)["diffruns"].findall("testcase")]
    assert names[1].startswith(r"]]><x/> \u0000 \ud83d \u202e")
    assert max(map(len, names)) < 1500


@given(data=st.data())
def test_any_two_runs(data: st.DataObject) -> None:
    comparison, report = golden.rendered(KIND, data)
    held = suites(parsed(report))
    assert len(held["diffruns"].findall("testcase")) == len(comparison.report.cases)
    assert len(held["gates"].findall("testcase")) == golden.gates(comparison) + 1
    worse = sum(case.bucket in WORSE for case in comparison.report.cases)
    assert len([*held["diffruns"].iter("failure", "error")]) == worse


@pytest.mark.skipif(golden.PACKAGES is None, reason="NPM_PACKAGES is not set; see .ci/run")
@pytest.mark.parametrize("name", golden.CASES)
def test_junit_to_ctrf_reads_what_our_ctrf_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ours.xml").write_bytes(golden.told(name, KIND, monkeypatch).stdout_bytes)
    tool = Path(str(golden.PACKAGES)) / ".bin" / "junit-to-ctrf"
    subprocess.run(
        [tool, "ours.xml", "-o", "theirs.json", "--use-suite-name=false"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    theirs = json.loads((tmp_path / "theirs.json").read_bytes())["results"]
    ours = json.loads(golden.told(name, "ctrf", monkeypatch).stdout_bytes)["results"]
    said, read = ours["summary"], theirs["summary"]
    for count in ("tests", "passed", "failed"):
        assert read[count] == said[count]
    assert read.get("flaky", 0) == said["flaky"]
    assert read["skipped"] == said["skipped"] + said["pending"] + said["other"]
    for one, other in zip(ours["tests"], theirs["tests"], strict=True):
        assert other["name"].strip() == (one["name"].strip() or "Unnamed Test")
        assert other.get("message") in (None, one.get("message"))
