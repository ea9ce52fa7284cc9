"""promptfoo results version 2, which releases up to 0.81 wrote, beside version 3.

Version 2 repeats its rows as a table, with one line per test: only there stands what a test is.
Each row is joined with its test here, under a key that no file has, so that version 3 can say it.
The table itself is carried. Version 2 counts errors among the failures and has no word for them in
a row: there, an error is a row that says why and was never graded.

A file that came down from version 3 has no table; what is to be said of its tests is in the carry.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from converter.blanks import Blank
from converter.form import Group, Layout, Parts, reach
from converter.formats.promptfoo import ASSERTION_FAILED, ERROR, NO_FAILURE, RowsLayout
from converter.rows import Record
from converter.slots import KEY
from converter.stepping import Shape, Side, Step

ROWS = ("results", "results")
BODY = ("results", "table", "body")
HEAD = ("results", "table", "head", "prompts")
CELL = "\0cell"
"""a key that no file has: where the row stands in the table, and its test"""
ERRORS = "\0errors"
"""a key that no file has: how many rows are errors"""
OWN = "own"
"""the shape's word for a file whose table and totals are its own, not made from version 3"""

NEW_RUN = frozenset(("vars", "runtimeOptions"))
NEW_ROW = frozenset(
    (
        "description",
        "evalId",
        "failureReason",
        "id",
        "promptId",
        "promptIdx",
        "testCase",
        "testIdx",
        "tokenUsage",
    )
)
NEW_STATS = frozenset(("errors", "durationMs", "generationDurationMs", "evaluationDurationMs"))


class TableLayout(Layout):
    """Rows, each joined with its test from the table beside them."""

    @property
    def streams(self) -> bool:
        """May rows be taken one by one? What joins them with the table is all of them."""
        return False

    def parts(self, envelope: Any, records: Sequence[Record]) -> Parts:
        """Which groups do these rows make, each with its place in the table?"""
        source = reach(envelope, ("metadata", KEY, "from"))
        if source == "promptfoo@3" or type(reach(envelope, ROWS)) is not list:
            return Parts(envelope, [Group(None, [row]) for row in records])
        cells = _cells(reach(envelope, BODY), records) or list(_numbered(records))
        groups = [
            Group(None, [{**row, CELL: cell}]) for row, cell in zip(records, cells, strict=True)
        ]
        errors = sum(_failure(row) == ERROR for row in records)
        return Parts({**envelope, ERRORS: errors}, groups, {OWN: True})

    def frame(self, envelope: Any, shape: Mapping[str, Any], records: Any) -> Any:
        """How does the document look around its rows?"""
        return super().frame(_without(envelope, {ERRORS}), shape, records)

    def records_of(self, groups: Iterable[Group], shape: Mapping[str, Any]) -> Iterator[Record]:
        """Which rows do these groups make?"""
        del shape
        for group in groups:
            yield from (_without(row, {CELL}) for row in group.records)


def _cells(body: Any, rows: Sequence[Record]) -> list[Record] | None:
    """Which cell of the table is each row's? None where rows and table don't agree."""
    if type(body) is not list:
        return None
    waiting: defaultdict[str, deque[Record]] = defaultdict(deque)
    for number, line in enumerate(body):
        for at, output in enumerate(line.get("outputs") or ()):
            shown = [output.get(key) for key in ("prompt", "provider", "pass", "score")]
            cell = {"testIdx": number, "promptIdx": at, "testCase": line.get("test")}
            waiting[repr(shown)].append(cell)
    if sum(map(len, waiting.values())) != len(rows):
        return None
    cells = []
    for row in rows:
        shown = [row["prompt"].get("raw"), _provider(row), row["success"], row.get("score")]
        if not (found := waiting[repr(shown)]):
            return None
        cells.append({key: value for key, value in found.popleft().items() if value is not None})
    return cells


def _numbered(rows: Sequence[Record]) -> Iterator[Record]:
    """Which number have each row's test and prompt, as far as its content tells them apart?"""
    tests: dict[str, int] = {}
    prompts: dict[str, int] = {}
    for row in rows:
        test = json.dumps(row.get("vars"), sort_keys=True)
        prompt = repr((_label(row["prompt"]), _provider(row)))
        yield {
            "testIdx": tests.setdefault(test, len(tests)),
            "promptIdx": prompts.setdefault(prompt, len(prompts)),
        }


def _provider(row: Record) -> Any:
    provider = row["provider"]
    return provider.get("label") or provider.get("id") if type(provider) is dict else provider


def _label(prompt: Record) -> Any:
    return prompt.get("label", prompt.get("display"))


def _without(record: Record, gone: Iterable[str]) -> Record:
    return {key: value for key, value in record.items() if key not in gone}


def _failure(row: Record) -> int:
    """Why did a row of version 2 fail?"""
    if row.get("success"):
        return NO_FAILURE
    if row.get("error") and row.get("gradingResult") is None:
        return ERROR
    return ASSERTION_FAILED


# down


def _row_2(row: Record, shape: Shape) -> Record:
    below = _without(row, NEW_ROW)
    if OWN not in shape:
        return below
    cell = {key: row[key] for key in ("testIdx", "promptIdx", "testCase") if key in row}
    return {**below, CELL: cell}


def _run_2(envelope: Record, shape: Shape) -> Record:
    below = _without(envelope, NEW_RUN)
    results = envelope.get("results")
    if type(results) is not dict:
        return below
    stats = results.get("stats")
    below["results"] = {**_without(results, {"prompts"}), "version": 2}
    if type(stats) is dict:
        below["results"]["stats"] = _stats_2(stats)
    if "prompts" in results:
        below["results"]["table"] = {"head": {"prompts": results["prompts"]}}
    if OWN in shape:
        below[ERRORS] = stats.get("errors", 0) if type(stats) is dict else 0
    return below


def _stats_2(stats: Record) -> Record:
    failures = stats.get("failures"), stats.get("errors", 0)
    below = _without(stats, NEW_STATS)
    if all(type(number) is int for number in failures):
        below["failures"] = sum(failures)
    return below


def _shape_2(shape: Shape) -> Shape:
    return _without(dict(shape), {"container"})


# up


def _row_3(row: Record, shape: Shape) -> Record:
    del shape
    above = {**_without(row, {CELL}), **row.get(CELL, {}), "failureReason": _failure(row)}
    if type(row.get("provider")) is str:
        above["provider"] = {"id": row["provider"]}
    if type(row.get("prompt")) is dict:
        above["prompt"] = _prompt_3(row["prompt"])
    return above


def _prompt_3(prompt: Record) -> Record:
    if "label" in prompt:
        return prompt
    return {"label" if key == "display" else key: value for key, value in prompt.items()}


def _run_3(envelope: Record, shape: Shape) -> Record:
    del shape
    above = _without(envelope, {ERRORS})
    results = envelope.get("results")
    if type(results) is not dict:
        return above
    above["results"] = {**_without(results, {"table"}), "version": 3}
    stats, errors = results.get("stats"), envelope.get(ERRORS)
    if type(stats) is dict and "errors" not in stats and errors is not None:
        above["results"]["stats"] = _stats_3(stats, errors)
    if type(prompts := reach(envelope, HEAD)) is list:
        above["results"]["prompts"] = [_prompt_3(prompt) for prompt in prompts]
    return above


def _stats_3(stats: Record, errors: int) -> Record:
    failures = stats.get("failures")
    if type(failures) is not int or failures < errors:
        return stats
    return {**stats, "failures": failures - errors, "errors": errors}


def _shape_3(shape: Shape) -> Shape:
    return _without(dict(shape), {OWN})


STEPS = (
    Step(
        format="promptfoo",
        run_slot=("metadata", KEY),
        record_slot=("metadata", KEY),
        lower=Side(
            version="2",
            layout=TableLayout(ROWS),
            run=_run_2,
            record=_row_2,
            shape=_shape_2,
            record_blanks=(Blank("provider", ""), Blank("prompt", {})),
        ),
        upper=Side(
            version="3",
            layout=RowsLayout(ROWS),
            run=_run_3,
            record=_row_3,
            shape=_shape_3,
            record_blanks=(Blank("testIdx", 0), Blank("promptIdx", 0)),
        ),
    ),
)
