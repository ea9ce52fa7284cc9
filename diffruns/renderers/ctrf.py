"""The report as CTRF, the common test report format (https://ctrf.io): each case is a test.

Its times are those that run B says of itself, or 0: never the time of the comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from converter.facts import Run
from diffruns.compare import Comparison
from diffruns.renderers import View, outcomes
from diffruns.renderers.outcomes import HOLE, Outcome, Result, told
from diffruns.report import Report, RunHead
from registry.reports.paths import relative
from registry.reports.sarif import tool_version
from registry.values import JSON

SPEC = "0.0.0"

STATUSES: dict[Outcome, str] = {
    "passed": "passed",
    "flaky": "passed",
    "failed": "failed",
    "error": "failed",
    "skipped": "skipped",
    "pending": "pending",
    "other": "other",
}
"""Which status has a test that came to that? A flaky one is one that passed in the end."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = 2**53
"""the largest whole number that every reader of JSON has"""


def render(comparison: Comparison, view: View) -> bytes:
    """All cases, those of the buckets asked for if any were, and all gates."""
    report = comparison.report
    file = told(relative(report.b.file))
    path = _suite_path(report)
    counts: Counter[str] = Counter()
    tests = []
    for result in outcomes.results(comparison, view):
        tests.append(_test(result, path, file))
        counts[STATUSES[result.outcome]] += 1
        counts["flaky"] += result.outcome == "flaky"
    gates = list(_gates(report))
    counts.update(gate["status"] for gate in gates)
    document = {
        "reportFormat": "CTRF",
        "specVersion": SPEC,
        "reportId": str(uuid5(NAMESPACE_URL, f"evalglot:{report.a.sha256}:{report.b.sha256}")),
        "generatedBy": "evalglot",
        "results": {
            "tool": {"name": "evalglot", "version": tool_version()},
            "summary": _summary(counts, len(tests) + len(gates), comparison.b.run),
            "tests": [HOLE],
            "extra": {"a": _head(report.a), "b": _head(report.b), "exitCode": report.exit_code},
        },
    }
    return outcomes.filled(document, [*tests, *gates])


def _summary(counts: Counter[str], tests: int, run: Run) -> JSON:
    start, stop = times(run)
    said = {name: counts[name] for name in dict.fromkeys(STATUSES.values())}
    return {"tests": tests, **said, "flaky": counts["flaky"], "start": start, "stop": stop}


def times(run: Run) -> tuple[int, int]:
    """When did run B start and end, in milliseconds since 1970, as far as it says so?"""
    start = _milliseconds(run.started)
    stop = _milliseconds(run.completed)
    if not stop and start and run.duration_ms is not None and 0 <= run.duration_ms < LATEST:
        stop = start + round(run.duration_ms)
    return start, max(start, stop)


def _milliseconds(text: str | None) -> int:
    try:
        time = datetime.fromisoformat(text or "")
        since = (time if time.tzinfo else time.replace(tzinfo=UTC)) - EPOCH
    except (ValueError, OverflowError):
        return 0
    return max(since // timedelta(milliseconds=1), 0)


def _suite_path(report: Report) -> list[str]:
    return [told(report.b.suite or report.b.format)]


def _head(head: RunHead) -> JSON:
    return {
        "file": told(relative(head.file)),
        "format": f"{head.format}@{head.version}",
        "sha256": head.sha256,
        "run": None if head.run_id is None else told(head.run_id),
        "targets": [told(target) for target in head.targets],
    }


def _test(result: Result, path: list[str], file: str) -> JSON:
    case = result.case
    test: JSON = {
        "name": result.name,
        "status": STATUSES[result.outcome],
        "duration": outcomes.latency_ms(result.pair) or 0,
        "suite": path if case.group is None else [*path, told(case.group)],
        "testId": result.identity,
        "filePath": file,
        "retries": max(case.b.trials - 1, 0) if case.b else 0,
        "flaky": result.outcome == "flaky",
        "extra": {
            "bucket": case.bucket,
            "rung": case.rung,
            "a": outcomes.side(case.a),
            "b": outcomes.side(case.b),
            "critical": case.critical,
        },
    }
    if case.bucket != "unchanged" or result.outcome != "passed":
        test["message"] = result.message
    if case.b is not None:
        test["rawStatus"] = case.b.verdict
    if case.tags:
        test["tags"] = [told(tag) for tag in case.tags]
    return test


def _gates(report: Report) -> Iterator[JSON]:
    """The gates, and whether anything could be compared at all."""
    unassessed = outcomes.unassessed(report)
    yield _verdict("comparable", "failed" if unassessed else "passed", unassessed or "")
    for gate in report.gates:
        status = "failed" if gate.tripped else "passed"
        yield _verdict(told(f"gate {gate.gate}"), status, outcomes.gate_message(gate))


def _verdict(name: str, status: str, message: str) -> JSON:
    test = {"name": name, "status": status, "duration": 0, "suite": ["gates"]}
    return {**test, "message": message} if message else test
