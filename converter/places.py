"""Where in a document does each record stand?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from converter.form import Group, Layout, Parts, Path
from converter.formats.cbl_versions import LAYER, LOOSE, MODEL, MODELS, LayeredLayout
from converter.formats.ctrf_layout import ATTEMPT, ATTEMPTS, OWN_ATTEMPT, CtrfLayout
from converter.formats.deepeval_layout import (
    AROUND,
    CASES,
    OTHERWISE,
    TALK,
    TALKS,
    WRAPPER,
    RunLayout,
)
from converter.formats.every_eval_ever_layout import ROWS, SamplesLayout
from converter.formats.promptbeat_judgment import ItemsLayout
from converter.rows import Record
from registry.values import pointer


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
        self.base: Path = self.records[:1] if parts.shape.get("container") == WRAPPER else ()
        """what is around the envelope"""
        self._field = pointer(self.records) + "/*"
        self._rows: Sequence[Place] | None = None
        self._firsts: Sequence[int] | None = None
        """where the first of each record's rows stands, if records may have several"""
        self.filled: tuple[Path, ...] = (layout.records,) if len(parts.groups) else ()
        """lists of records in the envelope that are empty there, but not in the document"""
        self.empty: tuple[Place, ...] = ()
        """lists within those lists that hold no record"""
        if layout.nested is not None:
            self._rows = list(_nested(self.records, layout.nested, parts.groups))
        elif isinstance(layout, CtrfLayout):
            self._rows = list(_attempts(self.records, parts.groups))
        elif isinstance(layout, RunLayout):
            self._rows = list(_cases(self.records, parts.groups))
            self.filled = tuple({(_list_of(one),) for one in parts.groups})
        elif isinstance(layout, SamplesLayout):
            self._firsts = list(_firsts(parts.groups))
        elif isinstance(layout, LayeredLayout):
            self._rows, self.filled, self.empty = _layered(layout, parts)

    def record(self, number: int, row: int = 0) -> Place:
        """Where does record `number` stand, or the row of it that has a number of its own?"""
        if self._firsts is not None:
            number = self._firsts[number] + row
        if self._rows is None:
            return Place(pointer((*self.records, number)), self._field)
        return self._rows[number]

    def case(self, number: int) -> Place:
        """Where does case `number` of a nested format stand?"""
        return Place(pointer((*self.records, number)), self._field)

    def names(self, record: Record) -> dict[str, str]:
        """How does the document spell this record's own keys, where otherwise?"""
        if isinstance(self._layout, CtrfLayout):
            return {OWN_ATTEMPT: ATTEMPT} if OWN_ATTEMPT in record else {}
        if isinstance(self._layout, RunLayout):
            return dict(OTHERWISE) if TALK in record else {}
        if not isinstance(self._layout, ItemsLayout):
            return {}
        (spelled,) = self._layout.records_of([Group(None, [record])], self._shape)
        own = (key for key in record if not key.startswith("\0"))
        return dict(zip(own, spelled, strict=True))

    @staticmethod
    def beside(envelope: Record) -> Record:
        """What stands beside the envelope, where that lies in something?"""
        around = envelope.get(AROUND, {})
        return {key: value for key, value in around.items() if key != WRAPPER}


def _container(layout: Layout, parts: Parts) -> Path:
    container = parts.shape.get("container")
    if container == WRAPPER:
        return (WRAPPER, *layout.records)
    if container in ("array", "lines"):
        bare = container == "lines" or parts.envelope.keys() <= {layout.records[-1]}
        return () if bare else layout.records
    return layout.records if container is None else (*layout.records[:-1], container)


def _nested(records: Path, key: str, groups: Sequence[Group]) -> Iterator[Place]:
    base = pointer(records)
    for case, group in enumerate(groups):
        for trial in range(len(group.records)):
            yield Place(f"{base}/{case}/{key}/{trial}", f"{base}/*/{key}/*")


def _attempts(records: Path, groups: Sequence[Group]) -> Iterator[Place]:
    base = pointer(records)
    for case, group in enumerate(groups):
        for attempt in range(len(group.records) - 1):
            yield Place(f"{base}/{case}/{ATTEMPTS}/{attempt}", f"{base}/*/{ATTEMPTS}/*")
        yield Place(f"{base}/{case}", f"{base}/*")


def _cases(records: Path, groups: Sequence[Group]) -> Iterator[Place]:
    """Where do cases and talks stand, each in a list of its own?"""
    seen: Counter[str] = Counter()
    for group in groups:
        name = _list_of(group)
        base = pointer((*records[:-1], name))
        yield Place(f"{base}/{seen[name]}", f"{base}/*")
        seen[name] += 1


def _list_of(group: Group) -> str:
    return TALKS if TALK in group.records[0] else CASES


def _firsts(groups: Sequence[Group]) -> Iterator[int]:
    first = 0
    for group in groups:
        for record in group.records:
            yield first
            first += 1 + len(record.get(ROWS, ()))


def _layered(
    layout: Layout, parts: Parts
) -> tuple[list[Place], tuple[Path, ...], tuple[Place, ...]]:
    """Where are records that stand in a list of layers, or in such a list for each model?"""
    shapes: Mapping[str | None, Mapping[str, Any]] = parts.shape.get("models", {None: parts.shape})
    lists = {
        model: layout.records if model is None else (*MODELS, model, "failed_results")
        for model in shapes
    }
    seen: Counter[tuple[str | None, int | None]] = Counter()
    rows = []
    for group in parts.groups:
        model, layer = group.records[0].get(MODEL), group.records[0].get(LAYER)
        base, at = pointer(lists[model]), seen[model, layer]
        if LOOSE in group.records[0]:
            rows.append(Place(f"{base}/{layer}", f"{base}/*"))
        else:
            inner = ("", "") if layer is None else (f"/{layer}", "/*")
            rows.append(Place(f"{base}{inner[0]}/{at}", f"{base}{inner[1]}/*"))
        seen[model, layer] += 1
    empty = tuple(
        Place(f"{pointer(lists[model])}/{layer}", f"{pointer(lists[model])}/*")
        for model, shape in shapes.items()
        for layer in range(shape.get("layers", 0))
        if not seen[model, layer]
    )
    filled = {model for model, _ in +seen} | {
        model for model, shape in shapes.items() if shape.get("layers")
    }
    return rows, tuple(lists[model] for model in filled), empty
