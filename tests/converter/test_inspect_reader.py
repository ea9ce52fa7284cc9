"""Inspect itself reads what we write as its logs."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from converter import chain
from registry import gate
from tests.converter import samples

INSPECT = os.environ.get("INSPECT_PYTHON")
"""a Python that has inspect_ai: its 57 dependencies stay out of our environment"""

READ = """
import json, sys
from inspect_ai.log import read_eval_log
for path in sys.argv[1:]:
    log = read_eval_log(path)
    print(json.dumps({
        "status": log.status,
        "model": log.eval.model,
        "total": log.results.total_samples if log.results else None,
        "samples": [
            [one.epoch, sorted(one.scores or {}), bool(one.error)] for one in log.samples or []
        ],
    }))
"""
SOURCES = [
    path for path in samples.valid() if path.name == "typical.json" or path.name.startswith("real-")
]


def told(*paths: Path) -> list[Any]:
    """What does Inspect read in these logs?"""
    assert INSPECT is not None
    done = subprocess.run(
        [INSPECT, "-c", READ, *map(str, paths)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.skipif(not INSPECT, reason="$INSPECT_PYTHON names no Python that has inspect_ai")
def test_inspect_reads_what_we_write(tmp_path: Path) -> None:
    documents = []
    for number, path in enumerate(SOURCES):
        there = chain.convert(samples.staged(path), "inspect").document()
        documents.append(there)
        (tmp_path / f"{number}.json").write_bytes(gate.dump(there))
    for document, log in zip(
        documents,
        told(*(tmp_path / f"{number}.json" for number in range(len(SOURCES)))),
        strict=True,
    ):
        assert log["status"] == document["status"]
        assert log["model"] == document["eval"]["model"]
        assert log["total"] == document["results"]["total_samples"]
        assert log["samples"] == [
            [one["epoch"], sorted(one.get("scores") or {}), one.get("error") is not None]
            for one in document["samples"]
        ]
