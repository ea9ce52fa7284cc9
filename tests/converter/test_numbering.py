"""Trials of one case and target are counted, whatever stands between them."""

from __future__ import annotations

from converter.facts import Case, Trial
from converter.numbering import Numbers, attempt


def test_trials_are_counted_by_case_and_target() -> None:
    numbers = Numbers()
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
    assert [numbers.next(attempt(one)) for one in asked] == [0, 0, 1, 0, 1, 0, 2]


def test_values_are_numbered_as_they_first_come() -> None:
    numbers = Numbers()
    assert [numbers.of(one) for one in ("b", "a", "b", None, "a")] == [0, 1, 0, 2, 1]
