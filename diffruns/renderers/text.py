"""The report for a terminal: one screen by default, as wide as the terminal is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import click

from diffruns.compare import Comparison
from diffruns.renderers import View, listed, words
from diffruns.report import CaseRow, Delta, Group, Mode, Report, RunHead
from diffruns.transitions import BETTER, WORSE
from registry.reports.harmless import harmless

LABELS = 16
SIDES = 15
NAMES = 38
"""columns of a name: of a case, of a check"""
SOFT = " (soft)"
VALUES = 20
"""columns of a value of a dimension"""
SHORT = 24
"""columns of a line that are given up to cut it between words"""
GROUPS = 12
"""how many values of dimensions are told where room is scarce"""
POWERS = 4
"""how many pass^j are told where room is scarce, beside the last"""
MODES = 5
"""how many failure modes are told where room is scarce"""


def render(comparison: Comparison, view: View) -> bytes:
    """What fits the view, with a line that says how much does not."""
    report = comparison.report
    head = [*_heads(report, view.width), *_comparable(report, view), "", *_measures(report, view)]
    counted = ["", *_wrapped(words.counted(report), view)]
    tail = [*_by(report, view), *_modes(report, view), *_gates(report, view), *_notes(report, view)]
    end = ["", *_wrapped(words.verdict(report), view), *_wrapped(words.reach(report), view)]
    taken = sum(map(len, (head, counted, tail, end)))
    room = None if view.rows is None else max(view.rows - taken - 1, 6)
    cases = _cases(list(listed(comparison, view)), room, report)
    lines = [*head, *counted, *cases, *tail, *end]
    return "".join(f"{_fitted(line, view)}\n" for line in lines).encode()


def _wrapped(text: str | None, view: View, indent: str = "  ") -> list[str]:
    """A sentence as lines of this width."""
    return textwrap.wrap(
        harmless(text or ""), view.width, subsequent_indent=indent, break_on_hyphens=False
    )


def _fitted(line: str, view: View) -> str:
    """The line in the terminal's width, and without anything that would act on it."""
    plain = _cut(harmless(line).rstrip(), view.width)
    return _coloured(plain) if view.colour else plain


def _cut(line: str, width: int) -> str:
    """As much as there is room for, where possible by whole words."""
    if len(line) <= width:
        return line
    end = line.rfind(" ", width - SHORT, width - 1)
    return f"{line[: width - 2 if end < 0 else end].rstrip()} …"


def _coloured(line: str) -> str:
    name = line.split(" ", 1)[0].rstrip(":")
    if name in WORSE or "tripped" in line or line.startswith("B is worse"):
        return click.style(line, fg="red")
    if name in BETTER or line.startswith("B is better"):
        return click.style(line, fg="green")
    return line


def _heads(report: Report, width: int) -> Iterator[str]:
    told = [
        [name, f"{head.format}@{head.version}", _targets(head)]
        for name, head in (("A", report.a), ("B", report.b))
    ]
    for line, head in zip(_aligned(told), (report.a, report.b), strict=True):
        yield f"{line}  {words.ending(harmless(head.file), max(width - len(line) - 2, 20))}"


def _targets(head: RunHead) -> str:
    targets = head.targets or (words.NOTHING,)
    told = targets[0] if len(targets) == 1 else f"{len(targets)} targets"
    return words.shortened(harmless(told), NAMES)


def _aligned(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Rows as lines, their columns below one another."""
    held = [*rows]
    widths = [max(map(len, column)) for column in zip(*held, strict=True)]
    for row in held:
        yield "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))


EFFECTS = {
    "blocks": "nothing can be compared",
    "limits": "may explain differences by itself",
    "notes": "worth knowing",
}


def _comparable(report: Report, view: View) -> Iterator[str]:
    for one in report.comparable.differences:
        sides = [words.shortened(harmless(side), NAMES) for side in (one.a, one.b)]
        yield from _wrapped(f"! {one.field}: {' → '.join(sides)} ({EFFECTS[one.effect]})", view)


def _measures(report: Report, view: View) -> Iterator[str]:
    summary = report.summary
    yield _measure("", "A", "B", "B - A")
    yield _measure("cases", f"{summary.a.cases:,}", f"{summary.b.cases:,}")
    told = [*words.lines(summary.a, summary.b)]
    if view.rows is not None:
        powers = [line for line in told if line[0].startswith("pass^")]
        told = [line for line in told if line not in powers[POWERS:-1]]
    below = ""
    for label, of_a, of_b, name in told:
        delta = summary.delta.get(name) if name else None
        if name is None or delta is None:
            yield _measure(label, of_a, of_b, below)
            below = ""
            continue
        first, second = _difference(name, delta, view)
        yield _measure(label, of_a, of_b, first)
        if name == "rate":
            below = second  # beside the intervals of the sides
        elif second and (delta.finding != "~" or view.rows is None):
            yield _measure("", "", "", second)


def _difference(name: str, delta: Delta, view: View) -> tuple[str, str]:
    """What is told of a difference, and its interval where there is no room for it beside that?"""
    found = words.found(delta)
    if words.still(delta):
        return found, ""
    whole = f"{words.difference(name, delta)} {found}"
    if len(whole) <= view.width - LABELS - 2 * SIDES - 2:
        return whole, ""
    return f"{words.moved(name, delta)} {found}", words.bounds(name, delta)


def _measure(label: str, of_a: str, of_b: str, difference: str = "") -> str:
    return f"{label:{LABELS}}{of_a:>{SIDES}}{of_b:>{SIDES}}  {difference}".rstrip()


def _cases(cases: list[CaseRow], room: int | None, report: Report) -> Iterator[str]:
    left = len(cases) * 2 if room is None else room
    hidden = 0
    for name, group in groupby(cases, key=lambda case: case.bucket):
        held = list(group)
        shown = held[: max(left - 1, 0)]
        hidden += len(held) - len(shown)
        if not shown:
            continue
        left -= len(shown) + 1
        yield f"{name}: {words.meaning(name)}"
        called = [harmless(words.name(case, report)) for case in shown]
        short = words.apart(called, NAMES)
        lines = [_case(case, short[name]) for case, name in zip(shown, called, strict=True)]
        yield from (f"  {line}" for line in _aligned(lines))
    if hidden:
        yield f"+{hidden:,} more, --all"


def _case(case: CaseRow, name: str) -> tuple[str, str, str]:
    return name, words.change_of_verdict(case), harmless(words.changes(case))


def _by(report: Report, view: View) -> Iterator[str]:
    room = max(GROUPS // max(len(report.by), 1), 3)
    for dimension, groups in report.by.items():
        yield ""
        yield f"by {dimension}"
        shown = groups if view.rows is None else groups[:room]
        short = words.apart([_value(group) for group in shown], VALUES)
        yield from (_group(group, short[_value(group)]) for group in shown)
        if len(shown) < len(groups):
            yield f"+{len(groups) - len(shown):,} more, --all"


def _value(group: Group) -> str:
    return harmless(words.seen(group.value))


def _group(group: Group, name: str) -> str:
    rates = [words.percent(words.value(side.rate)) for side in (group.a, group.b)]
    sides = f"{group.a.cases:>6,}{rates[0]:>8}{group.b.cases:>6,}{rates[1]:>8}"
    line = f"  {name:{VALUES}}{sides}"
    delta = group.delta.get("rate")
    if delta is None:
        return f"{line}  {words.NOTHING}"
    return f"{line}  {words.points(delta.value)} {words.found(delta)}"


def _modes(report: Report, view: View) -> Iterator[str]:
    moved = [mode for mode in report.failure_modes if mode.change != "same"]
    if not moved:
        return
    yield ""
    yield "failure modes (trials in A, in B)"
    shown = moved if view.rows is None else moved[:MODES]
    room = NAMES if all(mode.hard for mode in shown) else NAMES - len(SOFT)
    short = words.apart([_check(mode) for mode in shown], room)
    yield from (_mode(mode, short[_check(mode)]) for mode in shown)
    if len(shown) < len(moved):
        yield f"+{len(moved) - len(shown):,} more, --all"


def _check(mode: Mode) -> str:
    return harmless(words.seen(mode.check))


def _mode(mode: Mode, name: str) -> str:
    told = name if mode.hard else name + SOFT
    line = f"  {told:{NAMES}}{mode.a_trials:>7,}{mode.b_trials:>7,}  {mode.change}"
    return line if mode.corrected is None else f"{line} {words.tested(mode.corrected)}"


def _gates(report: Report, view: View) -> Iterator[str]:
    if report.gates:
        yield ""
    for gate in report.gates:
        name = words.shortened(harmless(gate.gate), NAMES)
        said = f"gate {name} {'tripped' if gate.tripped else 'holds'}: {gate.says}"
        if view.rows is None and gate.cases:
            said += f": {', '.join(map(words.seen, gate.cases))}"
            yield from _wrapped(said, view)
        elif gate.cases:
            yield from _naming(f"{said}: ", gate.cases, view.width)
        else:
            yield said


def _naming(said: str, names: Sequence[str], width: int) -> Iterator[str]:
    """As many names as the line has room for, and how many there are beside.

    Where there is not even room for the first, they have a line of their own.
    """
    first = words.shortened(harmless(words.seen(names[0])), NAMES)
    if len(f"{said}{first}, +{len(names):,} more") > width:
        yield said.rstrip()
        said = "  "
    shown = 0
    for name in names:
        longer = f"{said}{words.shortened(harmless(words.seen(name)), NAMES)}, "
        rest = len(names) - shown - 1
        if len(longer) + (len(f"+{rest:,} more") if rest else -2) > width:
            break
        said, shown = longer, shown + 1
    yield said.rstrip(", ") if shown == len(names) else f"{said}+{len(names) - shown:,} more"


def _notes(report: Report, view: View) -> Iterator[str]:
    if report.notes:
        yield ""
    for number, note in enumerate(report.notes, start=1):
        yield from _wrapped(f"[{number}] {note}", view, "    ")
