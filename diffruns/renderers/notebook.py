"""The report in a notebook: the verdict, the measures, and the cases that changed."""

from __future__ import annotations

from collections.abc import Iterator

from diffruns.renderers import words
from diffruns.report import Report
from diffruns.transitions import STEADY
from registry.reports.cells import cell, table

SHOWN = 20
"""cases that are shown"""


def shown(report: Report) -> str:
    """Which HTML shows the report?"""
    order = {name: place for place, name in enumerate(report.buckets)}
    changed = [case for case in report.cases if case.bucket not in STEADY]
    changed.sort(key=lambda case: order[case.bucket])
    rows = [
        (
            case.bucket,
            words.name(case, report),
            words.change_of_verdict(case),
            words.changes(case) or "",
        )
        for case in changed[:SHOWN]
    ]
    parts = [
        f"<p><b>{cell(words.verdict(report))}</b></p>",
        table(("", "A", "B", "B - A", "", "p", "n"), _measures(report)),
        f"<p>{cell(words.counted(report))}</p>",
    ]
    if rows:
        parts.append(table(("", "case", "verdict", "what changed"), rows, len(changed) - len(rows)))
    return "".join(parts)


def _measures(report: Report) -> Iterator[tuple[str, ...]]:
    for label, a, b, name in words.lines(report.summary.a, report.summary.b):
        delta = report.summary.delta.get(name) if name else None
        if delta is None:
            yield label.strip(), a, b, "", "", "", ""
            continue
        p = words.p_value(delta.p if delta.corrected is None else delta.corrected)
        yield (
            label.strip(),
            a,
            b,
            words.difference(name or "", delta),
            delta.finding,
            p,
            str(delta.n),
        )
