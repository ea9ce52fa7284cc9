"""Where Every Eval Ever keeps its rows, and which of them tell of one trial.

A trial has a row for each result of the aggregate that it counts into. They follow one another:
rows of one sample, epoch and model, each under a result of its own. The first of them is the
trial's record here, and holds the others under a key that no file has.

Rows are the aggregate's samples, or a list by themselves: from JSON Lines, or as an array.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from converter.form import Group, Layout, Parts, reach
from converter.rows import Record

ROWS = "\0rows"
"""a trial's rows after the first"""

RESULT = "evaluation_result_id"
SAME = (("sample_id",), ("model_id",), ("metadata", "epoch"))
"""what rows of one trial have in common"""


class SamplesLayout(Layout):
    """The aggregate with its samples, or the rows alone."""

    @property
    def streams(self) -> bool:
        """May records be taken one by one? A trial may have several, and the file may be a list."""
        return False

    def split(self, document: Any, *, lines: bool = False) -> Parts:
        """Which envelope and groups does this document consist of?"""
        if lines or type(document) is not list:
            return Layout.split(self, document, lines=lines)
        return replace(self.lines(document), shape={"container": "array"})

    def lines(self, records: Sequence[Record]) -> Parts:
        """Which parts do the rows of a JSON Lines file make?"""
        return replace(self.parts({"samples": []}, records), shape={"container": "lines"})

    def parts(self, envelope: Any, records: Sequence[Record]) -> Parts:
        """Which groups do these rows make: one for each trial."""
        return Parts(envelope, Trials(records, tuple(starts(records))))

    def frame(self, envelope: Any, shape: Mapping[str, Any], records: Any) -> Any:
        """How does the document look around its rows?"""
        return records if "container" in shape else {**envelope, "samples": records}

    def records_of(self, groups: Iterable[Group], shape: Mapping[str, Any]) -> Iterator[Record]:
        """Which rows do these groups make?"""
        del shape
        for group in groups:
            for record in group.records:
                yield from unfolded(record)


@dataclass(frozen=True, slots=True)
class Trials(Sequence[Group]):
    """The trials of a file's rows, each folded when it is asked for."""

    rows: Sequence[Record]
    starts: tuple[int, ...]
    """where each trial starts, and where the last one ends"""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, number: Any) -> Any:
        at = range(len(self))[number]
        first, *others = (self.rows[row] for row in range(*self.starts[at : at + 2]))
        return Group(None, [{**first, ROWS: others} if others else first])


def starts(rows: Sequence[Record]) -> Iterator[int]:
    """Which rows are the first of a trial, and where do the rows end?"""
    common: list[Any] = []
    results: set[str] = set()
    number = -1
    for number, row in enumerate(rows):
        result, mine = row.get(RESULT), [reach(row, path) for path in SAME]
        if not isinstance(result, str) or result in results or mine != common:
            yield number
            results = set()
        if isinstance(result, str):
            results.add(result)
        common = mine
    yield number + 1


def unfolded(record: Record) -> list[Record]:
    """Which rows tell of the trial of this record?"""
    if ROWS not in record:
        return [record]
    return [{key: held for key, held in record.items() if key != ROWS}, *record[ROWS]]
