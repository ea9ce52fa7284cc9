"""A report for programs. Its schema is on the shelf `evalglot-validation-report`.

Written in ASCII, so that nothing in it acts on a terminal it is printed to.
"""

from __future__ import annotations

import json

import msgspec

from registry.findings import OUTCOMES, SEVERITIES, FileReport, Report
from registry.reports.harmless import harmless_json
from registry.values import JSON

SCHEMA = "urn:evalglot:evalglot-validation-report:1"


def render(report: Report) -> bytes:
    """Which bytes tell the whole report?"""
    document = {
        "$schema": SCHEMA,
        "version": 1,
        "exit_code": report.exit_code,
        "summary": _summary(report),
        "files": [_file(one) for one in report.files],
    }
    return spelled(document)


def _summary(report: Report) -> JSON:
    counts: dict[str, int] = {"files": len(report.files)}
    counts |= {outcome: report.count(outcome) for outcome in OUTCOMES}
    return counts | {f"{severity}s": report.having(severity) for severity in SEVERITIES}


def _file(report: FileReport) -> JSON:
    findings = [{**msgspec.structs.asdict(one), "message": one.message} for one in report.findings]
    return {**msgspec.structs.asdict(report), "findings": findings}


def spelled(document: JSON) -> bytes:
    """Which ASCII bytes spell a document? `##`, which starts commands in CI logs, is an escape."""
    return harmless_json(json.dumps(document, indent=2).encode()) + b"\n"
