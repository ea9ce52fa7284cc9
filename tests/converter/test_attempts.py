"""Trials of one case and target are counted, whatever stands between them."""

from __future__ import annotations

from converter.attempts import Attempts
from converter.facts import Case, Trial


def test_trials_are_counted_by_case_and_target() -> None:
    attempts = Attempts()
    odd = Case(id="\ud83d", dataset="d")
    asked = [
        (odd, Trial()),
        (Case(id="a"), Trial(provider="x")),
        (odd, Trial()),
        (Case(id="a"), Trial(provider="y")),
        (Case(id="a"), Trial(provider="x")),
        (Case(group="d", id="\ud83d"), Trial()),
        (odd, Trial()),
    ]
    assert [attempts.next(*one) for one in asked] == [0, 0, 1, 0, 1, 0, 2]
