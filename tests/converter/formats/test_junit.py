"""What JUnit XML says, and what is said in it."""

from __future__ import annotations

import io
import json
import os
import subprocess
from pathlib import Path
from shutil import which
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from lxml import etree

from converter import chain
from converter.cli import convert
from converter.facts import Case, Run, Trial, Verdict
from converter.form import Context
from converter.formats import FORMATS
from converter.formats.junit import JUNIT, read, read_run, write
from converter.formats.junit_words import NUMBER, SECONDS, WORDS, seconds
from diffruns.cli import diffruns
from registry import edges, gate, junitxml, recount
from registry.values import same
from tests.converter import samples

VALID = samples.FIXTURES / "junit/1/valid"
PYTEST = VALID / "real-pytest-9.2.0.xml"
TYPICAL = VALID / "typical.xml"
PACKAGES = os.environ.get("NPM_PACKAGES")
SOURCES = [path for path in samples.valid() if not samples.ref(path).startswith("junit")]


def said(path: Path) -> list[tuple[Case, Trial]]:
    """What does each test of a file say?"""
    return [read(record, None) for record in samples.document(path)["testcases"]]


def xml(document: Any) -> bytes:
    out = io.BytesIO()
    junitxml.write(gate.dump(document), out)
    return out.getvalue()


def turned(data: bytes) -> Any:
    return gate.load(edges.turned(data, "x.xml"))


def test_verdicts_of_a_real_file() -> None:
    found = {case.description: trial for case, trial in said(PYTEST)}
    assert {name: trial.verdict for name, trial in found.items()} == {
        "test_takes_an_order": "passed",
        "test_refuses[late]": "passed",
        "test_refuses[a/b~c]": "failed",
        r"test_refuses[\xe9\U0001f600]": "failed",
        "test_french": "skipped",
        "test_known": "skipped",
        "test_reaches": "error",
        "test_err": "failed",
    }
    assert found["test_takes_an_order"].score == 0.75
    assert found["test_takes_an_order"].duration_ms == 1
    assert found["test_french"].reason == "not yet"
    assert found["test_reaches"].error == 'failed on setup with "OSError: connection refused"'
    assert {case.group for case, _ in said(PYTEST)} == {"test_shop", "test_shop.TestMore"}


def test_one_suite_in_the_root_is_read_as_the_run() -> None:
    run = read_run(samples.document(TYPICAL))
    assert (run.suite, run.target) == ("shop agent", "shop-agent")
    assert (run.started, run.duration_ms) == ("2026-03-01T09:00:00", 4100)
    assert read_run(samples.document(VALID / "unusual.xml")) == Run()


def test_reruns_are_trials_of_their_test() -> None:
    trials: dict[str | None, list[Verdict | None]] = {}
    for case, trial in said(VALID / "surefire-reruns.xml"):
        trials.setdefault(case.description, []).append(trial.verdict)
    assert trials["answers in time"] == ["failed", "passed"]
    assert trials["never names another customer"] == ["failed"] * 3


def test_reruns_of_a_real_file_are_trials() -> None:
    trials: dict[str | None, list[Verdict | None]] = {}
    for case, trial in said(VALID / "real-surefire-3.2.5.xml"):
        trials.setdefault(case.description, []).append(trial.verdict)
    assert trials == {
        "speaksFrench": ["skipped"],
        "namesNobody": ["failed"] * 3,
        "answersInTime": ["error", "passed"],
        "reaches": ["error"] * 3,
        "takesAnOrder": ["passed"],
    }


@pytest.mark.parametrize("verdict", ["passed", "failed", "review", "error", "skipped", None])
def test_every_verdict_comes_back(verdict: Any) -> None:
    trial = Trial(verdict=verdict, reason="so", error="e", score=0.25, output="a\nb")
    _, back = read(write(Case(id="c"), trial, None, Context(Run())), None)
    assert (back.verdict, back.reason, back.error) == (verdict, "so", "e")
    assert (back.score, back.output) == (0.25, "a\nb")


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("0.812", 812),
        ("1,234.5", 1234500),
        ("0", 0),
        ("1e-3", 1),
        ("0.0001", 0.1),
        ("NaN", None),
        ("-1", None),
        ("1e99999", None),
        ("soon", None),
        ("", None),
    ],
)
def test_seconds_are_read(text: str, milliseconds: float | None) -> None:
    assert SECONDS.read is not None
    assert same(SECONDS.read(text), milliseconds)


@pytest.mark.parametrize("milliseconds", [0, 1, 812, 0.5, 1e-9, 1234567.25, 10**30])
def test_seconds_come_back(milliseconds: float) -> None:
    assert SECONDS.read is not None
    assert SECONDS.write is not None
    assert SECONDS.read(SECONDS.write(milliseconds)) == milliseconds


def test_a_property_of_another_type_says_nothing() -> None:
    assert NUMBER.read is not None
    assert WORDS.read is not None
    assert [NUMBER.read(text) for text in ("high", "true", "[1]", "", "NaN")] == [None] * 5
    assert [WORDS.read(text) for text in ("a,b", "[1]", '"a"')] == [None] * 3
    assert WORDS.read('["a"]') == ("a",)


@pytest.mark.parametrize("path", SOURCES, ids=samples.name)
def test_what_is_written_is_read_from_xml_as_it_was(path: Path) -> None:
    there = chain.convert(samples.staged(path), "junit").document()
    data = xml(there)
    again = turned(data)
    assert same(again, there)
    assert etree.fromstring(data).tag == "testsuite"
    counted = there["x-evalglot"].get("facts", {})  # cases that the source does not list
    assert recount.findings(again, "junit@1") == [] or counted
    home = chain.convert(chain.stage(again, "junit@1"), path.parts[-4], path.parts[-3])
    if path.suffix != ".jsonl":
        assert same(home.document(), samples.document(path))


@pytest.mark.parametrize("id_", [id_ for id_ in FORMATS if id_ != "junit"])
@pytest.mark.parametrize("path", sorted(VALID.glob("*.xml")), ids=lambda path: path.name)
def test_a_file_goes_anywhere_and_comes_back(path: Path, id_: str, tmp_path: Path) -> None:
    there, back = tmp_path / "there.json", tmp_path / "back.xml"
    for arguments in (["--to", id_, path, "-o", there], ["--to", "junit", there, "-o", back]):
        done = CliRunner().invoke(convert, [str(one) for one in arguments])
        assert done.exit_code == 0, done.output
    canonical = [
        ElementTree.canonicalize(one.read_text("utf-8"), strip_text=True) for one in (path, back)
    ]
    assert canonical[0] == canonical[1]


def test_xml_is_verified_as_it_was_written(tmp_path: Path) -> None:
    source = samples.FIXTURES / "promptfoo/3/valid/typical.json"
    arguments = ["--to", "junit", "--verify", str(source), "--out-dir", str(tmp_path)]
    done = CliRunner().invoke(convert, arguments)
    assert done.exit_code == 0, done.output
    assert [path.name for path in tmp_path.iterdir()] == ["typical.xml"]


def test_a_clean_file_has_no_slot() -> None:
    source = samples.staged(samples.FIXTURES / "cbl/4/valid/typical.json")
    data = xml(chain.convert(source, "junit", carry=False).document())
    assert b"x-evalglot" not in data


def test_runs_in_xml_are_compared(tmp_path: Path) -> None:
    worse = tmp_path / "b.xml"
    worse.write_bytes(
        TYPICAL.read_bytes().replace(
            b'<property name="score" value="1"/>\n      </properties>',
            b'</properties><failure message="refunded"/>',
        )
    )
    done = CliRunner().invoke(diffruns, [str(TYPICAL), str(worse), "--format", "json"])
    assert done.exit_code == 1, done.output
    assert '"o-1"' in done.stdout


def test_the_format_says_where_its_slots_are() -> None:
    assert JUNIT.run_slot == JUNIT.record_slot == ("x-evalglot",)


@pytest.mark.skipif(
    PACKAGES is None or which("node") is None, reason="$NPM_PACKAGES names no folder of packages"
)
def test_ctrfs_own_converter_reads_what_we_write(tmp_path: Path) -> None:
    """npm junit-to-ctrf: what came of each test, and its message."""
    words = {"passed": "passed", "failed": "failed", "error": "failed"}
    for number, path in enumerate(one for one in SOURCES if one.name == "typical.json"):
        there = chain.convert(samples.staged(path), "junit").document()
        ours, theirs = tmp_path / f"{number}.xml", tmp_path / f"{number}.json"
        ours.write_bytes(xml(there))
        binary = Path(str(PACKAGES)) / "junit-to-ctrf/dist/cli.js"
        done = subprocess.run(
            ["node", str(binary), str(ours), "-o", str(theirs)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        tests = json.loads(theirs.read_bytes())["results"]["tests"]
        trials = [read(record, None)[1] for record in there["testcases"]]
        assert [one["status"] for one in tests] == [
            words.get(trial.verdict or "", "skipped") for trial in trials
        ]


@pytest.mark.parametrize("number", [-1, 10**400, float("nan"), float("inf")])
def test_times_that_nobody_waits_are_not_said(number: float) -> None:
    assert seconds(number) is None
