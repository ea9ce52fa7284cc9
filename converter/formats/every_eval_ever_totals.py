"""What an aggregate of Every Eval Ever says of its rows: a result for each name of a check.

The first result is of the trials themselves: the share of them that passed, whatever else became
of the others, whose numbers stand beside. That of a check is the mean of its scores, with its
standard error; what is unscored counts nowhere, and a check that never was scored has no result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from converter.aggregates import plus, rate
from converter.facts import Case, Check, Run, Trial
from converter.formats.every_eval_ever_words import UNKNOWN
from converter.formats.inspect_totals import mean, stderr
from converter.rows import Record


def score_of(passed: bool | None, score: float | None) -> float | None:
    """Which score has a judgement, in numbers? None where it is unscored."""
    if score is not None or passed is None:
        return score
    return 1.0 if passed else 0.0


def names(checks: Sequence[Check]) -> list[str]:
    """Under which result is each check of one trial listed? No two are under the same."""
    found: dict[str, None] = {}
    for check in checks:
        name = free = check.id or check.kind or "check"
        number = 2
        while free in found:
            free, number = f"{name} ({number})", number + 1
        found[free] = None
    return list(found)


class ResultTally:
    """Counts trials by verdict, and keeps the scores of checks by name."""

    def __init__(self) -> None:
        self._verdicts: Counter[str] = Counter()
        self._scores: dict[str, list[float]] = {}

    def add(self, case: Case, trials: Sequence[Trial]) -> None:
        """Count one case in."""
        del case
        for trial in trials:
            self._verdicts[trial.verdict or UNKNOWN] += 1
            checks = trial.checks or ()
            for name, check in zip(names(checks), checks, strict=True):
                score = score_of(check.passed, check.score)
                if score is not None:
                    self._scores.setdefault(name, []).append(_double(score))

    def join(self, later: ResultTally) -> None:
        """Count in what was counted of the cases that follow."""
        self._verdicts.update(later._verdicts)
        for name, scores in later._scores.items():
            self._scores.setdefault(name, []).extend(scores)

    def results(self, run: Run) -> list[Record]:
        """What does the aggregate say of all rows, unlisted cases among them?"""
        suite = run.suite or UNKNOWN
        counts = {
            **self._verdicts,
            "passed": plus(self._verdicts["passed"], run.unlisted_passed or 0),
            "failed": plus(self._verdicts["failed"], run.unlisted_failed or 0),
        }
        trials = 0
        for count in counts.values():
            trials = plus(trials, count)
        found = [_overall(suite, counts, trials)] if trials > 0 else []
        return found + [_result(suite, name, scores) for name, scores in self._scores.items()]


def _double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return 1e308 if number > 0 else -1e308


def _overall(suite: str, counts: dict[str, int], trials: int) -> Record:
    details = {verdict: str(count) for verdict, count in sorted(counts.items()) if count}
    return {
        "evaluation_name": suite,
        "source_data": _source(suite),
        "metric_config": {
            "metric_name": "passed",
            "metric_kind": "pass_rate",
            "metric_unit": "proportion",
            "lower_is_better": False,
            "score_type": "binary",
            "min_score": 0,
            "max_score": 1,
        },
        "score_details": {
            "score": rate(counts["passed"], trials),
            "details": details,
            "uncertainty": {"num_samples": trials},
        },
    }


def _result(suite: str, name: str, scores: Sequence[float]) -> Record:
    bounded = all(0 <= score <= 1 for score in scores)
    return {
        "evaluation_result_id": name,
        "evaluation_name": suite,
        "source_data": _source(suite),
        "metric_config": {
            "metric_name": name,
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0 if bounded else "-Infinity",
            "max_score": 1 if bounded else "Infinity",
        },
        "score_details": {
            "score": mean(scores),
            "uncertainty": {
                "standard_error": {"value": stderr(scores)},
                "num_samples": len(scores),
            },
        },
    }


def _source(suite: str) -> Record:
    return {"dataset_name": suite, "source_type": "other"}
