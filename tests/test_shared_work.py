"""Several processes that share a work come to what one comes to alone.

That is tried in a process of its own: a helper starts as a copy of the process, and one that holds
tens of thousands of tests takes longer to copy than all the work takes.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("part", ["registry", "converter"])
def test_who_does_the_work_changes_nothing(part: str) -> None:
    file = HERE / part / "shared_work.py"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-o",
            "addopts=--import-mode=importlib",
            str(file),
        ],
        cwd=HERE.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
