"""What does each case come to for machines that collect test results?

To them a case is a test that asks: did it get worse? So it fails where it did, and passes only
where it passes in B. What neither passes nor got worse is skipped, and says why.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from diffruns.alignment import Pair
from diffruns.compare import Comparison
from diffruns.entries import Entry, State
from diffruns.inputs import GIT
from diffruns.renderers import View, words
from diffruns.report import CaseRow, CaseSide, Gate, Report
from diffruns.transitions import APART, WORSE
from registry.reports.harmless import harmless, harmless_json
from registry.reports.json import spelled
from registry.values import JSON, digest

Outcome: TypeAlias = Literal["failed", "error", "passed", "flaky", "skipped", "pending", "other"]

BY_STATE: dict[State, Outcome] = {
    "passed": "passed",
    "flaky": "flaky",
    "failed": "other",
    "error": "other",
    "review": "pending",
    "skipped": "skipped",
}
"""What is a case that did not get worse, by its state in B?"""

Label: TypeAlias = tuple[str | None, str | None, str | None, str]
"""target, dataset, group and label of a case"""

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
    identity: str
    """digits that stand for it in every run that has it, whatever became of it"""


def results(comparison: Comparison, view: View) -> Iterator[Result]:
    """What does each case come to, in the report's order? Those of the buckets asked for."""
    report = comparison.report
    shared = _shared(comparison)
    several = any(len(head.targets) > 1 for head in (report.a, report.b))
    for case, pair in zip(report.cases, comparison.pairs, strict=True):
        if view.only is not None and case.bucket not in view.only:
            continue
        target = case.target if several else None
        name = told(f"{case.id} [{target}]" if target else case.id)
        yield Result(
            case,
            pair,
            name,
            _outcome(case, pair),
            _message(case),
            _identity(comparison, pair, target, shared),
        )


def _message(case: CaseRow) -> str:
    said = filter(None, (words.change_of_verdict(case), words.changes(case)))
    return told(f"{words.meaning(case.bucket)} ({', '.join(said)})")


def _outcome(case: CaseRow, pair: Pair) -> Outcome:
    state = case.b.verdict if case.b else "missing"
    if case.bucket in WORSE:
        return "error" if case.bucket == "errored" else "failed"
    if case.bucket in APART:
        return "other"
    if state == "passed" and pair.b is not None and pair.b.undecided:
        return "flaky" if pair.b.errors else "pending"  # as collectors tell a retry after an error
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


@lru_cache(maxsize=1024)
def told(text: str) -> str:
    """How is a text from a file told: not too long, and acting on nothing?

    Many cases have the same group, target and message.
    """
    return harmless(words.shortened(text, LONGEST))


def side(held: CaseSide | None) -> JSON:
    """What did the case come to on one side?"""
    return None if held is None else msgspec.structs.asdict(held)


def _identity(comparison: Comparison, pair: Pair, target: str | None, shared: set[Label]) -> str:
    entry = pair.b or pair.entry
    named: JSON = ["id", entry.dataset, entry.group, entry.case]
    if entry.keys is not None:
        named = ["key", *entry.keys]
    elif entry.case is None:
        told_apart = _texts(comparison, pair) if _label(entry) in shared else []
        named = ["label", entry.dataset, entry.group, entry.label, *told_apart]
    return digest([target, *named])[:16]


def _label(entry: Entry) -> Label:
    return entry.target, entry.dataset, entry.group, entry.label


def _shared(comparison: Comparison) -> set[Label]:
    """Under which labels does a run have several cases that have no id?"""
    counts = (
        Counter(_label(entry) for entry in run.entries if entry.case is None and entry.keys is None)
        for run in (comparison.a, comparison.b)
    )
    return {label for count in counts for label, times in count.items() if times > 1}


def _texts(comparison: Comparison, pair: Pair) -> list[JSON]:
    """What is such a case told by? Read again: digests that are kept are this process's own.

    What a simulated user says is another thing every time.
    """
    side, entry = (comparison.b, pair.b) if pair.b else (comparison.a, pair.entry)
    if not entry.attempts:
        return []
    case, _ = side.read(entry.attempts[0])
    return [case.description, case.variables, None if side.run.user else case.input]


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


def filled(document: JSON, items: Iterable[JSON]) -> bytes:
    """Which ASCII bytes spell the document, with these items, a line each, in place of its HOLE?

    A document of 100,000 items is never held as one.
    """
    before, after = spelled(document).split(json.dumps(HOLE).encode())
    return b"".join((before, b",\n".join(map(_line, items)), after))


def _line(item: JSON) -> bytes:
    return harmless_json(json.dumps(item, allow_nan=False).encode())
