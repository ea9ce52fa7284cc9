"""Plots tell what they are given."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from diffruns.renderers.page import plots
from diffruns.renderers.page.plots import Curve
from diffruns.report import Rate

POSITIVE = st.floats(1e-6, 1e9)
VALUES = st.lists(POSITIVE, min_size=1, max_size=50)


@given(VALUES)
def test_every_value_is_in_one_bin(values: list[float]) -> None:
    bins = plots.scale(values)
    assert sum(plots.binned(values, bins.edges)) == len(values)
    assert all(left < right for left, right in pairwise(bins.edges))
    assert bins.edges[0] <= min(values) * (1 + 1e-9)
    assert bins.edges[-1] >= max(values) * (1 - 1e-9)
    assert len(bins.edges) <= plots.MOST_BINS + 1


@given(VALUES)
def test_a_few_round_values_are_named(values: list[float]) -> None:
    bins = plots.scale(values)
    named = plots.ticks(bins)
    assert 1 <= len(named) <= 9
    assert all(bins.edges[0] * 0.99 <= value <= bins.edges[-1] * 1.01 for value in named)


def test_a_wide_spread_is_told_by_ratio() -> None:
    assert plots.scale([1, 10, 1000]).even is False
    assert plots.scale([0, 10, 1000]).even is True
    assert plots.scale([10, 20]).even is True


ANY = st.lists(
    st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**40), 10**40),
    min_size=1,
    max_size=20,
)
NEAR = [[0.0004, 0.00040000000000000007] * 2, [10**30, 10**30 + 1], [5e-324, 1e-323, 0]]


@given(VALUES | ANY, VALUES | ANY)
@example(NEAR[0], NEAR[0])
@example(NEAR[1], NEAR[2])
def test_a_histogram_is_well_formed(a: list[float], b: list[float]) -> None:
    ET.fromstring(plots.histogram([a, b], str, "label"))


def test_no_two_places_have_one_name() -> None:
    assert plots.histogram([[0.3, 0.3000001]], lambda value: f"{value:.2f}", "").count("0.30") == 1


def test_a_side_without_values_is_not_drawn() -> None:
    assert 'class="area b"' not in plots.histogram([[1, 2], []], str, "label")


@pytest.mark.parametrize("most", [1, 2, 5, 32])
def test_a_curve_has_a_point_for_every_number_of_trials(most: int) -> None:
    shares = {str(j): 1 / j for j in range(1, most + 1)}
    drawn = ET.fromstring(plots.curves([Curve("a", "A", shares)], "label"))
    assert len(drawn.findall("circle")) == most
    assert drawn.get("aria-label") == "label"


def test_names_at_the_ends_do_not_cover_each_other() -> None:
    lines = [Curve("a", "A", {"1": 0.5, "2": 0.5}), Curve("b", "B", {"1": 0.5, "2": 0.5})]
    drawn = ET.fromstring(plots.curves(lines, "label"))
    ends = [float(text.get("y") or 0) for text in drawn.iter("text") if text.text in ("A", "B")]
    assert abs(ends[0] - ends[1]) >= 12


def test_bars_are_as_long_as_their_share() -> None:
    rate = Rate(0.25, 0.2, 0.35, 40, "", (0.2, 0.25))
    drawn = ET.fromstring(plots.bars([rate, None]))
    bar = next(one for one in drawn if one.get("class") == "bar a")
    line = next(one for one in drawn if one.get("class") == "whisker")
    assert (bar.get("width"), line.get("x"), line.get("width")) == ("25", "20", "15")
