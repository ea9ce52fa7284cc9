"""The report as JSON: the same bytes for the same runs, by the schema `evalglot-diff-report`."""

from __future__ import annotations

from typing import Any

import msgspec

from diffruns.compare import Comparison
from diffruns.renderers import View
from diffruns.report import Report
from registry.gate import dump
from registry.reports.harmless import harmless_json

SCHEMA = "urn:evalglot:evalglot-diff-report:1"


def document(report: Report) -> Any:
    """Which JSON value says all that the report does?"""
    return {"$schema": SCHEMA, **msgspec.to_builtins(report)}


def render(comparison: Comparison, view: View) -> bytes:
    """The whole report, whatever the view: what reads JSON can choose by itself."""
    del view
    return harmless_json(dump(document(comparison.report), indent=2)) + b"\n"
