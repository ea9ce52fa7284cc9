"""A report as annotations: lines that GitHub Actions shows beside the changed files."""

from __future__ import annotations

from collections.abc import Mapping

from registry.findings import FileReport, Finding, Report
from registry.reports.harmless import harmless
from registry.reports.paths import relative

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def render(report: Report) -> bytes:
    """Which workflow commands tell all findings?"""
    lines = (_line(one, finding) for one in report.files for finding in one.findings)
    return "".join(f"{line}\n" for line in lines).encode()


def _line(report: FileReport, finding: Finding) -> str:
    properties = {
        "file": relative(report.file),
        "line": finding.line,
        "col": finding.column,
        "title": finding.rule,
    }
    where = f"{finding.pointer}: " if finding.pointer else ""
    return command(finding.severity, properties, f"{where}{finding.message}")


def command(name: str, properties: Mapping[str, str | int | None], message: str) -> str:
    """Which one workflow command says this, whatever the text? Properties may be None: left out."""
    told = ",".join(
        f"{key}={harmless(str(value)).translate(_PROPERTY)}"
        for key, value in properties.items()
        if value is not None
    )
    return f"::{name} {told}::{harmless(message).translate(_DATA)}"
