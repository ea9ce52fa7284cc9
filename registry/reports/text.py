"""A report for people: one line a finding, `file:line:column: severity: what`, as compilers do."""

from __future__ import annotations

from collections.abc import Iterator

from registry.findings import OUTCOMES, SEVERITIES, FileReport, Finding, Report
from registry.reports.harmless import harmless

SHOWN = 20
"""How many kinds of findings are shown of one file?"""


def render(report: Report) -> bytes:
    """Which lines tell all findings? None when nothing was found."""
    return "".join(f"{line}\n" for one in report.files for line in lines(one)).encode()


def summary(report: Report) -> str:
    """What came out, in one line?"""
    outcomes = [(report.count(one), one) for one in OUTCOMES]
    files = ", ".join(f"{count:,} {outcome}" for count, outcome in outcomes if count)
    found = [(report.having(one), one) for one in SEVERITIES]
    told = ", ".join(_counted(count, severity) for count, severity in found if count)
    return f"{_counted(len(report.files), 'file')} ({files}){told and f': {told}'}"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def lines(report: FileReport) -> Iterator[str]:
    """Which lines tell what was found in one file?"""
    for finding in report.findings[:SHOWN]:
        yield _line(report, finding)
    hidden = report.findings[SHOWN:]
    if hidden:
        more = f"… and {len(hidden):,} more kinds of findings; --format json has them"
        yield f"{harmless(report.file)}: {more}"
    if report.further:
        more = f"… and {report.further:,} findings of still other kinds"
        yield f"{harmless(report.file)}: {more}"


def _line(report: FileReport, finding: Finding) -> str:
    place = ":".join(str(one) for one in (report.file, finding.line, finding.column) if one)
    where = f"{finding.pointer}: " if finding.pointer else ""
    said = harmless(f"{place}: {finding.severity}: {where}{finding.message}")
    return f"{said} [{finding.rule}]"
