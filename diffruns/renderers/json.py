"""The report as JSON: the same bytes for the same runs, by the schema `evalglot-diff-report`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from diffruns.compare import Comparison
from diffruns.renderers import View
from diffruns.report import CaseRow, Report
from registry.gate import dump
from registry.reports.harmless import harmless_json

SCHEMA = "urn:evalglot:evalglot-diff-report:1"
CASES = b'\n  "cases": []'
"""where the cases stand: no line within a JSON text begins so, and other `cases` lie deeper"""


def render(comparison: Comparison, view: View) -> bytes:
    """The whole report, whatever the view: what reads JSON can choose by itself."""
    return b"".join(parts(comparison, view))


def parts(comparison: Comparison, view: View) -> Iterator[bytes]:
    """The same piece by piece: a report of a million cases need not lie in memory as a whole."""
    del view
    report = comparison.report
    before, found, after = _spelled(msgspec.structs.replace(report, cases=())).partition(CASES)
    assert found
    yield before + found[:-1]
    yield from _cases(report.cases)
    yield b"]" + after + b"\n"


def _spelled(report: Report) -> bytes:
    document = {"$schema": SCHEMA, **msgspec.to_builtins(report)}
    return harmless_json(dump(document, indent=2))


def _cases(cases: Sequence[CaseRow]) -> Iterator[bytes]:
    end = b""
    for case in cases:
        told = harmless_json(dump(msgspec.to_builtins(case), indent=2))
        yield end + b"\n    " + told.replace(b"\n", b"\n    ")
        end = b","
    if end:
        yield b"\n  "
