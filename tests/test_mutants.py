"""What `python -m tests.mutants` breaks is still there to be broken."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutants.listed import MUTANTS, Mutant

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_changes_one_place_and_is_still_python(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1
    ast.parse(text.replace(mutant.old, mutant.new))
    named = [*mutant.law[: 1 if "-k" in mutant.law else None], *mutant.tests]
    assert named
    assert all((ROOT / test).exists() for test in named)
