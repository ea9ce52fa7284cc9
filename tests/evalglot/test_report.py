"""What `evalglot report` writes, and with which code it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evalglot.report.command import report

ROOT = Path(__file__).parents[2]
RUN = ROOT / "fixtures/promptbeat/1/valid/typical.json"
ERRORS = ROOT / "fixtures/promptbeat/1/valid/all-errors.json"


def told(*arguments: str | Path, **options: object) -> Result:
    return CliRunner().invoke(report, [str(one) for one in arguments], **options)  # type: ignore[arg-type]


def test_a_page_goes_to_standard_output_or_a_file(tmp_path: Path) -> None:
    out = tmp_path / "run.html"
    assert told(RUN, "-o", out).output == ""
    printed = told(RUN)
    assert printed.exit_code == 0
    assert printed.stdout_bytes == out.read_bytes()
    assert out.read_bytes().startswith(b"<!doctype html>")


def test_standard_input_is_read() -> None:
    assert told("-", input=RUN.read_bytes()).exit_code == 0


def test_a_run_without_any_judgement_has_a_page_that_says_so() -> None:
    page = told(ERRORS)
    assert page.exit_code == 4
    assert "<h1" in page.output
    assert "Nothing could be assessed" in page.output


@pytest.mark.parametrize("dimension", ["severity", "risk_type"])
def test_a_dimension_that_is_asked_for_is_shown(dimension: str) -> None:
    page = told("--by", dimension, RUN)
    assert f'aria-label="By {dimension}"' in page.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--by", "weather", RUN], "--by weather; expected one of target"),
        (["nowhere.json"], "nowhere.json"),
        (["--from", "nothing", RUN], "nothing"),
        ([RUN, "-o", "nowhere/at/all.html"], "all.html"),
    ],
)
def test_what_can_not_be_done_is_said(arguments: list[str | Path], says: str) -> None:
    failed = told(*arguments)
    assert failed.exit_code == 2
    assert says in failed.stderr
    assert failed.stderr.startswith("evalglot report: ")


def test_the_input_is_never_overwritten(tmp_path: Path) -> None:
    run = tmp_path / "run.json"
    run.write_bytes(RUN.read_bytes())
    assert told(run, "-o", run).exit_code == 2
    assert run.read_bytes() == RUN.read_bytes()


def test_cases_that_a_file_only_counts_are_told(tmp_path: Path) -> None:
    page = told(ROOT / "fixtures/cbl/3/valid/everything.json")
    assert "cases that it does not list" in page.output


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    run = tmp_path / "run.json"
    run.write_text(json.dumps(json.loads(RUN.read_text())))
    assert told(run).stdout_bytes == told(run).stdout_bytes
