"""No command makes a socket or asks for an address, whatever a file refers to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.running import ROOT, RUN, large, run

WATCH = """\
import os, sys

def watch(event, arguments):
    if event.startswith("socket.") or event == "urllib.Request":
        os.write(2, f"NETWORK {event} {arguments}\\n".encode())
        os._exit(99)

sys.addaudithook(watch)
"""
REFERRING = "https://example.invalid/schema.json"

COMMANDS: dict[str, list[str | Path]] = {
    "convert": ["convert", "--to", "sandtable", RUN],
    "report of losses": ["convert", "--to", "inspect", "--report", "/dev/null", RUN],
    "diff": ["diff", "--format", "html", RUN, RUN],
    "case": ["diff", "--case", "1", RUN, RUN],
    "report": ["report", RUN],
    "cases": ["cases", RUN],
    "roundtrip": ["roundtrip", RUN],
    "validate": ["validate", "--format", "sarif", RUN],
    "invalid": ["validate", ROOT / "fixtures/cbl/4/invalid"],
    "infer": ["registry", "infer", RUN],
    "lint": ["registry", "lint"],
    "check": ["registry", "check"],
    "schemas": ["registry", "diff", "cbl@3", "cbl@4"],
}


@pytest.fixture
def watched(tmp_path: Path) -> dict[str, str]:
    """An environment in which a command ends with 99 as soon as it turns to the network."""
    folder = tmp_path / "watch"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(WATCH, "utf-8")
    return {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}


def watching() -> None:
    """End a new process with 99 as soon as it turns to the network."""
    exec(WATCH, {})


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_uses_the_network(name: str) -> None:
    done = run(*COMMANDS[name], preexec_fn=watching)
    assert b"NETWORK" not in done.stderr
    assert done.returncode in (0, 1, 2)


def test_a_local_dataset_uses_no_network(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    for command in (
        ["collect", ROOT / "fixtures/cbl/4/valid", "--into", folder, "--jobs", "2"],
        ["query", folder, "FROM runs"],
        ["trend", folder, "--check", "safe_response_score"],
        ["diff", "--baseline", f"{folder}@last5", RUN],
    ):
        done = run(*command, preexec_fn=watching)
        assert b"NETWORK" not in done.stderr
        assert done.returncode in (0, 1, 3, 4), done.stderr


def test_helpers_use_no_network(tmp_path: Path) -> None:
    source = large(tmp_path / "run.json", 3000)
    done = run(
        "convert",
        "--to",
        "sandtable",
        "--jobs",
        "2",
        source,
        "-o",
        "/dev/null",
        preexec_fn=watching,
    )
    assert done.returncode == 0, done.stderr


def test_a_schema_elsewhere_is_never_fetched(tmp_path: Path) -> None:
    """Not by a file that names one, and not by a draft that refers to one."""
    named = tmp_path / "run.json"
    named.write_text(json.dumps({"$schema": REFERRING, **json.loads(RUN.read_bytes())}), "utf-8")
    draft = tmp_path / "draft.json"
    draft.write_text(json.dumps({"$schema": REFERRING, "$ref": REFERRING}), "utf-8")
    commands: list[list[str | Path]] = [
        ["validate", named],
        ["convert", "--to", "sandtable", named],
        ["registry", "lint", draft],
        ["registry", "diff", "cbl@4", draft],
        ["registry", "add", draft, "--to", "cbl@9", "--dry-run"],
    ]
    for command in commands:
        done = run(*command, preexec_fn=watching)
        assert done.returncode in (0, 1, 2), done.stderr
        assert b"NETWORK" not in done.stderr


def test_no_start_uses_the_network(watched: dict[str, str]) -> None:
    """Nor does what a command imports as it starts."""
    done = run(*COMMANDS["convert"], env=watched)
    assert (done.returncode, b"NETWORK" in done.stderr) == (0, False)


def test_the_watch_sees_the_network(watched: dict[str, str]) -> None:
    code = "import socket; socket.create_connection(('127.0.0.1', 9))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **watched},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr.startswith(b"NETWORK")) == (99, True)
