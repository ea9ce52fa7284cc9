"""One report, told in many ways. Each module has a function `render(comparison, view) -> bytes`.

Everything that comes from a file is untrusted: each way neutralises what its reader would act on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module

from diffruns.compare import Comparison
from diffruns.report import CaseRow
from diffruns.transitions import STEADY, Bucket

KINDS = ("text", "json", "junit", "sarif", "ctrf", "markdown", "github", "html")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How much of a report is shown, and to whom?

    `only` are the buckets to list (None: those where something happened), `rows` how many lines
    there is room for (None: any number), `width` in columns; `colour` for a terminal that has it.
    """

    only: frozenset[Bucket] | None = None
    rows: int | None = 40
    width: int = 80
    colour: bool = False

    def listed(self, case: CaseRow) -> bool:
        """Is this case listed?"""
        return case.bucket in self.only if self.only is not None else case.bucket not in STEADY


def listed(comparison: Comparison, view: View) -> Iterator[CaseRow]:
    """Which cases are listed, in the order of their buckets' table, then of the runs?"""
    buckets = comparison.report.buckets
    order = {name: place for place, name in enumerate(buckets)}
    wanted = [case for case in comparison.report.cases if view.listed(case)]
    return iter(sorted(wanted, key=lambda case: order[case.bucket]))


def render(kind: str, comparison: Comparison, view: View) -> bytes:
    """How is the report told in this way?"""
    module = import_module(f"diffruns.renderers.{kind}")
    told: Callable[[Comparison, View], bytes] = module.render
    return told(comparison, view)


def parts(kind: str, comparison: Comparison, view: View) -> Iterable[bytes]:
    """The same piece by piece, where that takes less memory."""
    if kind != "json":
        return (render(kind, comparison, view),)
    from diffruns.renderers import json

    return json.parts(comparison, view)
