"""L24: shifts are where published data have them, seldom found in noise, and exactly as likely."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import sqrt

import numpy as np
import pytest
import statsmodels.datasets

from diffruns import statistics

RUNS = 400


def clearest(values: Sequence[float]) -> float:
    """The largest difference of means, for the lengths of both sides, as it is defined."""
    n = len(values)
    return max(
        abs(np.mean(values[:t]) - np.mean(values[t:])) * sqrt(t * (n - t) / n)
        for t in range(2, n - 1)
    )


def exact(values: Sequence[float]) -> float:
    """In which share of all orders is the clearest cut as clear?"""
    seen = clearest(values) - 1e-9
    orders = list(permutations(values))
    return sum(clearest(order) >= seen for order in orders) / len(orders)


@pytest.mark.parametrize(
    "values",
    [[1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 1, 0, 0], [0.2, 0.1, 0.3, 0.9, 0.8, 1.0, 0.9]],
)
def test_l24_the_chance_of_a_shift_is_what_all_orders_say(values: list[float]) -> None:
    wanted = exact(values)
    (found,) = statistics.shifts(values, 0.9999)[:1]
    assert found.p == pytest.approx(wanted, abs=4 * sqrt(wanted * (1 - wanted) / 20) * 0.35 + 0.01)


def test_l24_the_nile_fell_in_1898() -> None:
    """Cobb 1978, "The problem of the Nile": the flow at Aswan fell with 1899's, and but then."""
    flows = statsmodels.datasets.nile.load_pandas().data
    (found,) = statistics.shifts(list(flows["volume"]), 0.05)
    assert flows["year"][found.place - 1] == 1898
    assert found.p <= 0.001
    assert round(found.before) == 1098
    assert round(found.after) == 850


@pytest.mark.parametrize(("n", "share"), [(8, 0.5), (20, 0.8), (60, 0.95), (60, 0.5)])
def test_l24_shifts_are_seldom_found_in_noise(n: int, share: float) -> None:
    chance = np.random.default_rng(n)
    noise = (chance.random((RUNS, n)) < share).astype(float)
    found = sum(bool(statistics.shifts(list(values), 0.05)) for values in noise)
    assert found / RUNS <= 0.05 + 3 * sqrt(0.05 * 0.95 / RUNS)


def test_l24_a_clear_shift_is_found_where_it_is() -> None:
    chance = np.random.default_rng(5)
    places = []
    for _ in range(100):
        values = np.concatenate([chance.random(30) < 0.95, chance.random(15) < 0.3])
        places += [one.place for one in statistics.shifts(list(values.astype(float)), 0.05)[:1]]
    assert len(places) >= 98
    assert sum(abs(place - 30) <= 3 for place in places) >= 85


def test_l24_several_shifts_are_found_in_order() -> None:
    values = [1.0] * 20 + [0.0] * 20 + [1.0] * 20
    found = statistics.shifts(values, 0.05)
    assert [one.place for one in found] == [20, 40]
    assert [(one.before, one.after) for one in found] == [(1.0, 0.0), (0.0, 1.0)]
    assert [(one.n_before, one.n_after) for one in found] == [(20, 20), (20, 20)]


@pytest.mark.parametrize("values", [[], [1.0], [0.0, 1.0], [0.3] * 50, [1, 1, 1, 0, 0, 0]])
def test_l24_where_nothing_can_be_told_there_is_no_shift(values: list[float]) -> None:
    assert statistics.shifts(values, 0.05) == []


def test_l24_the_fewest_runs_that_show_a_shift_are_the_fewest() -> None:
    for n in range(4, statistics.LEAST_RUNS):
        values = [1.0] * (n // 2) + [0.0] * (n - n // 2)
        assert exact(values) > 0.05
    half = statistics.LEAST_RUNS // 2
    assert exact([1.0] * half + [0.0] * half) <= 0.05


def test_l24_the_same_values_have_the_same_shifts() -> None:
    values = [1.0, 0.5, 1.0, 0.75] * 10 + [0.25, 0.5] * 10
    assert statistics.shifts(values, 0.05) == statistics.shifts(list(values), 0.05)
