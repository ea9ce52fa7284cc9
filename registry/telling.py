"""How is told what was found in the shelves: for people in 80 columns, or as other reports are?"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from registry import reports
from registry.findings import FileReport, Finding, Report
from registry.reports.harmless import harmless

WIDTH = 80


def told(report: Report, shape: str) -> bytes:
    """Which bytes tell a report in one of the shapes text, json and github?"""
    if shape != "text":
        return reports.render(shape, report)
    lines = (line for one in report.files for finding in one.findings for line in _of(one, finding))
    return "".join(f"{line}\n" for line in lines).encode()


def _of(report: FileReport, finding: Finding) -> Iterator[str]:
    """One finding: its place by itself, so that a terminal can lead there, then what is wrong."""
    place = ":".join(str(one) for one in (report.file, finding.line, finding.column) if one)
    yield harmless(f"{place}: {finding.severity} [{finding.rule}]")
    where = f"{finding.pointer}: " if finding.pointer else ""
    yield from wrap(
        harmless(where + finding.message),
        WIDTH,
        initial_indent="  ",
        subsequent_indent="  ",
        break_on_hyphens=False,
    )


def summary(report: Report, what: str) -> str:
    """What came out, in one line?"""
    count = report.having("error")
    files = f"{len(report.files):,} file{'s'[: len(report.files) != 1]}"
    return f"{what}: {files}, {count or 'no'} error{'s'[: count != 1]}"
