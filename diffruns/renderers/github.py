"""The report as annotations: lines that GitHub Actions shows on a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from diffruns.compare import Comparison
from diffruns.renderers import View, listed, words
from diffruns.renderers.outcomes import path
from diffruns.report import CaseRow, Gate, Report
from diffruns.transitions import WORSE
from registry.reports.github import command
from registry.reports.harmless import harmless
from registry.reports.paths import relative

Level: TypeAlias = Literal["error", "warning", "notice"]

SHOWN = 10
"""how many annotations of one level GitHub shows of one step"""
NAMED = 8
"""cases that a gate names"""
LONGEST = 200
"""characters of one text from a file that are told"""

LEVELS: dict[int, Level] = {3: "error", 4: "warning"}
"""How loud is the verdict, by exit code? Else a notice: what is wrong is told by itself."""


class Annotation(NamedTuple):
    """One thing that is told on a pull request."""

    level: Level
    title: str
    message: str


def render(comparison: Comparison, view: View) -> bytes:
    """Which workflow commands tell the verdict, the tripped gates, and each case that got worse?

    Where that is more than GitHub shows, the last of a level says how many there are.
    """
    report = comparison.report
    file = _file(report.b.file)
    worse = [case for case in listed(comparison, view) if case.bucket in WORSE]
    found = [*_annotations(report, worse)]
    lines = (
        command(one.level, {"file": file, "title": one.title}, one.message)
        for level in ("error", "warning", "notice")
        for one in _bounded([one for one in found if one.level == level])
    )
    return "".join(f"{line}\n" for line in lines).encode()


def _file(name: str) -> str | None:
    """Which file of the repository is it about? None for standard input."""
    return None if name in ("", "-") else relative(path(name))


def _annotations(report: Report, worse: Sequence[CaseRow]) -> Iterator[Annotation]:
    """A case that got worse is an error, unless there are gates and it trips none."""
    yield Annotation(LEVELS.get(report.exit_code, "notice"), "diffruns", words.verdict(report))
    tripped = [gate for gate in report.gates if gate.tripped]
    yield from map(_gate, tripped)
    named = {id_ for gate in tripped for id_ in gate.cases}
    for case in worse:
        level: Level = "error" if not report.gates or case.id in named else "warning"
        yield _case(level, case, report)


def _gate(gate: Gate) -> Annotation:
    cases = [_short(words.seen(id_)) for id_ in gate.cases[:NAMED]]
    if len(gate.cases) > NAMED:
        cases.append(f"+{len(gate.cases) - NAMED:,} more")
    named = f": {', '.join(cases)}" if cases else ""
    return Annotation("error", _short(f"gate {gate.gate}"), f"{_short(gate.says)}{named}")


def _case(level: Level, case: CaseRow, report: Report) -> Annotation:
    said = [words.change_of_verdict(case), words.changes(case)]
    message = f"{words.meaning(case.bucket)}: {', '.join(filter(None, said))}"
    return Annotation(level, f"{case.bucket} {_short(words.name(case, report))}", _short(message))


def _short(text: str) -> str:
    return words.shortened(harmless(text), LONGEST)


def _bounded(found: Sequence[Annotation]) -> Iterator[Annotation]:
    """All that is found, or what GitHub shows of it: the last says what the rest is."""
    if len(found) <= SHOWN:
        yield from found
        return
    shown, rest = found[: SHOWN - 1], found[SHOWN - 1 :]
    yield from shown
    kinds = Counter(one.title.partition(" ")[0] for one in rest)
    told = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
    yield Annotation(rest[0].level, f"+{len(rest):,} more", told)
