"""A copy of the shelves that a test may change, and every command at hand."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from registry import shelves
from registry.cli import registry

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Which function runs `evalglot registry`? None of its output may pass 80 columns."""

    def invoke(*arguments: str | Path, wide: bool = False) -> Result:
        done = CliRunner().invoke(registry, [str(one) for one in arguments])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        assert wide or all(len(line) <= 80 for line in done.stdout.splitlines())
        return done

    return invoke


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the registry's shelves, generated files included."""
    root = tmp_path / "versions"
    shutil.copytree(shelves.versions_root(), root)
    return root


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def change(path: Path, **fields: Any) -> None:
    path.write_text(json.dumps(read(path) | fields), encoding="utf-8")
