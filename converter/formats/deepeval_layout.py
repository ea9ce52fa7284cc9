"""Where a test run of deepeval keeps its cases: those of one exchange, and talks apart.

Talks come after all others. Each is marked by a key that no file has, which says in which list it
stands; what it calls otherwise than other cases do has their names here. The latest run, as it is
kept by deepeval, lies in `testRunData`; what is beside that is kept, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from converter.form import Group, Layout, Parts, Survey
from converter.rows import Record

CASES, TALKS = "testCases", "conversationalTestCases"
WRAPPER = "testRunData"

OTHERWISE: Mapping[str, str] = {
    "expectedOutcome": "expectedOutput",
    "expectedOutput": "expectedOutcome",
    "scenario": "comments",
    "comments": "scenario",
}
"""names of talks, and those that other cases have for the same; the other way round for the rest"""

TALK = "\0talk"
"""what marks a record of the second list"""

AROUND = "\0around"
"""what is around the run, where that is more than its wrapper"""


class RunLayout(Layout):
    """Two lists made one, wrapped or not."""

    @property
    def streams(self) -> bool:
        """May records be taken one by one? They stand in two lists."""
        return False

    def split(self, document: Any, *, lines: bool = False) -> Parts:
        """Which envelope and groups does this document consist of?"""
        if lines:
            return self.lines(document)
        run, shape = document, {}
        if type(document.get(WRAPPER)) is dict and CASES not in document:
            run, shape = document[WRAPPER], {"container": WRAPPER}
            if len(document) > 1:
                run = {**run, AROUND: {**document, WRAPPER: None}}
        cases, talks = _listed(run, CASES), _listed(run, TALKS)
        envelope = {
            key: [] if key in (CASES, TALKS) and type(value) is list else value
            for key, value in run.items()
        }
        records = [*cases, *({**renamed(talk), TALK: True} for talk in talks)]
        if talks:
            shape["turns"] = "mixed" if cases else "multi"
        return Parts(envelope, [Group(None, [record]) for record in records], shape)

    def join(self, parts: Parts) -> Any:
        """Which document do these parts make?"""
        records = [record for group in parts.groups for record in group.records]
        cases = [record for record in records if TALK not in record]
        talks = [_spelled(record) for record in records if TALK in record]
        run = {key: value for key, value in parts.envelope.items() if key != AROUND}
        for key, held in ((CASES, cases), (TALKS, talks)):
            if held or type(run.get(key)) is list:
                run[key] = held
        if parts.shape.get("container") != WRAPPER:
            return run
        return {**parts.envelope.get(AROUND, {}), WRAPPER: run}

    def records_of(self, groups: Iterable[Group], shape: Mapping[str, Any]) -> Iterator[Record]:
        """Which records of the document do these groups make?"""
        del shape
        for group in groups:
            yield from map(_spelled, group.records)


def _listed(run: Record, key: str) -> Sequence[Record]:
    held = run.get(key)
    return held if type(held) is list else ()


def renamed(talk: Record) -> Record:
    """How does a talk look with the names of other cases, or with its own again?"""
    return {OTHERWISE.get(key, key): value for key, value in talk.items()}


def _spelled(record: Record) -> Record:
    if TALK not in record:
        return record
    return renamed({key: value for key, value in record.items() if key != TALK})


def shape_for(survey: Survey) -> Mapping[str, Any]:
    """Which shape does a new file get? All are talks if any case has more than one exchange."""
    return {"turns": "multi"} if survey.multi_turn else {}
