"""Do the figures of a CTRF report agree with a recount?

From the schema that the npm package ctrf 0.3.0 ships, and from its own `calculateSummary`: the
summary counts the tests, those of each status, and those that say that they are flaky; `retries`
is how often a test was tried again, `retryAttempts` the attempts before the last; a flaky test is
one that passed after it had failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from registry.findings import Finding
from registry.recounts import Frame, Recounter, is_number, shown, told
from registry.values import JSON

STATUSES = ("passed", "failed", "skipped", "pending", "other")
NOT_LISTED = "The report lists no test"


def recounter(frame: Frame) -> Recounter:
    """What recounts a report?"""
    return _Tests(frame)


class _Tests:
    """Recounts a report."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.counts: Counter[str] = Counter(dict.fromkeys(("tests", *STATUSES, "flaky"), 0))

    def record(self, record: JSON, number: int) -> Iterable[Finding]:
        """Do its retries agree with its attempts, and did it pass if it is flaky?"""
        flaky = record.get("flaky") is True
        self.counts.update(("tests", record["status"]))
        self.counts["flaky"] += flaky
        attempts = record.get("retryAttempts")
        stated = record.get("retries")
        if attempts and stated is not None and stated != len(attempts):
            place = f"{self.frame.place}/{number}/retries"
            wanted = f"{len(attempts)}, as are listed in retryAttempts"
            yield told("ctrf/retries", place, shown(stated), wanted)
        if flaky and record["status"] != "passed":
            place = f"{self.frame.place}/{number}/flaky"
            found = f"true, and status {shown(record['status'])}"
            yield told("ctrf/flaky", place, found, "a test that passed in the end")

    def end(self) -> Iterator[Finding]:
        """Does the summary agree with the tests?"""
        summary = self.frame.envelope["results"]["summary"]
        because = "" if self.counts["tests"] else NOT_LISTED
        for name, count in self.counts.items():
            stated = summary.get(name)
            if is_number(stated) and stated != count:
                place, wanted = f"/results/summary/{name}", f"{count}, as are listed"
                yield told("ctrf/summary", place, shown(stated), wanted, because)
