"""Nothing that may get in makes the statistics fail, or say what can't be."""

from __future__ import annotations

from math import isfinite
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffruns import statistics
from diffruns.entries import LARGEST

ANY = st.one_of(
    st.floats(-2 * LARGEST, 2 * LARGEST),
    st.sampled_from([0.0, -0.0, 1e150, -1e150, 1e-300, 5e-324, 1.0, 0.1, 1 / 3]),
)
SOME = st.lists(ANY, min_size=1, max_size=40)
SHARES = st.lists(st.sampled_from([0.0, 0.1, 1 / 3, 0.5, 2 / 3, 1.0]) | st.floats(0, 1),
                  min_size=1, max_size=40)  # fmt: skip
HOW = st.sampled_from([None, 1, 2, 7])


def clusters_of(values: list[float], many: int | None) -> list[int] | None:
    return None if many is None else [place % many for place in range(len(values))]


@given(SOME, HOW)
def test_any_values_have_a_mean(values: list[float], many: int | None) -> None:
    found = statistics.mean(values, clusters_of(values, many))
    alone = len(values) == 1 or many == 1
    assert isfinite(found.value)
    if alone:
        assert found.low is found.high is None
    else:
        assert found.low is not None
        assert found.high is not None
        assert isfinite(found.low)
        assert isfinite(found.high)
        assert found.low <= found.value <= found.high


@given(SOME, HOW)
def test_any_differences_have_a_p(values: list[float], many: int | None) -> None:
    found = statistics.paired_mean(values, 0.05, clusters_of(values, many))
    assert 0 <= found.p <= 1
    assert found.detectable is None or found.detectable > 0


@given(SHARES, HOW)
def test_any_shares_have_bounds(shares: list[float], many: int | None) -> None:
    found = statistics.share_of_cases(shares, clusters_of(shares, many))
    assert 0 <= found.low <= found.value <= found.high <= 1


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), HOW)
def test_any_differences_of_shares_have_bounds(shares: list[float], many: int | None) -> None:
    found = statistics.paired_share(shares, 0.05, clusters_of(shares, many))
    assert 0 <= found.p <= 1
    if found.low is not None and found.high is not None:
        assert -1 <= found.low <= found.value <= found.high <= 1


@given(st.integers(0, 30_000), st.integers(0, 30_000), st.integers(0, 10**6))
def test_any_counts_have_a_p_and_bounds(broke: int, fixed: int, steady: int) -> None:
    n = max(1, broke + fixed + steady)
    test, found = statistics.mcnemar(broke, fixed), statistics.paired_rate_interval(broke, fixed, n)
    assert 0 <= test.p <= test.exact <= 1
    assert -1 <= found.low <= found.value <= found.high <= 1
    mirrored = statistics.paired_rate_interval(fixed, broke, n)
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low), abs=1e-9)


@given(st.integers(1, 10**9), st.floats(0, 1), st.sampled_from([1e-9, 0.01, 0.05, 0.5, 0.99]))
def test_what_is_detectable_is_a_share(n: int, changed: float, alpha: float) -> None:
    found = statistics.detectable_rate(n, changed, alpha)
    assert found is None or 0 < found <= 1


@given(st.lists(st.integers(-9, 9).map(float), min_size=1, max_size=60), st.randoms(), st.data())
def test_flips_are_the_same_in_any_order_scale_and_direction(
    values: list[float], chance: Any, data: Any
) -> None:
    wanted = pytest.approx(statistics.sign_flip(values), rel=1e-9)
    mixed = [*values, *[0.0] * data.draw(st.integers(0, 5))]
    chance.shuffle(mixed)
    assert statistics.sign_flip(mixed) == wanted
    for scale in (-1.0, 2.0**-900, 1e-200, 1e150, 0.1):
        assert statistics.sign_flip([scale * value for value in values]) == wanted


def test_what_cancels_out_but_for_rounding_is_no_difference() -> None:
    """One minus two thirds is a third, but for the last digit."""
    tied = [1 - 2 / 3, -1 / 3] * 8
    found = statistics.paired_mean(tied, 0.05, [place // 2 for place in range(16)])
    assert found.p == 1.0
    assert statistics.mean([0.1] * 3).low == statistics.mean([0.1] * 3).high


def test_nothing_differs() -> None:
    assert statistics.sign_flip([0.0] * 50) == 1.0
    assert statistics.paired_mean([0.0] * 50, 0.05).detectable is None
    assert statistics.mcnemar(0, 0) == statistics.McNemar(1.0, 1.0)


def test_few_clusters_leave_wide_bounds() -> None:
    """What two clusters say is not known as well as what forty cases say."""
    shares = [1.0, 0.0, 1.0, 1.0] * 10
    apart, tied = (
        statistics.share_of_cases(shares),
        statistics.share_of_cases(shares, [place // 20 for place in range(19)] + [1] * 21),
    )
    assert tied.high - tied.low > apart.high - apart.low
