"""Which XML says a document of JUnit's? What stands where is found out first, then written."""

from __future__ import annotations

import json
import math
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from registry import limits, slices
from registry.junitwords import AFTER, BEFORE, NAMES, PROPERTIES, PROPERTY, SLOT, TEST, usual
from registry.values import JSON
from registry.xml import element, escaped, instruction, opening

ROOT = -1
"""the number of the root, among those of suites"""

PLAIN = {**dict.fromkeys((BEFORE[0], AFTER[0]), "failure"), BEFORE[1]: "error", AFTER[1]: "error"}
"""as what a rerun is told whose test is gone"""


@dataclass(slots=True)
class _Unit:
    """A test with the reruns that stand in it; a rerun alone has lost its test."""

    number: int
    names: tuple[JSON, ...]
    at: int | None
    alone: bool = False
    reruns: list[int] = field(default_factory=list)


class Writer:
    """Finds out what stands where, and then writes it."""

    def __init__(self, index: slices.Index) -> None:
        self._index, self._document = index, index.envelope
        self._suites: Sequence[JSON] = self._document.get("suites", ())
        self._units: dict[int, list[_Unit]] = defaultdict(list)
        self._inner: dict[int, list[int]] = defaultdict(list)
        for number, suite in enumerate(self._suites):
            self._inner[self._parent(suite, number)].append(number)
        waiting: dict[int, list[_Unit]] = defaultdict(list)
        for number in range(len(index)):
            record = index.record(number)
            parent = self._parent(record, len(self._suites))
            self._take(_unit(record, number), record, self._units[parent], waiting[parent])
        for parent, left in waiting.items():
            self._units[parent] += left

    def _parent(self, one: JSON, below: int) -> int:
        """In which suite is it? -1 for the root, also where it names none that there is."""
        number: int = one.get("suite", ROOT)
        return number if 0 <= number < below else ROOT

    def _take(self, unit: _Unit, record: JSON, units: list[_Unit], waiting: list[_Unit]) -> None:
        if unit.alone and _tag(record) in BEFORE:
            waiting.append(unit)
        elif unit.alone and units and not units[-1].alone and units[-1].names == unit.names:
            units[-1].reruns.append(unit.number)
        else:
            mine = [one for one in waiting if one.names == unit.names and not unit.alone]
            unit.reruns = [one.number for one in mine]
            units += [one for one in waiting if one not in mine]
            units.append(unit)
            waiting.clear()

    def pieces(self) -> Iterator[str]:
        """Which pieces of text is the file?"""
        yield '<?xml version="1.0" encoding="utf-8"?>\n'
        for one in self._document.get("prolog", ()):
            yield from (*_item(one, 0), "\n")
        root = dict(self._document["root"])
        if SLOT in self._document:
            root[SLOT] = self._document[SLOT]
        yield from self._suite(root, ROOT, 1)
        yield "\n"
        for one in self._document.get("epilog", ()):
            yield from (*_item(one, 0), "\n")

    def _suite(self, suite: JSON, number: int, depth: int) -> Iterator[str]:
        limits.refuse_nesting(depth, "")
        inner = self._within(suite, number, depth)
        yield from element(suite["tag"], suite.get("attributes", {}), inner)

    def _within(self, suite: JSON, number: int, depth: int) -> Iterator[str]:
        content = suite.get("content", ())
        lead = suite.get("lead", usual(content))
        found: list[tuple[tuple[float, ...], Iterator[str]]] = []
        for order, unit in enumerate(self._units[number]):
            at = lead if unit.at is None else unit.at
            found.append(((at, order, 1), self._test(unit, depth + 1)))
        for order, inner in enumerate(self._inner[number]):
            one = self._suites[inner]
            key = (one.get("at", lead), one.get("after", math.inf), 0, order)
            found.append((key, self._suite(one, inner, depth + 1)))
        placed = deque(sorted(found, key=lambda one: one[0]))
        line = "" if any(isinstance(item, str) for item in content) else "\n"
        yield from _properties(suite)
        for at, item in enumerate(content):
            while placed and placed[0][0][0] <= at:
                yield line
                yield from placed.popleft()[1]
            yield from _item(item, depth + 1)
        for _, pieces in placed:
            yield line
            yield from pieces
        yield from _carried(suite)

    def _test(self, unit: _Unit, depth: int) -> Iterator[str]:
        record = self._index.record(unit.number)
        content = list(record.get("content", ()))
        if unit.alone:
            content = [{**content[0], "tag": PLAIN[_tag(record)]}] if content else []
        reruns = [self._index.record(number) for number in unit.reruns]
        for rerun in sorted(reruns, key=lambda one: int(one["rerun"])):
            content[rerun["rerun"] : rerun["rerun"]] = rerun.get("content", ())[:1]
        yield from element(
            TEST,
            record.get("attributes", {}),
            chain(
                _properties(record),
                *(_item(item, depth + 1) for item in content),
                _carried(record),
            ),
        )


def _unit(record: JSON, number: int) -> _Unit:
    attributes = record.get("attributes", {})
    names = tuple(attributes.get(name) for name in NAMES)
    return _Unit(number, names, record.get("at"), alone="rerun" in record)


def _tag(record: JSON) -> str:
    """As what did a rerun end?"""
    first = next(iter(record.get("content", ())), None)
    return first["tag"] if isinstance(first, dict) and first["tag"] in PLAIN else AFTER[0]


def _properties(record: JSON) -> Iterator[str]:
    """Which pieces are the properties, if it has any?"""
    if "properties" in record:
        named = record["properties"].items()
        yield from element(PROPERTIES, {}, (_property(name, value) for name, value in named))


def _property(name: str, value: str) -> str:
    return opening(PROPERTY, {"name": name, "value": value}, empty=True)


def _carried(record: JSON) -> Iterator[str]:
    """Which pieces are the slot? Its text is ASCII, so that XML can say whatever is in it."""
    if SLOT in record:
        text = json.dumps(record[SLOT], separators=(",", ":"))
        yield from element(PROPERTIES, {}, iter([_property(SLOT, text)]))


def _item(item: JSON, depth: int) -> Iterator[str]:
    if isinstance(item, str):
        yield escaped(item)
        return
    limits.refuse_nesting(depth, "")
    tag, content = item["tag"], item.get("content", ())
    if tag.startswith("?"):
        yield instruction(tag[1:], "".join(one for one in content if isinstance(one, str)))
        return
    inner = (piece for one in content for piece in _item(one, depth + 1))
    yield from element(tag, item.get("attributes", {}), chain(_properties(item), inner))
