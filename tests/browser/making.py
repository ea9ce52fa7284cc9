"""Runs, and pages about them."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from benchmarks.generate import report
from diffruns.cli import diffruns
from evalglot.report.command import report as report_command

CASES = 400
SANDTABLE = Path(__file__).parents[2] / "fixtures/sandtable/1.1/valid/typical.json"


def before() -> Any:
    """A promptbeat run."""
    return json.loads("".join(report(CASES)))


def after(run: Any) -> Any:
    """The same some time later: other words, some verdicts changed, two cases gone."""
    later, draw = copy.deepcopy(run), random.Random(5)
    del later["cases"][:2]
    for number, case in enumerate(later["cases"]):
        if case["error"]:
            continue
        words = case["response"].split()
        if number % 4 == 0:
            for place in draw.sample(range(len(words)), 4):
                words[place] = "otherwise"
            case["response"] = " ".join(words)
        if number % 8 == 0:
            case["passed"] = not case["passed"]
            case["score"] = 1.0 if case["passed"] else 0.25
            for check in case["assertions"]:
                check["passed"] = case["passed"]
        case["latency_ms"] = case["latency_ms"] * 0.8
    return later


def trials(seed: int, share: float) -> Any:
    """A sandtable run of some tasks with five trials each."""
    run, draw = json.loads(SANDTABLE.read_text()), random.Random(seed)
    task = run["tasks"][0]
    run["runId"], run["tasks"] = f"run-{seed}", []
    for number in range(20):
        one = copy.deepcopy(task) | {"id": f"task-{number}"}
        one["trials"] = [
            copy.deepcopy(task["trials"][0])
            | {"taskId": one["id"], "trial": trial, "passed": draw.random() < share}
            for trial in range(5)
        ]
        one["passes"] = sum(trial["passed"] for trial in one["trials"])
        run["tasks"].append(one)
    return run


def compared(folder: Path, a: Any, b: Any, *options: str) -> Path:
    """The page that compares these runs."""
    for name, run in (("a.json", a), ("b.json", b)):
        (folder / name).write_text(json.dumps(run))
    files = [str(folder / name) for name in ("a.json", "b.json")]
    out = folder / "diff.html"
    told = CliRunner().invoke(diffruns, [*options, "--format", "html", "-o", str(out), *files])
    assert told.exit_code in (0, 1), told.output
    return out


def shown(folder: Path, run: Any, *options: str) -> Path:
    """The page about this run."""
    (folder / "run.json").write_text(json.dumps(run))
    out = folder / "run.html"
    told = CliRunner().invoke(report_command, [*options, str(folder / "run.json"), "-o", str(out)])
    assert told.exit_code == 0, told.output
    return out


def diff_page(folder: Path) -> Path:
    run = before()
    return compared(folder, run, after(run), "--fail-on", "new-failure")


def trials_page(folder: Path) -> Path:
    return compared(folder, trials(1, 0.9), trials(2, 0.6), "--by", "tag")


def run_page(folder: Path) -> Path:
    return shown(folder, before())
