"""Worked examples from the literature come out as they were printed."""

from __future__ import annotations

import pytest

from diffruns import statistics
from diffruns.statistics import rates


@pytest.mark.parametrize(
    ("broke", "fixed", "exact", "mid"),
    [
        (1, 7, 0.070, 0.039),  # airway hyper-responsiveness: Fagerland, Lydersen, Laake 2013
        (6, 16, 0.052, 0.035),  # complete response to therapy: the same authors, 2014
    ],
)
def test_mcnemar(broke: int, fixed: int, exact: float, mid: float) -> None:
    found = statistics.mcnemar(broke, fixed)
    assert (round(found.exact, 3), round(found.p, 3)) == (exact, mid)
    assert statistics.mcnemar(fixed, broke) == found


@pytest.mark.parametrize(
    ("passed", "n", "low", "high"),
    [  # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(passed: int, n: int, low: float, high: float) -> None:
    found = statistics.wilson(passed, n)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@pytest.mark.parametrize(
    ("broke", "fixed", "n", "low", "high"),
    [  # Fagerland, Lydersen, Laake 2014; the second to the digits of their contingencytables
        (7, 1, 21, -0.517, -0.026),
        (16, 6, 161, -0.1240, -0.0054),
    ],
)
def test_tango(broke: int, fixed: int, n: int, low: float, high: float) -> None:
    found = statistics.paired_rate_interval(broke, fixed, n)
    assert found.low == pytest.approx(low, abs=5e-4 if n == 21 else 5e-5)
    assert found.high == pytest.approx(high, abs=5e-4 if n == 21 else 5e-5)


def test_tangos_own_example(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tango 1998, section 6.1: one of 44 lenses fails by the new way only; 90 %, from -0.096."""
    monkeypatch.setattr(rates, "Z", 1.645)
    assert round(statistics.paired_rate_interval(1, 0, 44).low, 3) == -0.096


def test_fishers_darwin_data() -> None:
    """Fisher 1935, section 21: 1,726 of 32,768 ways for pairs of maize to differ that much."""
    eighths = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert statistics.sign_flip(eighths) == 1726 / 2**15
