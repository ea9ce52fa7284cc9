"""What a CTRF report counts from its tests: each by the status of its last attempt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from converter.aggregates import plus
from converter.facts import Case, Run, Trial
from converter.formats.ctrf_words import SAID
from converter.rows import Record

STATUSES = ("passed", "failed", "skipped", "pending", "other")
SUMMARY = "results/summary"


def status_of(trial: Trial) -> tuple[str, str | None]:
    """Which status has a trial, and which word for it is more exact?"""
    return ("other", None) if trial.verdict is None else SAID[trial.verdict]


def is_flaky(trials: Sequence[Trial]) -> bool:
    """Did the last of these trials pass, and one before it not?"""
    *earlier, last = (status_of(trial)[0] for trial in trials) if trials else ("other",)
    return last == "passed" and "failed" in earlier


class TestTally:
    """Counts tests by status, and those that are flaky."""

    __test__ = False

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, case: Case, trials: Sequence[Trial]) -> None:
        """Count one case in: it is one test here."""
        del case
        if trials:
            self.counts[status_of(trials[-1])[0]] += 1
            self.counts["flaky"] += is_flaky(trials)

    def join(self, later: TestTally) -> None:
        """Count in what was counted of the cases that follow."""
        self.counts.update(later.counts)

    def totals(self, run: Run) -> Record:
        """What does the report say of all its tests, unlisted ones among them?"""
        counts: dict[str, int] = {status: self.counts[status] for status in STATUSES}
        counts["passed"] = plus(counts["passed"], run.unlisted_passed or 0)
        counts["failed"] = plus(counts["failed"], run.unlisted_failed or 0)
        tests = 0
        for count in counts.values():
            tests = plus(tests, count)
        counts |= {"tests": tests, "flaky": self.counts["flaky"]}
        return {f"{SUMMARY}/{name}": count for name, count in counts.items()}
