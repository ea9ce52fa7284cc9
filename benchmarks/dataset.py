"""Measure `evalglot collect`, `trend` and `query` on many generated files.

    python -m benchmarks.dataset [--files 50000] [--folder DIR]

Each file is a promptbeat report of 23 cases, 47 kB: 100 suites, five models, one run of each a
day. Nothing is asserted; a table says what was measured, with peak anonymous memory of all
processes. Files that are in the folder already are not made again.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from benchmarks.generate import case
from benchmarks.measuring import Sample, environment, measure, python

CASES, SUITES, MODELS = 23, 100, 5
MB = 1_000_000
FIRST = date(2026, 1, 1)
BROKE = 60
"""the day on which one case of each suite starts to fail on the last model"""


def run(number: int) -> bytes:
    """Which bytes has the file of this number?"""
    day, rest = divmod(number, SUITES * MODELS)
    suite, model = divmod(rest, MODELS)
    cases = [case(suite * CASES + place, number) for place in range(CASES)]
    for one in cases:
        one["provider"] = f"openai:model-{model}"
    if model == MODELS - 1 and day >= BROKE and cases[0]["error"] is None:
        cases[0] |= {"passed": False, "score": 0.0}
    passed = sum(one["passed"] for one in cases)
    errors = sum(one["error"] is not None for one in cases)
    when = f"{FIRST + timedelta(days=day)}T{suite % 24:02}:00:{model:02}Z"
    document = {
        "eval_id": f"run-{number}",
        "status": "completed",
        "total_cases": CASES,
        "passed": passed,
        "failed": CASES - passed - errors,
        "errors": errors,
        "pass_rate": passed / CASES,
        "cases": cases,
        "started_at": when,
        "completed_at": when,
        "duration_ms": 478000,
        "metadata": {},
    }
    return json.dumps(document, indent=1).encode()


def make(folder: Path, count: int) -> int:
    """How many bytes have the files, all of which are there now?"""
    size = 0
    for number in range(count):
        file = folder / f"{number // 1000:03}" / f"run-{number}.json"
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(run(number))
        size += file.stat().st_size
    return size


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _tables(folder: Path) -> Iterator[tuple[str, int]]:
    for table in ("run", "case", "trial", "check", "file"):
        yield table, _size(folder / table)


def _measured(folder: Path, runs: Path, into: Path) -> dict[str, Sample]:
    env = environment(folder / "pycache")
    ours = ("-m", "evalglot")
    collect = python(*ours, "collect", str(runs), "--into", str(into), "--quiet")
    trend = python(*ours, "trend", str(into))
    query = python(*ours, "query", str(into))
    shutil.rmtree(into, ignore_errors=True)
    once = "SELECT tool, month, verdict, count(*) FROM trials GROUP BY ALL"
    commands = {
        "collect": (collect, (0,)),
        "collect again": (collect, (0,)),
        "trend --case (start-up included)": ([*trend, "--case", "r-0"], (0, 1)),
        "trend --check (start-up included)": ([*trend, "--check", "Egress"], (0, 1)),
        "query of all trials (start-up included)": ([*query, once], (0,)),
        "query of nothing: start-up alone": ([*query, "SELECT 1"], (0,)),
    }
    return {name: measure(command, env, codes=codes) for name, (command, codes) in commands.items()}


def _lines(files: int, size: int, into: Path, measured: dict[str, Sample]) -> Iterator[str]:
    wall = measured["collect"].wall_s
    yield f"{files:,} files, {size / MB:,.0f} MB of JSON; {_machine()}"
    yield f"{files / wall:,.0f} files a second, {size / MB / wall:,.1f} MB a second"
    held = _size(into)
    parts = ", ".join(f"{name} {part / MB:,.1f}" for name, part in _tables(into))
    yield f"{held / MB:,.0f} MB on disk, {100 * held / size:.1f} % of the JSON (MB: {parts})"
    yield ""
    yield "| command | s | CPU s | peak MB |"
    yield "|---|---|---|---|"
    for name, one in measured.items():
        yield f"| {name} | {one.wall_s:.2f} | {one.cpu_s:.2f} | {one.anonymous / MB:,.0f} |"


def _machine() -> str:
    cores = len(os.sched_getaffinity(0))
    return f"{cores} cores, {platform.python_implementation()} {platform.python_version()}"


def main() -> None:
    """Make the files, measure, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--folder", type=Path, help="kept afterwards; by default a temporary one")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        size = make(folder / f"runs-{given.files}", given.files)
        into = folder / f"dataset-{given.files}"
        measured = _measured(folder, folder / f"runs-{given.files}", into)
        sys.stdout.writelines(f"{line}\n" for line in _lines(given.files, size, into, measured))


if __name__ == "__main__":
    main()
