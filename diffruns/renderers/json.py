"""The report as JSON: the same bytes for the same runs, by the schema `evalglot-diff-report`."""

from __future__ import annotations

import msgspec

from diffruns.compare import Comparison
from diffruns.renderers import View
from registry.gate import dump


def render(comparison: Comparison, view: View) -> bytes:
    """The whole report, whatever the view: what reads JSON can choose by itself."""
    del view
    return dump(msgspec.to_builtins(comparison.report), indent=2) + b"\n"
