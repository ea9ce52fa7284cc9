"""A repository to try things in, with this checkout's commands on the path."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]

COMMANDS = {"evalglot": "evalglot.cli", "diffruns": "diffruns.cli", "convert": "converter.cli"}


def shared(factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run of the tests have in common."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


class Repository:
    """A scratch repository in which this checkout's commands are on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        commands = folder / ".commands"
        commands.mkdir()
        for name, module in COMMANDS.items():
            script = commands / name
            run = f"import sys; sys.argv[0] = '{name}'; from {module} import main; main()"
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{run}" "$@"\n')
            script.chmod(0o755)
        self.environment = {
            "PATH": f"{commands}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        self.run("git init -q -b main")
        self.run("git config user.name t; git config user.email t@example.org")

    def done(self, command: str, **more: str) -> subprocess.CompletedProcess[str]:
        """What became of this line of shell?"""
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command],
            cwd=self.folder,
            env=self.environment | more,
            capture_output=True,
            check=False,
            encoding="utf-8",
        )

    def run(self, command: str) -> str:
        """What does it print? Nothing on standard error."""
        done = self.done(command)
        assert done.stderr == ""
        return done.stdout

    def write(self, document: Any, name: str = "results/run.json") -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(document))

    def commit(self) -> None:
        self.run("git add results; git commit -qm all")
