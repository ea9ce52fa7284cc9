"""Long work shows how far it has come on a terminal, and nowhere else."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from registry import progress
from tests.diffruns.documents import promptfoo

RUN = "import sys; from registry import progress; progress.LONG_BYTES = 1; sys.argv[0] = '{0}'; "
COMMANDS = {
    "validate": ("evalglot.cli", ["validate", "run.json"], "checking run.json"),
    "diff": ("evalglot.cli", ["diff", "run.json", "other.json"], "reading run.json"),
    "gate": ("evalglot.cli", ["gate", "run.json"], "checking run.json"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("run.json", "other.json"):
        run = promptfoo([{"test": f"case {number}"} for number in range(50)])
        (tmp_path / name).write_text(json.dumps(run))
    return tmp_path


def said(module: str, words: Sequence[str], folder: Path, *, terminal: bool) -> tuple[str, str]:
    """What does a command print on standard output, and say on standard error?"""
    code = f"{RUN.format('evalglot')}from {module} import main; main()"
    ours, theirs = pty.openpty() if terminal else os.pipe()
    child = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=folder,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    told = bytearray()
    while chunk := _read(ours):
        told += chunk
    os.close(ours)
    out, _ = child.communicate()
    return out.decode(), told.decode()


def _read(stream: int) -> bytes:
    try:
        return os.read(stream, 65_536)
    except OSError:  # what a terminal says when nobody writes to it any more
        return b""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_is_shown_a_bar(name: str, folder: Path) -> None:
    module, words, label = COMMANDS[name]
    out, told = said(module, words, folder, terminal=True)
    assert label in told
    assert "100%" in told
    assert label not in out


@pytest.mark.parametrize("name", COMMANDS)
def test_a_pipe_is_not(name: str, folder: Path) -> None:
    module, words, label = COMMANDS[name]
    assert label not in said(module, words, folder, terminal=False)[1]


def test_who_wants_no_summary_gets_no_bar(folder: Path) -> None:
    assert said("evalglot.cli", ["validate", "-q", "run.json"], folder, terminal=True) == ("", "")


def test_short_work_is_not_watched() -> None:
    things = [1, 2]
    assert progress.watched(things, 2, "short", progress.LONG_BYTES - 1) is things
