"""The numbers in docs/statistics.md are those that come out."""

from __future__ import annotations

import doctest
from pathlib import Path

GUIDE = Path(__file__).parents[3] / "docs" / "statistics.md"


def test_the_guides_numbers_come_out() -> None:
    found = doctest.testfile(str(GUIDE), module_relative=False, encoding="utf-8")
    assert found.attempted >= 8
    assert found.failed == 0


def test_the_guide_is_short() -> None:
    assert len(GUIDE.read_text(encoding="utf-8").splitlines()) <= 150
