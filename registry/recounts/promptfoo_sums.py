"""Are the metrics of a promptfoo prompt the sums over its rows?

Seen in files that real releases wrote (`fixtures/promptfoo`), in version 3: `score`, `cost` and
`totalLatencyMs` add up what the rows say, `assertPassCount` and `assertFailCount` count each entry
of `componentResults`, those of nested sets too, and `tokenUsage` adds up that of the responses.
`namedScores` are left alone: releases weigh them differently, and derived ones may be added.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from registry.findings import Finding
from registry.recounts import EXACT, is_number, shown, told
from registry.values import JSON

RULE = "promptfoo/sums"
ROW = {"score": "score", "totalLatencyMs": "latencyMs", "cost": "cost"}
"""Which field of a row does each metric add up?"""

ASSERTIONS = {False: "assertFailCount", True: "assertPassCount"}
TOKENS = ("total", "prompt", "completion", "cached")


class Sums:
    """What the rows of one prompt add up to, by the metric's place."""

    def __init__(self) -> None:
        self.totals: dict[str, float] = {}
        self.lost = False
        """Was there a number that can't be added up?"""

    def add(self, record: JSON) -> None:
        """Count a row in."""
        for name, field in ROW.items():
            self._add(name, record.get(field))
        for one in (record.get("gradingResult") or {}).get("componentResults") or ():
            self._add(ASSERTIONS[one["pass"]], 1)
        response = record.get("response")
        usage = response.get("tokenUsage") if isinstance(response, dict) else None
        if isinstance(usage, dict):
            for name in TOKENS:
                self._add(f"tokenUsage/{name}", usage.get(name))

    def _add(self, name: str, number: JSON) -> None:
        if not is_number(number):
            return
        try:
            self.totals[name] = self.totals.get(name, 0) + number
        except OverflowError:  # an integer that no double holds
            self.lost = True

    def amiss(self, metrics: Mapping[str, JSON], place: str, because: str) -> Iterator[Finding]:
        """Which metrics are no sum over the rows?"""
        usage = metrics.get("tokenUsage")
        tokens = {f"tokenUsage/{name}": usage.get(name) for name in TOKENS} if usage else {}
        names = (*ROW, *ASSERTIONS.values())
        figures = {name: metrics.get(name) for name in names} | tokens
        for name, stated in figures.items() if not self.lost else ():
            total = self.totals.get(name, 0)
            if is_number(stated) and not _same(stated, total):
                wanted = f"{shown(total)}, the sum over its rows"
                yield told(RULE, f"{place}/{name}", shown(stated), wanted, because)


def _same(stated: float, total: float) -> bool:
    try:
        return math.isclose(stated, total, rel_tol=EXACT, abs_tol=EXACT)
    except OverflowError:  # an integer that no double holds
        return False
