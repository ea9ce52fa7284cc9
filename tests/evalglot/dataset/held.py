"""What a dataset holds, read by pyarrow alone, and files to fill it with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[3]
RUN = ROOT / "fixtures/promptbeat/1/valid/typical.json"
FIXTURES = [str(path) for path in sorted((ROOT / "fixtures").glob("*/*/valid"))]
KEYS = {
    "file": ["path"],
    "error": ["path"],
    "run": ["digest"],
    "case": ["digest", "case_number"],
    "trial": ["digest", "case_number", "trial_number"],
    "check": ["digest", "case_number", "trial_number", "check_number"],
}


def table(folder: Path, name: str) -> pa.Table:
    """All rows of a table, of each part that any reader of Parquet finds, by its keys."""
    parts = [pq.ParquetFile(path).read() for path in sorted((folder / name).rglob("*.parquet"))]
    if not parts:
        return pa.table({})
    return pa.concat_tables(parts).sort_by([(key, "ascending") for key in KEYS[name]])


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    """The same rows as Python values."""
    return list(table(folder, name).to_pylist())


def everything(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables."""
    return {name: rows(folder, name) for name in KEYS}


def run_of(
    number: int, *, passed: bool = True, day: int = 1, provider: str = "m"
) -> dict[str, Any]:
    """A small run of Promptbeat's, another one for each number."""
    document = json.loads(RUN.read_bytes())
    for case in document["cases"]:
        case["passed"], case["score"] = passed, 1.0 if passed else 0.0
        case["provider"] = provider
    document["eval_id"] = f"run-{number}"
    document["started_at"] = f"2026-0{1 + day // 28}-{1 + day % 28:02}T00:00:00Z"
    return document


def write_runs(folder: Path, count: int, first: int = 0) -> list[Path]:
    """So many small files, one a run."""
    folder.mkdir(exist_ok=True, parents=True)
    files = [folder / f"run-{number:04}.json" for number in range(first, first + count)]
    for number, file in enumerate(files, first):
        file.write_text(json.dumps(run_of(number, day=number % 200)), encoding="utf-8")
    return files
