"""The report as GitHub-flavoured Markdown: a comment on a pull request.

What comes from a file stands in code spans, inside of tables: there GitHub makes no link, mention,
reference, formula or picture of it, and Markdown reads nothing in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TypeVar

from diffruns.compare import Comparison
from diffruns.measures import POLICY
from diffruns.renderers import View, listed, words
from diffruns.report import (
    CaseRow,
    Comparable,
    Delta,
    Difference,
    Gate,
    Group,
    Mode,
    Report,
    RunHead,
    Summary,
)
from diffruns.transitions import WORSE
from registry.reports.harmless import harmless

Held = TypeVar("Held")

LIMIT = 65_536
"""characters that GitHub takes in one comment"""
NARROWEST = 8
"""characters that a row takes at the least: more rows than this leaves room for never fit"""
ROWS = (100, 50, 20, 10, 5, 2, 1, 0)
"""rows of each table, tried until the comment fits"""
MEASURES = 24
"""rows of the table of measures, which is never cut further"""
OPEN = 10
"""cases that got worse are seen at once where there are no more than these"""
NAMED = 8
"""cases that a gate names"""
LONGEST = 120
"""characters of one text from a file"""

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&$]")
_TICKS = re.compile("`+")


def render(comparison: Comparison, view: View) -> bytes:
    """As much of the report as fits a comment, with lines that say how much does not."""
    cases = [*listed(comparison, view)]
    limits = ROWS if view.rows is not None else (LIMIT // NARROWEST, *ROWS)
    for rows in limits:
        said = told(comparison.report, cases, rows)
        if len(said) <= LIMIT:
            break
    return said.encode()


def told(report: Report, cases: Sequence[CaseRow], rows: int) -> str:
    """What is said of a report, with so many rows in each table?"""
    blocks = [
        f"### {plain(words.verdict(report))}",
        plain(words.reach(report) or ""),
        *_gates(report.gates, rows),
        *_heads(report),
        *_differences(report.comparable, rows),
        *_measures(report.summary),
        f"**{plain(words.counted(report))}**",
        *_cases(cases, report, rows),
        *_modes(report.failure_modes, rows),
        *_by(report, rows),
        "\n".join(f"- {plain(note)}" for note in report.notes),
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def plain(text: str) -> str:
    """Our own words, so that Markdown reads nothing in them."""
    return _MARKUP.sub(r"\\\g<0>", harmless(text))


def code(text: str | None) -> str:
    """Text from a file as a code span for a cell: inert, whatever it holds.

    A backslash before a pipe would leave it to the reader where the cell ends.
    """
    if text is None:
        return words.NOTHING
    told = (
        words.shortened(words.seen(harmless(text)), LONGEST)
        .replace("\\|", "\\\\u007c")
        .replace("|", "\\|")
    )
    fence = "`" * (max(map(len, _TICKS.findall(told)), default=0) + 1)
    pad = " " if told[0] in "` " or told[-1] in "` " else ""
    return f"{fence}{pad}{told}{pad}{fence}"


def _table(
    heads: str,
    held: Sequence[Held],
    cells: Callable[[Held], Sequence[str]],
    rows: int | None = None,
) -> str:
    """A table with these heads, and cells for what is held, as far as there are rows for it.

    A head that starts with `>` aligns to the right.
    """
    names = heads.split("|")
    marks = ["--:" if name.startswith(">") else ":--" for name in names]
    shown = [cells(one) for one in held[:rows]]
    lines = [[name.lstrip(">") for name in names], marks, *shown] if shown else []
    told = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    hidden = len(held) - len(shown)
    return "\n\n".join(filter(None, [told, f"+{hidden:,} more" if hidden else ""]))


def _details(title: str, body: str, *, seen: bool = False) -> str:
    """What is seen on a click, or at once. The title is of our own words, without markup."""
    return f"<details{' open' if seen else ''}><summary>{title}</summary>\n\n{body}\n\n</details>"


def _heads(report: Report) -> Iterator[str]:
    heads = (("A", report.a), ("B", report.b))
    yield _table("|format|target|suite|file", heads, _head)


def _head(named: tuple[str, RunHead]) -> list[str]:
    name, head = named
    targets = head.targets or (None,)
    target = code(targets[0]) if len(targets) == 1 else f"{len(targets)} targets"
    file = code(words.ending(harmless(head.file), LONGEST)) if head.file else words.NOTHING
    return [name, code(f"{head.format}@{head.version}"), target, code(head.suite), file]


COMPARABLE = {
    "comparable": "The runs may be compared. They differ in:",
    "limited": "The runs differ in more than their target, which may explain what is found:",
    "not comparable": "The runs may not be compared:",
}


def _differences(comparable: Comparable, rows: int) -> Iterator[str]:
    if comparable.differences:
        yield COMPARABLE[comparable.verdict]
        yield _table("field|A|B|effect", comparable.differences, _difference, rows)


def _difference(one: Difference) -> list[str]:
    return [one.field, code(one.a), code(one.b), one.effect]


def _measures(summary: Summary) -> Iterator[str]:
    a, b = summary.a, summary.b
    cells = [["cases", f"{a.cases:,}", f"{b.cases:,}", "", "", "", ""]]
    for label, of_a, of_b, name in words.lines(a, b):
        delta = summary.delta.get(name) if name else None
        told = ["", "", "", ""] if delta is None else [*_delta(name or "", delta)]
        cells.append([label.strip(), plain(of_a), plain(of_b), *told])
    yield _table("measure|>A|>B|>B - A||>p|>n", cells, list, MEASURES)
    if a.rate or b.rate:
        yield f"Pass rate: {POLICY}. Errors in: as failures; out: in no share."


def _delta(name: str, delta: Delta) -> Iterator[str]:
    p = delta.p if delta.corrected is None else delta.corrected
    yield "" if words.still(delta) else plain(words.difference(name, delta))
    yield plain(delta.finding)
    yield plain(words.p_value(p))
    yield f"{delta.n:,}"


def _cases(cases: Sequence[CaseRow], report: Report, rows: int) -> Iterator[str]:
    several = words.several(report)
    heads = f"case|{'target|' if several else ''}verdict|what changed"
    for name, group in groupby(cases, key=lambda case: case.bucket):
        held = [*group]
        title = f"{len(held):,} {name}: {words.meaning(name)}"
        body = _table(heads, held, partial(_case, several=several), rows)
        yield _details(title, body, seen=name in WORSE and len(held) <= OPEN)


def _case(case: CaseRow, *, several: bool) -> list[str]:
    target = [code(case.target)] if several else []
    said = words.changes(case)
    return [code(case.id), *target, words.change_of_verdict(case), code(said) if said else ""]


def _gates(gates: Sequence[Gate], rows: int) -> Iterator[str]:
    if gates:
        yield _table("gate||what it saw|cases", gates, _gate, max(rows, 1))


def _gate(gate: Gate) -> list[str]:
    named = [code(id_) for id_ in gate.cases[:NAMED]]
    if len(gate.cases) > NAMED:
        named.append(f"+{len(gate.cases) - NAMED:,} more")
    state = "**tripped**" if gate.tripped else "holds"
    return [code(gate.gate), state, code(gate.says), ", ".join(named)]


def _modes(modes: Sequence[Mode], rows: int) -> Iterator[str]:
    moved = [mode for mode in modes if mode.change != "same"]
    if moved:
        body = _table("check|>trials in A|>in B||>p", moved, _mode, rows)
        yield _details(f"Failure modes: {len(moved):,} moved", body)


def _mode(mode: Mode) -> list[str]:
    name = code(mode.check) if mode.hard else f"{code(mode.check)} (soft)"
    p = plain(words.p_value(mode.corrected))
    return [name, f"{mode.a_trials:,}", f"{mode.b_trials:,}", mode.change, p]


def _by(report: Report, rows: int) -> Iterator[str]:
    heads = "|>cases in A|>pass rate|>cases in B|>pass rate|>B - A||>p|>n"
    for dimension, groups in report.by.items():
        yield _details(f"By {dimension}", _table(heads, groups, _group, rows))


def _group(group: Group) -> list[str]:
    told = [code(group.value)]
    for side in (group.a, group.b):
        told += [f"{side.cases:,}", words.percent(words.value(side.rate))]
    delta = group.delta.get("rate")
    return told + ([words.NOTHING, "", "", ""] if delta is None else [*_delta("rate", delta)])
