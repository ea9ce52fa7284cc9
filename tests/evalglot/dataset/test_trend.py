"""What `evalglot trend` says: what counting by hand says, and since when something fails."""

from __future__ import annotations

import csv
import io
import json
import random
from math import comb
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from evalglot.dataset import collecting
from evalglot.dataset.commands.trend import trend
from registry import gate
from registry.explanation import explain
from registry.shelves import versions_root
from tests.evalglot.dataset.held import ROOT, run_of
from tests.hostile import ACTIVE, TEXTS

SCHEMA = gate.load((versions_root() / "evalglot-trend-report/1/schema.json").read_bytes())
BROKE = 22
CASE = "core-0007"


def drawn(provider: str, number: int, draw: random.Random) -> dict[str, Any]:
    """A run of eight cases; the first one fails on `small` from some day on."""
    document = run_of(number, day=number, provider=provider)
    document["eval_id"] = f"{provider}-{number}"
    for place, case in enumerate(document["cases"]):
        broken = place == 0 and provider == "small" and number >= BROKE
        case["passed"] = not broken and draw.random() < 0.9
        case["score"] = float(case["passed"])
        if draw.random() < 0.05:
            case |= {"passed": False, "score": None, "error": "timed out"}
    return document


@pytest.fixture(scope="module")
def documents() -> list[dict[str, Any]]:
    draw = random.Random(3)
    return [drawn(name, number, draw) for name in ("large", "small") for number in range(40)]


@pytest.fixture(scope="module")
def dataset(documents: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("trend")
    (folder / "runs").mkdir()
    for document in documents:
        file = folder / "runs" / f"{document['eval_id']}.json"
        file.write_text(json.dumps(document), encoding="utf-8")
    collecting.collect([str(folder / "runs")], str(folder / "d"))
    return str(folder / "d")


def asked(*arguments: str | Path) -> Result:
    return CliRunner().invoke(trend, [str(one) for one in arguments])


def told(dataset: str, *arguments: str) -> dict[str, Any]:
    report = json.loads(asked(dataset, "--format", "json", *arguments).output)
    assert explain(SCHEMA, report) == []
    return dict(report)


def test_a_case_fails_since_a_run_on_a_target(dataset: str) -> None:
    done = asked(dataset, "--case", CASE)
    assert done.exit_code == 1
    large, small = told(dataset, "--case", CASE)["targets"]
    assert (large["target"], small["target"]) == ("large", "small")
    assert large["failing_since"] is None or large["failing_since"]["run_id"] > "large-3"
    assert small["failing_since"]["run_id"] <= f"small-{BROKE}"
    assert small["failing_since"]["path"].endswith(".json")
    (shift,) = small["shifts"]
    assert shift["first"]["run_id"] == f"small-{BROKE}"
    assert shift["p"] <= 0.001
    assert shift["after"] == 0
    assert large["shifts"] == []


def by_hand(documents: list[dict[str, Any]], provider: str, k: int) -> dict[str, dict[str, Any]]:
    """The same figures, by month, over all cases of a provider."""
    found: dict[str, dict[str, Any]] = {}
    earlier: dict[str, bool] = {}
    for document in documents:
        if not document["eval_id"].startswith(provider):
            continue
        held = found.setdefault(
            document["started_at"][:7],
            {"runs": 0, "counts": {}, "errors": 0, "flips": [], "trials": 0},
        )
        held["runs"] += 1
        for case in document["cases"]:
            name = case["metadata"]["recordId"]
            held["trials"] += 1
            if case["error"]:
                held["errors"] += 1
                continue
            n, c = held["counts"].get(name, (0, 0))
            held["counts"][name] = n + 1, c + case["passed"]
            if name in earlier:
                held["flips"].append(earlier[name] != case["passed"])
            earlier[name] = case["passed"]
    for held in found.values():
        counts = held.pop("counts").values()
        held["judged"] = sum(n for n, _ in counts)
        held["passes"] = sum(c for _, c in counts)
        held["rate"] = sum(c / n for n, c in counts) / len(counts)
        enough = [(n, c) for n, c in counts if n >= k]
        held["pass_hat"] = sum(comb(c, k) / comb(n, k) for n, c in enough) / len(enough)
        held["flips"] = sum(held["flips"]) / len(held["flips"])
        held["cases"] = 8
    return found


def test_figures_are_those_counted_by_hand(dataset: str, documents: list[dict[str, Any]]) -> None:
    for target in told_of_all(dataset)["targets"]:
        wanted = by_hand(documents, target["target"], 3)
        assert [one["period"] for one in target["periods"]] == list(wanted)
        for period in target["periods"]:
            for name, value in wanted[period["period"]].items():
                assert period[name] == pytest.approx(value), name
            assert period["low"] <= period["rate"] <= period["high"]
            assert period["flaky"] == 0


def told_of_all(dataset: str) -> dict[str, Any]:
    """The trend of all cases, as if all had a tag, which Promptbeat's have not."""
    from evalglot.dataset import asking, counting, trending, trendshown

    every = counting.Asked(by="tag", subject="all")
    with asking.opened(dataset) as held:
        held.database.register("cases", held.ask("SELECT * REPLACE (['all'] AS tags) FROM cases"))
        return dict(json.loads(trendshown.render("json", trending.trend(held, every))))


def test_trials_of_one_run_make_a_case_flaky(tmp_path: Path) -> None:
    """In sandtable files every case has several trials, and tags."""
    source = ROOT / "fixtures/sandtable/1.1/valid/typical.json"
    collecting.collect([str(source)], str(tmp_path / "d"))
    document = json.loads(source.read_text("utf-8"))
    tag = next(tag for task in document["tasks"] for tag in task["tags"])
    tagged = [task for task in document["tasks"] if tag in task["tags"]]
    (target,) = told(str(tmp_path / "d"), "--tag", tag, "--k", "2")["targets"]
    (period,) = target["periods"]
    passed = [[trial["passed"] for trial in task["trials"]] for task in tagged]
    assert period["cases"] == len(tagged)
    assert period["trials"] == sum(map(len, passed))
    assert period["flaky"] == pytest.approx(
        sum(any(one) and not all(one) for one in passed) / len(passed)
    )
    assert period["flips"] is None
    costs = [trial.get("costUsd") for task in tagged for trial in task["trials"]]
    if all(cost is not None for cost in costs):
        assert period["cost_usd"] == pytest.approx(sum(costs))


def test_a_trend_has_four_shapes(dataset: str, tmp_path: Path) -> None:
    lines = asked(dataset, "--case", CASE).output.splitlines()
    assert any(line.startswith("  failing since") for line in lines)
    assert max(map(len, lines)) < 200
    sheet = asked(dataset, "--case", CASE, "--format", "csv").output
    rows = list(csv.DictReader(io.StringIO(sheet)))
    assert [(row["target"], row["period"]) for row in rows] == [
        (target, period) for target in ("large", "small") for period in ("2026-01", "2026-02")
    ]
    assert [row["shifts"] for row in rows] == ["0", "0", "1", "0"]
    out = tmp_path / "x.parquet"
    asked(dataset, "--case", CASE, "--format", "parquet", "-o", out)
    assert pq.ParquetFile(out).read().column("runs").to_pylist() == [
        int(row["runs"]) for row in rows
    ]


@pytest.mark.parametrize(("per", "periods"), [("day", 40), ("week", 7), ("month", 2)])
def test_periods_are_days_weeks_or_months(dataset: str, per: str, periods: int) -> None:
    report = told(dataset, "--case", CASE, "--per", per)
    assert all(len(one["periods"]) == periods for one in report["targets"])


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--case", "core-0070"], 4, "Did you mean"),
        (["--tag", "'; DROP TABLE trials; --"], 4, "no run with a time has the tag"),
        (["--check", "\udcff"], 4, "no run"),
        ([], 2, "give one of"),
        (["--case", "a", "--tag", "b"], 2, "give one of"),
        (["--case", "a", "--alpha", "nan"], 2, "--alpha"),
    ],
)
def test_what_is_not_there_is_said(
    dataset: str, arguments: list[str], code: int, says: str
) -> None:
    refused = asked(dataset, *arguments)
    assert refused.exit_code == code
    assert says in refused.stderr
    assert "Traceback" not in refused.stderr


def test_many_runs_are_tested_in_parts(dataset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from evalglot.dataset import trending

    monkeypatch.setattr(trending, "BLOCKS", 15)
    report = told(dataset, "--case", CASE)
    (shift,) = report["targets"][1]["shifts"]
    assert shift["first"]["run_id"] in {f"small-{number}" for number in range(BROKE - 3, BROKE + 4)}
    assert any("tested together" in note for note in report["notes"])


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_hostile_text_acts_on_nothing(tmp_path: Path, text: str) -> None:
    document = run_of(1, provider=text)
    document["eval_id"] = text
    for case in document["cases"]:
        case["metadata"] |= {"recordId": text}
        for check in case["assertions"]:
            check["metric"] = text
    file = tmp_path / "run.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    collecting.collect([str(file)], str(tmp_path / "d"))
    for by in ("--case", "--check"):
        for kind in ("table", "json"):
            done = asked(tmp_path / "d", f"{by}={text}", "--format", kind)
            assert done.exit_code == 0
            assert ACTIVE.search(done.output) is None
