"""Do the metrics of a deepeval test run come to what its cases say of them?

As `construct_metrics_scores` counts: each entry of a case, and of the spans of its trace, under
the metric's name; one without score or success is an error. Scores are in the order in which cases
were done, which need not be that of the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from registry.findings import Finding
from registry.recounts import shown, told
from registry.values import JSON

RULE = "deepeval/metrics"
SPANS = ("agentSpans", "toolSpans", "retrieverSpans", "llmSpans", "baseSpans")
COUNTS = ("passes", "fails", "errors")


def entries(case: JSON) -> Iterator[JSON]:
    """Which entries of metrics does a case bring?"""
    metrics = case.get("metricsData")
    if metrics is None:
        return
    yield from metrics
    trace = case.get("trace") or {}
    for kind in SPANS:
        spans = trace.get(kind)
        for span in spans if isinstance(spans, list) else ():
            held = span.get("metricsData") if isinstance(span, dict) else None
            yield from filter(_is_entry, held if isinstance(held, list) else ())


def _is_entry(value: JSON) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str)


class Metrics:
    """What the entries of all cases come to, by the metric's name."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.scores: dict[str, Counter[str]] = {}

    def add(self, found: Iterable[JSON]) -> None:
        """Count these entries in."""
        for one in found:
            name, score, success = one["name"], one.get("score"), one.get("success")
            counts = self.counts.setdefault(name, Counter())
            scores = self.scores.setdefault(name, Counter())
            if score is None or success is None:
                counts["errors"] += 1
            else:
                counts["passes" if success else "fails"] += 1
                scores[_key(score)] += 1

    def amiss(self, stated: Sequence[JSON] | None, place: str) -> Iterator[Finding]:
        """Which of these say otherwise? Nothing is amiss where nothing is stated."""
        if stated is None:
            return
        missing = dict.fromkeys(self.counts)
        for number, one in enumerate(stated):
            name = one["metric"]
            missing.pop(name, None)
            if None in one["scores"]:  # was NaN before somebody made it null
                continue
            yield from self._miscounted(one, name, f"{place}/{number}")
        for name in missing:
            wanted = "each metric that a case has"
            yield told(RULE, place, f"no metric {shown(name)}", wanted)

    def _miscounted(self, one: JSON, name: str, place: str) -> Iterator[Finding]:
        counts = self.counts.get(name, Counter())
        for key in COUNTS:
            if one[key] != counts[key]:
                wanted = f"{counts[key]}, as the cases say"
                yield told(RULE, f"{place}/{key}", shown(one[key]), wanted)
        if Counter(map(_key, one["scores"])) != self.scores.get(name, Counter()):
            yield told(RULE, f"{place}/scores", "other scores", "those of the cases, in any order")


def _key(score: JSON) -> str:
    """By what is a score told? 1 and 1.0 are one, and NaN is itself."""
    return repr(int(score) if isinstance(score, float) and score.is_integer() else score)
