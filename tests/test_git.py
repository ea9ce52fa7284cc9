"""What docs/git.md says works with the real git."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.diffruns.documents import FAILED, promptfoo

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "git.md").read_text(encoding="utf-8")


def lines(name: str) -> list[str]:
    """The commands of the page's block of that name."""
    inner = PAGE.split(f"<!-- {name} -->")[1].split("<!-- end -->")[0]
    return [line for line in inner.strip().splitlines() if not line.startswith("```")]


class Repository:
    """A scratch repository in which this checkout's commands are on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        commands = folder / ".commands"
        commands.mkdir()
        for name, module in (("evalglot", "evalglot"), ("diffruns", "diffruns.cli")):
            script = commands / name
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
            script.chmod(0o755)
        self.environment = {
            "PATH": f"{commands}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        self.run("git init -q")
        self.run("git config user.name t; git config user.email t@example.org")

    def run(self, command: str) -> str:
        done = subprocess.run(
            command, shell=True, cwd=self.folder, env=self.environment, capture_output=True,
            check=False, encoding="utf-8",
        )  # fmt: skip
        assert done.stderr == ""
        return done.stdout

    def write(self, document: Any, name: str = "results/run.json") -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(document))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path)
    made.write(promptfoo([{"test": "kept"}, {"test": "broken"}]))
    made.write({"no": "run"}, "results/other.json")
    made.run("git add results; git commit -qm first")
    made.write(promptfoo([{"test": "broken", **FAILED}, {"test": "kept"}]))
    made.write({"no": "run at all"}, "results/other.json")
    return made


def test_git_diff_shows_cases(repository: Repository) -> None:
    for line in lines("textconv"):
        repository.run(line)
    shown = repository.run("git diff -U0 -- results/run.json")
    changed = [
        line for line in shown.splitlines() if line[0] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert changed == ["-broken [echo]: passed, score 1", "+broken [echo]: failed, score 0"]


def test_git_diff_shows_what_is_no_run_as_it_is(repository: Repository) -> None:
    for line in lines("textconv"):
        repository.run(line)
    assert '+{"no": "run at all"}' in repository.run("git diff -- results/other.json")


def test_git_difftool_shows_the_whole_comparison(repository: Repository) -> None:
    for line in lines("difftool"):
        repository.run(line)
    shown = repository.run("git difftool -t diffruns HEAD -- results/run.json")
    assert "broke: passed before, fails now\n  broken" in shown
