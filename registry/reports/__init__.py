"""How is told what was found? One module for each shape of report, each over one model."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from registry.findings import Report

KINDS = ("text", "json", "github", "sarif", "junit")
"""Which shapes are there? Each is a module here with a `render`."""


def render(kind: str, report: Report) -> bytes:
    """Which bytes tell this report in that shape?"""
    module = import_module(f"registry.reports.{kind}")
    rendered: Callable[[Report], bytes] = module.render
    return rendered(report)
