from __future__ import annotations

import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter import chain
from converter.aggregates import LONGEST, Sum, pass_hat, plus, total
from registry import gate
from registry.values import same
from tests.registry import awkward

LARGEST = sys.float_info.max


@pytest.mark.parametrize(
    ("left", "right", "sum_"),
    [
        (1, 2, 3),
        (0.5, 0.25, 0.75),
        (LARGEST, LARGEST, LARGEST),
        (-LARGEST, -LARGEST, -LARGEST),
        (10**400, 0.5, LARGEST),
        (-0.5, -(10**400), -LARGEST),
        (LONGEST, 1, LONGEST),
        (2**70, 1, 2**70 + 1),
    ],
)
def test_a_sum_is_a_number_that_a_file_can_hold(left: float, right: float, sum_: float) -> None:
    assert same(plus(left, right), sum_)


@given(awkward.values())
def test_a_total_can_always_be_written_and_read(value: object) -> None:
    numbers = [value] if type(value) in (int, float) else [1e308, 1e308, 10**400]
    assert same(gate.load(gate.dump(total(numbers))), total(numbers))


def test_latencies_beyond_the_largest_double_come_home() -> None:
    event = {"type": "agent", "text": "", "latencyMs": -1.7e308}
    trial = {"taskId": "t", "trial": 10**400, "passed": True, "checks": [], "events": [event] * 2}
    document = {
        "version": 1,
        "runId": "r",
        "domain": "",
        "agent": "",
        "k": 1,
        "startedAt": "",
        "tasks": [{"id": "t", "trials": [{**trial, "endReason": "user_stop"}]}],
    }
    for target in ("promptbeat", "promptfoo"):
        there = chain.convert(chain.stage(document, "sandtable@1.1"), target)
        written = gate.load(gate.dump(there.document()))
        home = chain.convert(chain.stage(written, there.ref), "sandtable")
        assert same(home.document(), document)


def test_pass_hat_is_the_mean_over_cases_of_how_many_choices_all_pass() -> None:
    counts = {(4, 2): 1, (4, 4): 1, (1, 0): 5}
    assert pass_hat(counts, 2) == pytest.approx((1 / 6 + 1) / 2)
    assert pass_hat(counts, 5) is None
    assert pass_hat(counts, -1) is None
    assert not math.isnan(pass_hat(counts, 1) or 0.0)


NUMBERS = st.lists(
    st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([0, -0.0, 2**53, 2**53 + 1, 0.1, 10**400]),
    max_size=12,
)


@given(numbers=NUMBERS, cuts=st.tuples(st.integers(0, 12), st.integers(0, 12)))
def test_a_sum_by_several_is_the_sum_by_one(numbers: list[float], cuts: tuple[int, int]) -> None:
    first, second = sorted(cuts)
    whole = Sum()
    for part in (numbers[:first], numbers[first:second], numbers[second:]):
        one = Sum()
        for number in part:
            one.add(number)
        whole.join(one)
    assert repr(whole.value) == repr(total(numbers))
