"""Where in a document does each record, and each table of rows, stand?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from converter.form import Group, Layout, Parts, Path
from converter.formats import cbl, promptbeat, promptbeat_judgment, promptfoo, sandtable
from converter.formats.cbl_versions import LAYER
from converter.rows import Record, Table
from registry.values import pointer

TRIALS = "tasks/*/trials/*"
TABLES: Mapping[str, tuple[tuple[str, Table], ...]] = {
    "cbl": (("", cbl.RUN), ("results/*", cbl.SINGLE), ("results/*", cbl.MULTI)),
    "promptbeat": (
        ("", promptbeat.RUN),
        ("cases/*", promptbeat.CASE),
        ("cases/*/assertions/*", promptbeat.ASSERTION),
    ),
    "promptbeat-judgment": (("*", promptbeat_judgment.ITEM),),
    "promptfoo": (
        ("", promptfoo.RUN),
        ("results/results/*", promptfoo.ROW),
        ("results/results/*/gradingResult/componentResults/*", promptfoo.COMPONENT),
        ("results/results/*/tokenUsage", promptfoo.TOKENS),
    ),
    "sandtable": (
        ("", sandtable.RUN),
        ("tasks/*", sandtable.CASE),
        (TRIALS, sandtable.TRIAL),
        (f"{TRIALS}/checks/*", sandtable.CHECK),
        (f"{TRIALS}/events/*", sandtable.EVENT),
        (f"{TRIALS}/usage", sandtable.USAGE),
        (f"{TRIALS}/usage/agent/*", sandtable.MODEL),
        (f"{TRIALS}/usage/user/*", sandtable.MODEL),
    ),
}
"""Where does each table of rows stand? Positions in lists, and models' names, are `*`."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where does something stand: exactly, and by field?"""

    pointer: str
    field: str


class Places:
    """Where do the records of a document taken apart stand? Rows and cases count from 0."""

    def __init__(self, layout: Layout, parts: Parts) -> None:
        self._layout, self._shape = layout, parts.shape
        self.records = _container(layout, parts)
        self._field = pointer(self.records) + "/*"
        self._rows: Sequence[Path] | None = None
        if layout.nested is not None:
            self._rows = [
                (str(case), layout.nested, str(trial))
                for case, group in enumerate(parts.groups)
                for trial in range(len(group.records))
            ]
        elif "layers" in parts.shape:
            self._rows = list(_layered(parts.groups))

    def record(self, number: int) -> Place:
        """Where does record `number` stand?"""
        if self._rows is None:
            return Place(pointer((*self.records, number)), self._field)
        path = self._rows[number]
        inner = "".join("/*" if at % 2 == 0 else f"/{key}" for at, key in enumerate(path))
        if self._layout.nested is None:
            inner = "/*/*"
        return Place(pointer((*self.records, *path)), pointer(self.records) + inner)

    def case(self, number: int) -> Place:
        """Where does case `number` of a nested format stand?"""
        return Place(pointer((*self.records, number)), self._field)

    def names(self, record: Record) -> dict[str, str]:
        """How does the document spell this record's own keys, where otherwise?"""
        if not isinstance(self._layout, promptbeat_judgment.ItemsLayout):
            return {}
        (spelled,) = self._layout.records_of([Group(None, [record])], self._shape)
        own = (key for key in record if not key.startswith("\0"))
        return dict(zip(own, spelled, strict=True))


def _container(layout: Layout, parts: Parts) -> Path:
    container = parts.shape.get("container")
    if container in ("array", "lines"):
        bare = container == "lines" or parts.envelope.keys() <= {layout.records[-1]}
        return () if bare else layout.records
    return layout.records if container is None else (*layout.records[:-1], container)


def _layered(groups: Sequence[Group]) -> list[Path]:
    seen: Counter[int] = Counter()
    rows: list[Path] = []
    for group in groups:
        layer = group.records[0][LAYER]
        rows.append((str(layer), str(seen[layer])))
        seen[layer] += 1
    return rows
