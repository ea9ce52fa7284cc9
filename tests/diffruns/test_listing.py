"""A run in plain lines: sorted, whole, and harmless to who reads it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from diffruns.listing import listing
from tests.converter import samples
from tests.diffruns.documents import ERROR, promptfoo, sandtable


def listed(tmp_path: Path, document: Any) -> str:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(document))
    return listing(str(path)).decode()


def test_a_trial_is_a_paragraph(tmp_path: Path) -> None:
    graded = {"pass": False, "score": 0.2, "componentResults": [
        {"pass": False, "score": 0, "reason": "no refund", "assertion": {"type": "contains"}}
    ]}  # fmt: skip
    row = {"test": "t", "success": False, "score": 0.2, "gradingResult": graded}
    told = listed(tmp_path, promptfoo([{**row, "response": {"output": "a\nb"}}]))
    assert told.splitlines() == [
        "t [echo]: failed, score 0.2",
        "  check promptfoo:contains failed: no refund",
        "  output: a",
        "  output: b",
    ]


def test_a_provider_is_told_by_its_label(tmp_path: Path) -> None:
    rows = [
        {"test": "t", "provider": {"id": "gpt", "label": label}} for label in ("hot", "cold", "")
    ]
    told = listed(tmp_path, promptfoo(rows)).splitlines()
    assert [line.partition(":")[0] for line in told] == ["t [cold]", "t [gpt]", "t [hot]"]


def test_the_order_of_cases_does_not_matter(tmp_path: Path) -> None:
    there, back = ({"x": "pf", "y": "e"}, {"y": "e", "x": "pf"})
    assert listed(tmp_path, sandtable(there)) == listed(tmp_path, sandtable(back))


def test_what_nobody_tried_and_what_could_not_be_judged_are_told(tmp_path: Path) -> None:
    assert listed(tmp_path, sandtable({"x": ""})) == "x: skipped\n"
    assert (
        listed(tmp_path, promptfoo([{"test": "t", **ERROR}])).splitlines()[-1] == "  error: timeout"
    )


def test_nothing_in_a_file_acts_on_a_terminal(tmp_path: Path) -> None:
    told = listed(
        tmp_path, promptfoo([{"test": "\x1b[31m\u202e", "response": {"output": "\x9b2J"}}])
    )
    assert told.isprintable() or set(filter(lambda c: not c.isprintable(), told)) == {"\n"}


@pytest.mark.parametrize("path", samples.valid(), ids=samples.name)
def test_every_fixture_can_be_told(path: Path) -> None:
    told = listing(str(path)).decode()
    assert told == "" or told.endswith("\n")


@pytest.mark.parametrize(("words", "code"), [([], 2), (["--else-raw"], 0), (["--from", "nope"], 2)])
def test_a_file_that_is_no_run(tmp_path: Path, words: list[str], code: int) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"no": "run"}')
    done = subprocess.run(
        [sys.executable, "-m", "evalglot", "cases", *words, str(path)],
        capture_output=True, check=False, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == code
    assert done.stdout == ('{"no": "run"}' if code == 0 else "")
    assert "Traceback" not in done.stderr
