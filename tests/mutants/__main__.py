"""Break one thing at a time in a copy of the tree, and see that the tests notice.

    python -m tests.mutants [WORD ...]

Only mutants whose name holds one of the words are tried. The command fails when a mutant survives,
when its text is no longer found, or when the tests fail without any mutant.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.listed import MUTANTS, Mutant

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "dist")
FAILED = 1
"""pytest's exit code for tests that failed; all others mean that it could not run them"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which tests noticed the mutant? None did where it survived or could not be tried."""

    mutant: Mutant
    noticed: str
    why: str = ""


def _pytest(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """How do these tests end in this copy of the tree?

    No compiled modules are kept: their time stamps are too coarse to tell one mutant from the next.
    """
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tree)}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False)


def _choices(mutant: Mutant) -> Iterable[tuple[str, ...]]:
    """Which tests are to be tried, one set after the other?"""
    if mutant.law:
        yield mutant.law
    for test in mutant.tests:
        yield (test,)


def _try(tree: Path, mutant: Mutant) -> Verdict:
    file = tree / mutant.file
    text = file.read_text()
    if text.count(mutant.old) != 1:
        return Verdict(mutant, "", f"its text stands {text.count(mutant.old)} times in the file")
    file.write_text(text.replace(mutant.old, mutant.new))
    try:
        for tests in _choices(mutant):
            if _pytest(tree, *tests).returncode == FAILED:
                return Verdict(mutant, " ".join(tests))
    finally:
        file.write_text(text)
    return Verdict(mutant, "", "survived")


def _unsound(tree: Path, mutants: Sequence[Mutant]) -> str:
    """What do the tests say that fail though nothing is broken? Nothing where all pass."""
    for tests in dict.fromkeys(tests for mutant in mutants for tests in _choices(mutant)):
        ended = _pytest(tree, *tests)
        if ended.returncode:
            return ended.stdout + ended.stderr
    return ""


def main() -> int:
    """Try all mutants, print a line for each, and tell whether one survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    words = parser.parse_args().words
    mutants = [one for one in MUTANTS if not words or any(word in one.name for word in words)]
    survived = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=LEFT_OUT)
        if told := _unsound(tree, mutants):
            sys.stdout.write(f"{told}\nThe tests fail without any mutant: nothing can be told.\n")
            return 1
        for mutant in mutants:
            verdict = _try(tree, mutant)
            survived += not verdict.noticed
            told = f"noticed by {verdict.noticed}" if verdict.noticed else verdict.why.upper()
            sys.stdout.write(f"{mutant.name:66}{told}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(mutants) - survived} of {len(mutants)} mutants noticed\n")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
