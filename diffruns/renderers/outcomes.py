"""What does each case come to for machines that collect test results?

To them a case is a test that asks: did it get worse? So it fails where it did, and passes only
where it passes in B. What neither passes nor got worse is skipped, and says why.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from diffruns.alignment import Pair
from diffruns.compare import Comparison
from diffruns.entries import Entry, State, digest
from diffruns.inputs import GIT
from diffruns.renderers import View, words
from diffruns.report import CaseRow, CaseSide, Gate, Report
from diffruns.transitions import WORSE, Bucket
from registry.reports.harmless import harmless
from registry.reports.json import spelled
from registry.values import JSON

Outcome: TypeAlias = Literal["failed", "error", "passed", "flaky", "skipped", "pending", "other"]

APART: frozenset[Bucket] = frozenset({"ambiguous", "input-changed"})
"""buckets of cases whose sides are not one test"""

BY_STATE: dict[State, Outcome] = {
    "passed": "passed",
    "flaky": "flaky",
    "failed": "other",
    "error": "other",
    "review": "pending",
    "skipped": "skipped",
}
"""What is a case that did not get worse, by its state in B?"""

LONGEST = 300
"""how many characters of one text from a file are told"""

HOLE = "\x00"
"""what stands in a document where `filled` puts a list's items: no harmless text has it"""


class Result(NamedTuple):
    """A case as a test: what is told of it, whatever the shape."""

    case: CaseRow
    pair: Pair
    name: str
    outcome: Outcome
    message: str
    """what became of it, and what changed"""


def results(comparison: Comparison, view: View) -> Iterator[Result]:
    """What does each case come to, in the report's order? Those of the buckets asked for."""
    report = comparison.report
    several = any(len(head.targets) > 1 for head in (report.a, report.b))
    for case, pair in zip(report.cases, comparison.pairs, strict=True):
        if view.only is None or case.bucket in view.only:
            yield Result(case, pair, _name(case, several), _outcome(case, pair), _message(case))


def _name(case: CaseRow, several: bool) -> str:
    return told(f"{case.id} [{case.target}]" if several and case.target else case.id)


def _message(case: CaseRow) -> str:
    said = filter(None, (words.change_of_verdict(case), words.changes(case)))
    return told(f"{words.meaning(case.bucket)} ({', '.join(said)})")


def _outcome(case: CaseRow, pair: Pair) -> Outcome:
    state = case.b.verdict if case.b else "missing"
    if case.bucket in WORSE:
        return "error" if state == "error" else "failed"
    if case.bucket in APART:
        return "other"
    if state == "flaky" and not failed_trials(pair):
        return "pending"  # what did not pass was not judged either
    return BY_STATE.get(state, "skipped")


def failed_trials(pair: Pair) -> list[tuple[int, str]]:
    """Which trials of B failed or could not be judged? Their numbers from 1, and verdicts."""
    return [
        (number, attempt.verdict)
        for number, attempt in enumerate(pair.b.attempts if pair.b else (), start=1)
        if attempt.verdict in ("failed", "error")
    ]


def latency_ms(pair: Pair) -> int | None:
    """How long did the trials of B take together, in whole milliseconds, where they all say it?"""
    times = [attempt.latency_ms for attempt in (pair.b.attempts if pair.b else ())]
    said = [time for time in times if time is not None]
    total = sum(said)
    return round(total) if said and len(said) == len(times) and 0 <= total < 2**53 else None


def told(text: str) -> str:
    """How is a text from a file told: not too long, and acting on nothing?"""
    return harmless(words.shortened(text, LONGEST))


def side(held: CaseSide | None) -> JSON:
    """What did the case come to on one side?"""
    return None if held is None else msgspec.structs.asdict(held)


def identity(pair: Pair) -> str:
    """Which digits stand for a case in every run that has it, whatever became of it?"""
    return f"{digest(_identity(pair.b or pair.entry)):016x}"


def _identity(entry: Entry) -> tuple[object, ...]:
    if entry.keys is not None:
        return ("key", *entry.keys)
    names = ("id", entry.case), ("input", entry.asked), ("title", entry.title)
    kind, name = next((named for named in names if named[1] is not None), ("label", entry.label))
    return (kind, entry.dataset, entry.group, entry.prompt, name)


def gate_message(gate: Gate) -> str:
    """What does a gate say, and which cases trip it?"""
    named = ", ".join(gate.cases[:8])
    more = f" +{len(gate.cases) - 8:,} more" if len(gate.cases) > 8 else ""
    return told(f"{gate.says}: {named}{more}" if named else gate.says)


def unassessed(report: Report) -> str | None:
    """Why does the comparison as a whole say nothing, if it does not?"""
    return told(words.verdict(report)) if report.exit_code > 2 else None


def path(file: str) -> str:
    """Under which path is an input found in a checkout? A committed one where it was committed."""
    return file.removeprefix(GIT).partition(":")[2] if file.startswith(GIT) else file


def folder_and_name(file: str) -> str:
    """How is an input named in short, whoever's machine it is on?"""
    return told(PurePath(path(file)).name or file)


def filled(document: JSON, items: Iterable[JSON]) -> bytes:
    """Which ASCII bytes spell the document, with these items, a line each, in place of its HOLE?

    A document of 100,000 items is never held as one.
    """
    before, after = spelled(document).split(json.dumps(HOLE).encode())
    return b"".join((before, b",\n".join(map(_line, items)), after))


def _line(item: JSON) -> bytes:
    return json.dumps(item, allow_nan=False).replace("##", r"\u0023#").encode()
