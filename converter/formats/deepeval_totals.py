"""What a test run of deepeval counts: cases by their success, and each metric over all cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from converter.aggregates import plus
from converter.facts import Case, Trial
from converter.form import Context
from converter.formats.deepeval_words import SUCCESS, VERDICT, metrics_of
from converter.rows import Record

COUNTS = ("passes", "fails", "errors")


class RunTally:
    """Counts cases that succeeded and that did not, and keeps the scores of each metric."""

    def __init__(self) -> None:
        self.cases: Counter[bool | None] = Counter()
        self.scores: dict[str, list[float]] = {}
        self.counts: dict[str, Counter[str]] = {}

    def add(self, case: Case, trials: Sequence[Trial]) -> None:
        """Count in the trials of one case: each is a case here."""
        del case
        for trial in trials:
            self.cases[SUCCESS.get(trial.verdict)] += 1
            for metric in metrics_of(trial):
                self._count(metric)

    def _count(self, metric: Record) -> None:
        name, score, success = metric["name"], metric.get("score"), metric.get("success")
        scores = self.scores.setdefault(name, [])
        counts = self.counts.setdefault(name, Counter())
        if score is None or success is None:
            counts["errors"] += 1
            return
        scores.append(score)
        counts["passes" if success else "fails"] += 1

    def join(self, later: RunTally) -> None:
        """Count in what was counted of the cases that follow."""
        self.cases.update(later.cases)
        for name, scores in later.scores.items():
            self.scores.setdefault(name, []).extend(scores)
            self.counts.setdefault(name, Counter()).update(later.counts[name])

    def totals(self, context: Context) -> Record:
        """What does the run say of all its cases? A talk has no success only if it has failed."""
        run, undecided = context.run, self.cases[None]
        failed = self.cases[False] + (undecided if context.shape.get("turns") == "multi" else 0)
        metrics = [
            {"metric": name, "scores": scores, **{one: self.counts[name][one] for one in COUNTS}}
            for name, scores in sorted(self.scores.items(), key=_is_stand_in)
        ]
        return {
            "metricsScores": metrics,
            "testPassed": plus(self.cases[True], run.unlisted_passed or 0),
            "testFailed": plus(failed, run.unlisted_failed or 0),
        }


def _is_stand_in(item: tuple[str, list[float]]) -> bool:
    """Is it no metric of the run's own? Such come last."""
    return item[0] == VERDICT
