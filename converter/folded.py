"""Of which rows of a file is a record made, and what becomes of each?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from converter.delta import Node
from converter.formats.every_eval_ever_layout import ROWS
from converter.leaves import UNSAID
from converter.rows import Record

CARRIED: Node = {"=": [UNSAID, None]}
"""the delta of a row that does not come back"""


def rows(record: Record, delta: Node | None) -> Iterator[tuple[Record, Node | None]]:
    """Which rows is this record made of, each with what of its delta is of that row?"""
    further = record.get(ROWS)
    if further is None:
        yield record, delta
        return
    own, rest = _parted(delta)
    yield {key: held for key, held in record.items() if key != ROWS}, own
    yield from zip(further, _each(further, rest), strict=True)


def _parted(delta: Node | None) -> tuple[Node | None, Node | None]:
    """What of a record's delta is of its first row, and what of the list of all others?"""
    if delta is None or "=" in delta:
        return delta, delta
    own: dict[str, Any] = {**delta}
    own["add"] = [one for one in delta.get("add", ()) if one[1] != ROWS]
    own["in"] = {key: inner for key, inner in delta.get("in", {}).items() if key != ROWS}
    if len(own["add"]) < len(delta.get("add", ())):
        return own, CARRIED
    return own, delta.get("in", {}).get(ROWS)


def _each(values: Sequence[Any], node: Node | None) -> Iterator[Node | None]:
    """Which delta has each value of a list?"""
    if node is None or "=" in node:
        yield from [node] * len(values)
        return
    put, cut = {at for at, _ in node.get("put", ())}, node.get("cut", {})
    olds = (str(old) for old in range(node["of"]) if str(old) not in cut)
    for at in range(len(values)):
        yield CARRIED if at in put else node.get("at", {}).get(next(olds))
