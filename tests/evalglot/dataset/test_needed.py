"""Without the extras, each command says in one line what to install; with others all goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from evalglot.cli import evalglot
from tests.evalglot.dataset.held import RUN
from tests.faults.running import environment


@pytest.mark.parametrize(
    ("command", "packages"),
    [
        (["collect", str(RUN), "--into", "d"], ["pyarrow", "fsspec"]),
        (["query", "d", "SELECT 1"], ["pyarrow", "duckdb", "fsspec"]),
        (["trend", "d", "--case", "x"], ["pyarrow", "duckdb", "fsspec"]),
        (["diff", "--baseline", "d@last5", str(RUN)], ["pyarrow", "duckdb", "fsspec"]),
    ],
)
def test_what_is_missing_is_said_with_the_command_that_installs_it(
    command: list[str], packages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in packages:
        monkeypatch.setitem(sys.modules, package, None)
    refused = CliRunner().invoke(evalglot, command)
    assert refused.exit_code == 2
    assert "pip install 'evalglot[data]'" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_cluster_needs_its_own_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    command = ["collect", str(RUN), "--into", str(tmp_path), "--scheduler", "tcp://127.0.0.1:1"]
    refused = CliRunner().invoke(evalglot, command)
    assert refused.exit_code == 2
    assert "pip install 'evalglot[cluster]'" in refused.stderr


def test_no_other_command_imports_them() -> None:
    code = (
        "import sys, evalglot.cli, evalglot.dataset.commands.collect, "
        "evalglot.dataset.commands.trend, diffruns.command, converter.cli\n"
        "print([one for one in ('pyarrow', 'duckdb', 'fsspec', 'dask') if one in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, check=True
    )
    assert done.stdout == b"[]\n"
