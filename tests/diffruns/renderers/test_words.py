"""How names are told in little room."""

from __future__ import annotations

import pytest

from diffruns.renderers import words


@pytest.mark.parametrize("length", [12, 20, 38])
def test_names_that_are_cut_stay_apart(length: int) -> None:
    names = [
        *(f"coding-agent:{what}-injection-of-every-kind" for what in ("repo-prompt", "terminal")),
        *(f"{'x' * 50}{n:03}{'y' * 50}" for n in range(100)),
        *(f"z{'z' * n}" for n in range(60, 62)),
        "short",
    ]
    told = words.apart(names, length)
    assert len(set(told.values())) == len(names)
    assert max(map(len, told.values())) <= length
    assert told["short"] == "short"
