"""The report as JUnit XML, in the dialect of Jenkins' schema: each case is a test case.

That schema has no properties of a test case; they are lines `[[PROPERTY|name=value]]` of its
output, which collectors of test results read as such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from diffruns import changes
from diffruns.compare import Comparison
from diffruns.renderers import View, outcomes, words
from diffruns.renderers.outcomes import Outcome, Result, told
from diffruns.report import CaseSide, Report, RunHead
from registry.reports.paths import relative

TAGS: dict[Outcome, str] = {
    "failed": "failure",
    "error": "error",
    "skipped": "skipped",
    "pending": "skipped",
    "other": "skipped",
}
"""Which element says that a test came to that? None says that it passed."""

TRIALS = {"failed": "flakyFailure", "error": "flakyError"}

COUNTS = (("tests", ""), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))


class Test(NamedTuple):
    """A test case as XML, and the element that says what came of it; "" where it passed."""

    tag: str
    lines: str


def render(comparison: Comparison, view: View) -> bytes:
    """A suite of the cases, and one of the gates and whether the runs may be compared."""
    report = comparison.report
    shown = [_case(result, _class(report, result)) for result in outcomes.results(comparison, view)]
    suites = [
        _suite("diffruns", shown, [*_head("a", report.a), *_head("b", report.b)]),
        _suite("gates", list(_gates(report)), []),
    ]
    attributes = _attributes(_counts(test for suite in suites for test in suite.tests)[:3])
    parts = ['<?xml version="1.0" encoding="utf-8"?>\n', f"<testsuites{attributes}>\n"]
    for suite in suites:
        parts += [suite.opening, *(test.lines for test in suite.tests), "</testsuite>\n"]
    parts.append("</testsuites>\n")
    return "".join(parts).encode()


class Suite(NamedTuple):
    """Test cases, and what stands before them."""

    opening: str
    tests: list[Test]


def _suite(name: str, tests: list[Test], properties: list[tuple[str, str]]) -> Suite:
    lines = [f"<testsuite{_attributes([('name', name), *_counts(tests)])}>\n"]
    if properties:
        held = (f"<property{_attributes([('name', n), ('value', v)])}/>" for n, v in properties)
        lines.append(f"<properties>{''.join(held)}</properties>\n")
    return Suite("".join(lines), tests)


def _counts(tests: Iterable[Test]) -> list[tuple[str, str]]:
    tags = Counter(test.tag for test in tests)
    return [(name, str(tags[tag] if tag else tags.total())) for name, tag in COUNTS]


def _attributes(named: Iterable[tuple[str, str]]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in named)


def _head(side: str, head: RunHead) -> Iterator[tuple[str, str]]:
    said = {
        "file": relative(head.file),
        "format": f"{head.format}@{head.version}",
        "sha256": head.sha256,
        "run": head.run_id,
        "targets": ", ".join(head.targets),
        "started": head.started,
    }
    return ((f"{side}.{name}", told(value)) for name, value in said.items() if value)


def _class(report: Report, result: Result) -> str:
    """Under which heading do viewers put a case? They part at dots."""
    return told(result.case.group or report.b.suite or report.b.format)


def _case(result: Result, classname: str) -> Test:
    named = [("name", result.name), ("classname", classname)]
    taken = outcomes.latency_ms(result.pair)
    if taken is not None:
        named.append(("time", f"{taken / 1000:.3f}"))
    tag = TAGS.get(result.outcome, "")
    lines = [f"<testcase{_attributes(named)}>\n"]
    if tag:
        said = [("type", result.case.bucket), ("message", result.message)]
        lines.append(f"  <{tag}{_attributes(said)}/>\n")
    elif result.outcome == "flaky":
        lines += _flaky(result)
    told_of = "\n".join(f"[[PROPERTY|{name}={value}]]" for name, value in _properties(result))
    lines.append(f"  <system-out>{escape(told_of)}</system-out>\n</testcase>\n")
    return Test(tag, "".join(lines))


def _flaky(result: Result) -> Iterator[str]:
    """As Surefire says that a test passed after it had failed: once for each such trial."""
    for number, verdict in outcomes.failed_trials(result.pair):
        said = [("type", verdict), ("message", f"trial {number}: {verdict}")]
        yield f"  <{TRIALS[verdict]}{_attributes(said)}/>\n"


def _properties(result: Result) -> Iterator[tuple[str, str]]:
    """All in our own words: nothing from a file."""
    case = result.case
    yield "bucket", case.bucket
    yield "rung", case.rung or words.NOTHING
    yield "identity", result.identity
    for name, side in (("a", case.a), ("b", case.b)):
        yield name, _verdict(side)
        if side is not None and side.score is not None:
            yield f"{name}.score", repr(side.score)


def _verdict(side: CaseSide | None) -> str:
    if side is None:
        return "absent"
    return f"{side.verdict} {side.passes}/{side.judged}{changes.unjudged(side)}"


def _gates(report: Report) -> Iterator[Test]:
    """The gates, and whether anything could be compared at all."""
    unassessed = outcomes.unassessed(report)
    yield _verdict_of("comparable", "error" if unassessed else "", unassessed or "")
    for gate in report.gates:
        tag = "failure" if gate.tripped else ""
        yield _verdict_of(told(f"gate {gate.gate}"), tag, outcomes.gate_message(gate))


def _verdict_of(name: str, tag: str, message: str) -> Test:
    opening = f"<testcase{_attributes([('name', name), ('classname', 'gates')])}"
    if not tag:
        said = f">\n  <system-out>{escape(message)}</system-out>\n</testcase>" if message else "/>"
        return Test("", f"{opening}{said}\n")
    said = _attributes([("type", "gate"), ("message", message)])
    return Test(tag, f"{opening}>\n  <{tag}{said}/>\n</testcase>\n")
