"""The report for a terminal: one screen by default, as wide as the terminal is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import click

from diffruns.compare import Comparison
from diffruns.renderers import View, listed, words
from diffruns.report import CaseRow, Group, Mode, Report, RunHead
from diffruns.transitions import BETTER, WORSE
from registry.reports.harmless import harmless

LABELS = 18
SIDES = 15
MODES = 5
"""how many failure modes are told where room is scarce"""


def render(comparison: Comparison, view: View) -> bytes:
    """What fits the view, with a line that says how much does not."""
    report = comparison.report
    head = [*_heads(report, view.width), *_comparable(report), "", *_measures(report), ""]
    tail = [*_by(report, view), *_modes(report, view), *_gates(report), *_notes(report)]
    room = None if view.rows is None else max(view.rows - len(head) - len(tail) - 5, 6)
    cases = [*_cases(list(listed(comparison, view)), room, view)]
    end = [*filter(None, [words.verdict(report), words.reach(report)])]
    lines = [*head, words.counted(report), *cases, *tail, "", *end]
    return "".join(f"{_fitted(line, view)}\n" for line in lines).encode()


def _fitted(line: str, view: View) -> str:
    """The line in the terminal's width, and without anything that would act on it."""
    plain = harmless(line)
    if len(plain) > view.width:
        plain = plain[: view.width - 1] + "…"
    if not view.colour:
        return plain
    return _coloured(plain)


def _coloured(line: str) -> str:
    name = line.split(" ", 1)[0].rstrip(":")
    if name in WORSE or "tripped" in line or line.startswith("B is worse"):
        return click.style(line, fg="red")
    if name in BETTER or line.startswith("B is better"):
        return click.style(line, fg="green")
    return line


def _heads(report: Report, width: int) -> Iterator[str]:
    for name, head in (("A", report.a), ("B", report.b)):
        said = f"{name}  {head.format}@{head.version}  {_targets(head)}"
        yield f"{said}  {words.ending(head.file, max(width - len(said) - 2, 20))}"


def _targets(head: RunHead) -> str:
    targets = head.targets or (words.NOTHING,)
    return targets[0] if len(targets) == 1 else f"{len(targets)} targets"


def _comparable(report: Report) -> Iterator[str]:
    for one in report.comparable.differences:
        yield f"! {one.field}: {one.a} → {one.b} ({one.effect})"


def _measures(report: Report) -> Iterator[str]:
    summary = report.summary
    yield f"{'':{LABELS}}{'A':>{SIDES}}{'B':>{SIDES}}   B - A"
    cases = [f"{side.cases:,}" for side in (summary.a, summary.b)]
    yield f"{'cases':{LABELS}}{cases[0]:>{SIDES}}{cases[1]:>{SIDES}}"
    for label, of_a, of_b, name in words.lines(summary.a, summary.b):
        delta = summary.delta.get(name) if name else None
        line = f"{label:{LABELS}}{of_a:>{SIDES}}{of_b:>{SIDES}}"
        yield line if delta is None else f"{line}   {words.difference(name or '', delta)}"
        if delta is not None:
            yield f"{'':{LABELS + 2 * SIDES}}   {words.found(delta)}"


def _cases(cases: list[CaseRow], room: int | None, view: View) -> Iterator[str]:
    left = len(cases) if room is None else room
    hidden = 0
    for name, group in groupby(cases, key=lambda case: case.bucket):
        held = list(group)
        shown = held[: max(left - 1, 0)]
        hidden += len(held) - len(shown)
        if not shown:
            continue
        left -= len(shown) + 1
        yield f"{name}: {words.meaning(name)}"
        yield from (_case(case, view) for case in shown)
    if hidden:
        yield f"+{hidden:,} more, --all"


def _case(case: CaseRow, view: View) -> str:
    name = words.shortened(case.id, max(view.width // 2 - 2, 20))
    said = [f"  {name:{LABELS}}", words.change_of_verdict(case), words.changes(case)]
    return "  ".join(filter(None, said))


def _by(report: Report, view: View) -> Iterator[str]:
    for dimension, groups in report.by.items():
        yield ""
        yield f"by {dimension}"
        shown = groups if view.rows is None else groups[:12]
        yield from map(_group, shown)
        if len(shown) < len(groups):
            yield f"+{len(groups) - len(shown):,} more, --all"


def _group(group: Group) -> str:
    rates = [words.percent(words.value(side.rate)) for side in (group.a, group.b)]
    sides = f"{group.a.cases:>6,}{rates[0]:>8}{group.b.cases:>6,}{rates[1]:>8}"
    line = f"  {words.shortened(group.value, 24):24}{sides}"
    delta = group.delta.get("rate")
    return line if delta is None else f"{line}  {words.points(delta.value)} {words.found(delta)}"


def _modes(report: Report, view: View) -> Iterator[str]:
    moved = [mode for mode in report.failure_modes if mode.change != "same"]
    if not moved:
        return
    yield ""
    yield "failure modes (trials in A, in B)"
    shown = moved if view.rows is None else moved[:MODES]
    yield from map(_mode, shown)
    if len(shown) < len(moved):
        yield f"+{len(moved) - len(shown):,} more, --all"


def _mode(mode: Mode) -> str:
    soft = "" if mode.hard else " (soft)"
    line = (
        f"  {mode.check + soft:{LABELS + 20}}{mode.a_trials:>7,}{mode.b_trials:>7,}  {mode.change}"
    )
    return line if mode.corrected is None else f"{line} p={words.p_value(mode.corrected)}"


def _gates(report: Report) -> Iterator[str]:
    if report.gates:
        yield ""
    for gate in report.gates:
        state = "tripped" if gate.tripped else "holds"
        named = f": {', '.join(gate.cases[:8])}" if gate.cases else ""
        more = f" +{len(gate.cases) - 8:,} more" if len(gate.cases) > 8 else ""
        yield f"gate {gate.gate} {state}: {gate.says}{named}{more}"


def _notes(report: Report) -> Iterator[str]:
    if report.notes:
        yield ""
    for number, note in enumerate(report.notes, start=1):
        yield f"[{number}] {note}"
