"""One case in full, side by side: for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import click

from converter.bundling import Said
from converter.facts import Check, Event, Trial
from diffruns import changes, naming, wording
from diffruns.alignment import Pair
from diffruns.changes import Detail
from diffruns.compare import Comparison
from diffruns.entries import Entry, check_name
from diffruns.renderers import View, words
from diffruns.report import CaseRow
from registry.gate import dump
from registry.reports.harmless import harmless

MARKS = {"same": "{}", "gone": "[-{}-]", "new": "{{+{}+}}"}
COLOURS = {"gone": "red", "new": "green"}
SHOWN = ("output", "checks", "transcript", "verdict", "score")
"""facts that are told by themselves, not among the details"""


def render(comparison: Comparison, id_: str, view: View) -> bytes:
    """The case of this id: every trial of one side beside the other's. Raises NoSuchName."""
    found = [
        (row, pair)
        for row, pair in zip(comparison.report.cases, comparison.pairs, strict=True)
        if any(naming.is_called(side, id_) for side in (pair.a, pair.b) if side)
    ]
    if not found:
        entries = [*comparison.a.entries, *comparison.b.entries]
        expected = "the id of a case of either run"
        raise naming.no_such_name(f"--case {id_}", expected, id_, entries)
    lines = [line for row, pair in found for line in _case(row, pair, comparison, view)]
    return "".join(f"{line}\n" for line in lines).encode()


def _case(row: CaseRow, pair: Pair, comparison: Comparison, view: View) -> Iterator[str]:
    yield harmless(f"{row.id}: {row.bucket} ({words.meaning(row.bucket)})")
    yield f"told to be one case by: {row.rung}" if row.rung else "on one side only"
    sides = [f"A  {_target(pair.a)}", f"B  {_target(pair.b)}"]
    matched = changes.matched(pair)
    for number, (one, other) in enumerate(matched, start=1):
        yield ""
        if len(matched) > 1:
            yield f"trial {number} of {len(matched)}"
        yield from _beside("", [[side] for side in sides], view)
        yield from _trial(comparison.read(one, other), comparison.options.ignore, view)


def _target(entry: Entry | None) -> str:
    return "absent" if entry is None else entry.target or ""


def _trial(
    said: tuple[Said | None, Said | None], ignore: Collection[str], view: View
) -> Iterator[str]:
    trials = [side[1] if side else None for side in said]
    for label, of in _ROWS:
        cells = [of(trial) if trial else words.NOTHING for trial in trials]
        if set(cells) != {words.NOTHING}:
            yield from _beside(label, [[cell] for cell in cells], view)
    yield from _beside("checks", [[*_checks(trial)] for trial in trials], view)
    yield from _output(trials, view)
    if any(trial and trial.transcript for trial in trials):
        yield from _beside("events", [[*_events(trial)] for trial in trials], view)
    if said[0] and said[1]:
        yield from map(_detail, changes.details(said[0], said[1], {*ignore, *SHOWN}))


_ROWS: tuple[tuple[str, Callable[[Trial], str]], ...] = (
    ("verdict", lambda trial: trial.verdict or "review"),
    ("score", lambda trial: words.number(trial.score)),
    ("reason", lambda trial: trial.reason or trial.error or words.NOTHING),
)
LABEL = 9


def _beside(label: str, cells: Sequence[Sequence[str]], view: View) -> Iterator[str]:
    """Two columns of lines, each wrapped to half of the width."""
    width = max((view.width - LABEL - 2) // 2, 20)
    columns = [[part for text in cell for part in _wrapped(text, width)] for cell in cells]
    for number in range(max(map(len, columns))):
        left, right = (column[number] if number < len(column) else "" for column in columns)
        yield f"{label if number == 0 else '':{LABEL}}{left:{width}}  {right}".rstrip()


def _wrapped(text: str, width: int) -> list[str]:
    lines = [part for line in text.splitlines() for part in textwrap.wrap(harmless(line), width)]
    return lines or [""]


def _checks(trial: Trial | None) -> Iterator[str]:
    for check in trial.checks or () if trial else ():
        yield f"{_mark(check)} {check_name(check)}" + (f": {check.reason}" if check.reason else "")


def _mark(check: Check) -> str:
    return {True: "+", False: "x", None: "?"}[check.passed]


def _events(trial: Trial | None) -> Iterator[str]:
    for event in trial.transcript or () if trial else ():
        yield f"{event.kind}: {_event(event)}"


def _event(event: Event) -> str:
    if event.kind != "tool":
        return event.text or ""
    said = "" if event.arguments is None else dump(event.arguments).decode()
    ended = event.error if event.error is not None else _short(event.result)
    return f"{event.name}({said}) → {ended}"


def _output(trials: Sequence[Trial | None], view: View) -> Iterator[str]:
    outputs = [trial.output if trial else None for trial in trials]
    if outputs[0] == outputs[1]:
        yield from _beside("output", [[outputs[0] or words.NOTHING], ["the same"]], view)
        return
    if None in outputs:
        yield from _beside("output", [[text or words.NOTHING] for text in outputs], view)
        return
    pieces = wording.word_changes(outputs[0] or "", outputs[1] or "")
    told = "".join(_piece(piece, view) for piece in pieces)
    yield "output, word by word"
    yield from (f"  {line}" for line in told.split("\n"))


def _piece(piece: wording.Piece, view: View) -> str:
    """Line breaks stay; all else that would act on a terminal is escaped."""
    plain = "\n".join(map(harmless, piece.text.split("\n")))
    if view.colour and piece.kind in COLOURS:
        return click.style(plain, fg=COLOURS[piece.kind], strikethrough=piece.kind == "gone")
    return MARKS[piece.kind].format(plain)


def _detail(detail: Detail) -> str:
    if detail.kind == "added":
        return harmless(f"+ {detail.place} {_short(detail.b)}")
    if detail.kind == "removed":
        return harmless(f"- {detail.place} {_short(detail.a)}")
    return harmless(f"~ {detail.place} {_short(detail.a)} → {_short(detail.b)}")


def _short(value: Any) -> str:
    text = dump(value).decode()
    return text if len(text) <= 60 else f"{text[:59]}…"
