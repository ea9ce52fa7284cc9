"""Plug-ins, installed in a folder of their own that a command is told of."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "evalglot-quizlog"
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def install(package: Path, library: Path) -> None:
    """Put a package, with what says who brings it, into a folder."""
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--target", str(library))
    subprocess.run([sys.executable, "-m", "pip", "install", *options, package], check=True)


def runner(library: Path, folder: Path) -> Run:
    """Which function runs a module of Python where this folder of packages is known?"""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(library), str(ROOT)])}

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", *map(str, arguments)],
            cwd=folder,
            env=env,
            check=False,
            capture_output=True,
            text=True,
        )

    return run


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example installed."""
    folder = tmp_path_factory.mktemp("library")
    install(EXAMPLE, folder)
    return folder


@pytest.fixture
def run(library: Path, tmp_path: Path) -> Run:
    """Run with the example installed."""
    return runner(library, tmp_path)
