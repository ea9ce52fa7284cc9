"""Do the figures of a deepeval test run agree with a recount?

From deepeval 4.3.1 (test_run/test_run.py, test_run/api.py): `testPassed` and `testFailed` count
cases by their success; a metric that fails fails its case, unless it is flaky; a case's cost is the
sum over its metrics, and the run's that over its cases; orders are made unique within each list.

A case may have failed without a metric that did: spans of its trace have some of their own. Whether
a score suffices is up to each metric: some take a threshold as the most that is allowed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from registry.findings import Finding
from registry.recounts import EXACT, Frame, Recounter, is_number, shown, told
from registry.recounts.deepeval_metrics import Metrics, entries
from registry.values import JSON

CASES, TALKS = "testCases", "conversationalTestCases"
TOTALS = {True: "testPassed", False: "testFailed"}


def recounter(frame: Frame) -> Recounter:
    """What recounts a test run?"""
    return _Cases(frame)


class _Cases:
    """Recounts a test run: its cases one by one, and its talks at the end."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.base = frame.place.removesuffix(f"/{CASES}")
        self.counts = dict.fromkeys(TOTALS, 0)
        self.metrics = Metrics()
        self.costs: list[float] = []
        self.orders: dict[tuple[str, JSON], int] = {}

    def record(self, record: JSON, number: int) -> Iterator[Finding]:
        """Does a case agree with its metrics?"""
        yield from self._case(record, CASES, number)

    def end(self) -> Iterator[Finding]:
        """Do talks agree with theirs, and the figures of the run with all?"""
        run: Any = self.frame.envelope
        if self.base:
            run = run[self.base.removeprefix("/")]
        for number, talk in enumerate(run.get(TALKS) or ()):
            yield from self._case(talk, TALKS, number)
        for success, name in TOTALS.items():
            stated, count = run.get(name), self.counts[success]
            if is_number(stated) and stated != count:
                wanted = f"{count}, as many cases have success {shown(success)}"
                yield told("deepeval/totals", f"{self.base}/{name}", shown(stated), wanted)
        yield from self.metrics.amiss(run.get("metricsScores"), f"{self.base}/metricsScores")
        yield from _cost(run, self.costs, self.base, "its cases")

    def _case(self, case: JSON, key: str, number: int) -> Iterator[Finding]:
        place, success = f"{self.base}/{key}/{number}", case.get("success")
        metrics = case.get("metricsData") or ()
        if success is not None:
            self.counts[success] += 1
        self.metrics.add(entries(case))
        if is_number(case.get("evaluationCost")):
            self.costs.append(case["evaluationCost"])
        yield from _passed(success, metrics, place)
        if "trace" not in case:
            costs = [*_costs(metrics), *_costs([case.get("expectationsData") or {}])]
            yield from _cost(case, costs, place, "its metrics")
        yield from self._ordered(case.get("order"), key, number, place)

    def _ordered(self, order: JSON, key: str, number: int, place: str) -> Iterator[Finding]:
        if order is None:
            return
        first = self.orders.setdefault((key, order), number)
        if first != number and not self.frame.converted:
            found = f"{shown(order)}, as at {self.base}/{key}/{first}"
            yield told("deepeval/order", f"{place}/order", found, "a position of its own")


def _passed(success: JSON, metrics: Sequence[JSON], place: str) -> Iterator[Finding]:
    if success is not True:
        return
    for at, one in enumerate(metrics):
        if one.get("success") is False and one.get("flaky") is not True:
            wanted = f"false, since {shown(one['name'])} at {place}/metricsData/{at} failed"
            yield told("deepeval/success", f"{place}/success", "true", wanted)
            return


def _costs(metrics: Iterable[JSON]) -> list[float]:
    return [one["evaluationCost"] for one in metrics if is_number(one.get("evaluationCost"))]


def _cost(held: JSON, costs: Sequence[float], place: str, of: str) -> Iterator[Finding]:
    stated = held.get("evaluationCost")
    if not is_number(stated) or _agree(stated, costs):
        return
    wanted = f"the sum over {of}"
    yield told("deepeval/cost", f"{place}/evaluationCost", shown(stated), wanted)


def _agree(stated: float, costs: Sequence[float]) -> bool:
    try:
        total = sum(costs)
        return math.isnan(total) or math.isclose(stated, total, rel_tol=EXACT, abs_tol=EXACT)
    except OverflowError:  # an integer that no double holds
        return True
