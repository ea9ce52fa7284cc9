"""The tools themselves read what we write in their formats."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from converter import chain
from registry import gate
from registry.values import same
from tests.converter import samples

PROMPTFOO = os.environ.get("PROMPTFOO_BIN") or which("promptfoo")
ALONE = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1"}
SOURCES = [
    path
    for path in samples.valid()
    if path.name == "typical.json" and not samples.ref(path).startswith("promptfoo")
]


def promptfoo(folder: Path, *arguments: str) -> None:
    """Run the tool with a database of its own, in this folder."""
    assert PROMPTFOO is not None
    env = {**os.environ, **ALONE, "PROMPTFOO_CONFIG_DIR": str(folder)}
    done = subprocess.run(
        [PROMPTFOO, *arguments],
        env=env,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def outcomes(document: Any) -> list[Any]:
    """What does each row of a promptfoo file say of its outcome and its checks?"""
    rows = sorted(document["results"]["results"], key=lambda row: row["testIdx"])
    return [
        [
            row["success"],
            row["score"],
            row["failureReason"],
            row.get("response", {}).get("output"),
            (row["gradingResult"] or {}).get("componentResults"),
        ]
        for row in rows
    ]


def rounded(value: Any) -> Any:
    """The value as JavaScript writes it: 1.0 is 1."""
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


@pytest.mark.skipif(PROMPTFOO is None, reason="promptfoo is not installed; see .ci/run")
@pytest.mark.parametrize("path", SOURCES, ids=samples.name)
def test_promptfoo_imports_what_we_write_and_exports_it_again(path: Path, tmp_path: Path) -> None:
    document = chain.convert(samples.staged(path), "promptfoo").document()
    document["evalId"] = "eval-ours"
    written, exported = tmp_path / "ours.json", tmp_path / "theirs.json"
    written.write_bytes(gate.dump(document))
    promptfoo(tmp_path, "import", str(written))
    promptfoo(tmp_path, "export", "eval", "eval-ours", "--output", str(exported))
    theirs = gate.load(exported.read_bytes())
    assert same(outcomes(theirs), rounded(outcomes(document)))
    ours = document["results"]["stats"]
    for count in ("successes", "failures", "errors"):
        assert theirs["results"]["stats"][count] == ours[count] - unlisted(document, count)


def unlisted(document: Any, count: str) -> int:
    """How many does the file count without listing them?"""
    facts = document["metadata"]["x-evalglot"].get("facts", {})
    names = {"successes": "unlisted_passed", "failures": "unlisted_failed"}
    number: int = facts.get(names.get(count, ""), 0)
    return number
