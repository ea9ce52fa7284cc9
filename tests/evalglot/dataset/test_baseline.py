"""`diffruns --baseline DIR@last5 b.json`: the last runs as one side, with the noise they show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from diffruns.baselines import expected
from diffruns.cli import diffruns
from evalglot.dataset import collecting
from tests.evalglot.dataset.held import ROOT, run_of


def write(folder: Path, name: str, document: dict[str, Any]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(document), encoding="utf-8")
    return folder / name


def with_failures(number: int, failing: set[int], provider: str = "m") -> dict[str, Any]:
    document = run_of(number, day=number, provider=provider)
    for place, case in enumerate(document["cases"]):
        case["passed"] = place not in failing
        case["score"] = float(case["passed"])
    return document


@pytest.fixture
def dataset(tmp_path: Path) -> str:
    """Ten runs: the first five fail throughout, of the last five one case wobbles."""
    for number in range(10):
        failing = set(range(8)) if number < 5 else {3} if number % 2 else set()
        write(tmp_path / "runs", f"{number}.json", with_failures(number, failing))
    collecting.collect([str(tmp_path / "runs")], str(tmp_path / "d"))
    return str(tmp_path / "d")


def compared(*arguments: str | Path) -> Result:
    return CliRunner().invoke(diffruns, [str(one) for one in arguments])


def report(*arguments: str | Path) -> dict[str, Any]:
    done = compared("--format", "json", *arguments)
    assert done.stdout, done.stderr
    return dict(json.loads(done.stdout))


def test_the_last_runs_are_one_side(dataset: str, tmp_path: Path) -> None:
    b = write(tmp_path, "b.json", with_failures(20, {0, 1, 2, 3, 4}))
    told = report("--baseline", f"{dataset}@last5", b)
    assert told["summary"]["a"]["cases"] == 8
    assert told["summary"]["a"]["trials"] == 40
    found = {row["id"]: row for row in told["cases"]}
    assert found["core-0007"]["bucket"] == "broke"
    assert found["core-0007"]["a"]["passes"] == 5
    wobbling = [row for row in told["cases"] if row["a"]["verdict"] == "flaky"]
    assert [row["a"]["passes"] for row in wobbling] == [2]
    assert told["exit_code"] == 1
    assert any("baseline of 5 runs" in note and "is below" in note for note in told["notes"])


def test_a_case_that_wobbled_before_is_no_news(dataset: str, tmp_path: Path) -> None:
    b = write(tmp_path, "b.json", with_failures(20, {3}))
    told = report("--baseline", f"{dataset}@last5", b)
    assert told["buckets"]["broke"] == 0
    assert any("is within" in note for note in told["notes"])


def test_one_run_is_what_its_file_is(dataset: str, tmp_path: Path) -> None:
    b = write(tmp_path, "b.json", with_failures(20, {0, 3}))
    from_dataset = report("--baseline", f"{dataset}@last1", b)
    from_file = report(tmp_path / "runs/9.json", b)
    for one in ("summary", "cases", "buckets", "rungs", "failure_modes", "comparable"):
        assert from_dataset[one] == from_file[one], one


def test_runs_of_the_same_target_come_first(dataset: str, tmp_path: Path) -> None:
    write(tmp_path / "runs", "other.json", with_failures(11, set(), provider="other"))
    collecting.collect([str(tmp_path / "runs")], dataset)
    mine = report("--baseline", f"{dataset}@last2", write(tmp_path, "b.json", run_of(30)))
    assert mine["a"]["targets"] == ["m"]
    new = write(tmp_path, "c.json", run_of(31, provider="new"))
    told = report("--baseline", f"{dataset}@last2", new)
    assert any("no earlier run has B's targets" in note for note in told["notes"])


def test_the_run_itself_is_no_baseline_of_its_own(dataset: str, tmp_path: Path) -> None:
    told = report("--baseline", f"{dataset}@last1", tmp_path / "runs/9.json")
    assert told["a"]["run_id"] == "run-8"


@pytest.mark.parametrize(
    "name", ["sandtable/1.1/valid/typical.json", "promptfoo/3/valid/typical.json"]
)
def test_any_format_is_a_baseline(name: str, tmp_path: Path) -> None:
    source = ROOT / "fixtures" / name
    collecting.collect([str(source)], str(tmp_path / "d"))
    (tmp_path / "b.json").write_bytes(source.read_bytes() + b"\n")
    done = compared("--baseline", f"{tmp_path / 'd'}@last5", tmp_path / "b.json")
    assert done.exit_code == 0, done.stderr
    assert "too few to tell" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--baseline", "{d}", "{b}"], "DIR@lastN"),
        (["--baseline", "{d}@last0", "{b}"], "DIR@lastN"),
        (["--baseline", "{d}/nowhere@last5", "{b}"], "no dataset"),
        (["--baseline", "{d}@last5", "{b}", "{b}"], "give B alone"),
        (["--baseline", "{d}@last5", "{c}"], "no run that tried these cases"),
        (["{b}"], "Missing argument 'B'"),
    ],
)
def test_what_can_not_be_done_is_said(
    dataset: str, tmp_path: Path, arguments: list[str], says: str
) -> None:
    b = write(tmp_path, "b.json", run_of(20))
    c = ROOT / "fixtures/sandtable/1.1/valid/typical.json"
    refused = compared(*(one.format(d=dataset, b=b, c=c) for one in arguments))
    assert refused.exit_code == 2
    assert says in refused.stderr


def test_one_more_value_is_as_often_where_it_is_expected_as_said() -> None:
    chance = np.random.default_rng(1)
    drawn = chance.normal(0.8, 0.03, (4000, 6))
    hits = 0
    for *known, one in drawn.tolist():
        low, high = expected(known)
        hits += low <= one <= high
    assert 0.935 <= hits / 4000 <= 0.965
