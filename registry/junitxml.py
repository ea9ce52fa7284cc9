"""How does a JUnit XML file look as one JSON document, and back?

The document says all that canonical XML says, but for white space between the elements of suites
and tests, and comments.

    {"testcases": [test, ...], "root": element, "suites": [suite, ...], "x-evalglot": {}}

An element is `{"tag", "attributes", "properties", "content"}`: content is a list of texts and
elements, and properties are those that come first, if they are as usual (`<properties>` with names
and values alone). A test has no tag; a suite has one, and neither has the tests and suites that are
in it. Where those stood, they say themselves:

* `suite`: the number of the suite that a test or suite is in; none is the root;
* `at`: behind how many of the other things in it; none: as many as its suite's `lead` says, or as
  come before the first text or output;
* `after`: behind how many tests a suite stands; none: behind all.

A `flakyFailure` or `rerunFailure` in a test (Maven Surefire) tells of another attempt at it, so it
is a test of its own with `rerun`, the place in its test where it stood: before the one that it is
in, if that passed in the end; after it, if it had failed before.

What a conversion carries is the JSON of a last property `x-evalglot`, in `properties` of its own.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import IO

from registry import gate, limits, slices
from registry.errors import Damaged, NotJson, UnknownFormat
from registry.text import Buffer
from registry.values import JSON
from registry.xml import element, escaped, instruction, opening, parse

ROOTS = ("testsuites", "testsuite")
SUITE, TEST, PROPERTIES, PROPERTY = "testsuite", "testcase", "properties", "property"
SLOT = "x-evalglot"
BEFORE, AFTER = ("flakyFailure", "flakyError"), ("rerunFailure", "rerunError")
RERUNS = (*BEFORE, *AFTER)
PLAIN = {**dict.fromkeys((BEFORE[0], AFTER[0]), "failure"), BEFORE[1]: "error", AFTER[1]: "error"}
"""as what a rerun is told whose test is gone"""
OUTPUTS = ("system-out", "system-err")
SPACE = " \t\r\n"
ROOT = -1
BARE = (*ROOTS, TEST, PROPERTIES)
"""elements in which white space says nothing"""

NAMES = ("name", "classname")
"""attributes that a rerun has from the test that it is in"""


@dataclass(slots=True)
class _Element:
    """An element that is being read."""

    tag: str
    attributes: dict[str, str]
    content: list[JSON] = field(default_factory=list)
    properties: dict[str, str] | None = None
    slot: JSON = None
    number: int | None = None
    """which suite it is; None for the root, and for what is no suite"""
    tests: int = 0
    """how many tests were in it so far"""
    lead: int | None = None
    """behind how many other things stood the first test or suite"""
    parted: bool = False
    """has something been taken out since its last text?"""

    def trim(self) -> None:
        """Leave out white space that says nothing."""
        if self.tag in BARE and self.content:
            last = self.content[-1]
            if isinstance(last, str) and not last.strip(SPACE):
                self.content.pop()

    def hear(self, text: str) -> None:
        """Go on with a text, or begin another one."""
        if self.content and isinstance(self.content[-1], str) and not self.parted:
            self.content[-1] += text
        else:
            self.content.append(text)
        self.parted = False

    def place(self) -> dict[str, int]:
        """Where in this suite, or in the root, does what begins now stand?"""
        self.lead = len(self.content) if self.lead is None else self.lead
        self.parted = True
        said = {} if self.number is None else {"suite": self.number}
        return said if len(self.content) == self.lead else {**said, "at": len(self.content)}

    def said(self) -> dict[str, JSON]:
        """What does the element say, but for its tag?"""
        said: dict[str, JSON] = {}
        if self.lead is not None and self.lead != usual(self.content):
            said["lead"] = self.lead
        if self.attributes:
            said["attributes"] = self.attributes
        if self.properties is not None:
            said["properties"] = self.properties
        if self.content:
            said["content"] = self.content
        return said if self.slot is None else {**said, SLOT: self.slot}


class _Reader:
    """Makes the document while the text is read; tests are written as they end."""

    def __init__(self, out: IO[bytes], file: str) -> None:
        self._out, self._file = out, file
        self._open: list[_Element] = []
        self._suites: list[JSON] = []
        self._later: list[tuple[_Element, int, int]] = []
        """each suite's parent, number, and the tests before it"""
        self._around: dict[str, list[JSON]] = {"prolog": [], "epilog": []}
        self._root: JSON = None
        self._count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self._open and tag not in ROOTS:
            raise UnknownFormat(
                found=f"XML whose root is {tag}",
                expected="JSON, or the XML of JUnit, whose root is testsuites or testsuite",
                file=self._file,
            )
        made = _Element(tag, attributes)
        if self._open:
            parent = self._open[-1]
            parent.trim()
            if tag == SUITE and parent.tag in ROOTS and self._in_suites:
                made.number = len(self._suites)
                self._suites.append(parent.place())
                self._later.append((parent, made.number, parent.tests))
        self._open.append(made)

    @property
    def begun(self) -> bool:
        """Was the root one of JUnit's?"""
        return self._root is not None or bool(self._open)

    @property
    def _in_suites(self) -> bool:
        return all(one.tag in ROOTS for one in self._open)

    def text(self, text: str) -> None:
        self._open[-1].hear(text)

    def instruction(self, target: str, text: str) -> None:
        said = {"tag": f"?{target}", **({"content": [text]} if text else {})}
        if self._open:
            self._open[-1].trim()
            self._open[-1].content.append(said)
        else:
            self._around["prolog" if self._root is None else "epilog"].append(said)

    def end(self, tag: str) -> None:
        done = self._open.pop()
        done.trim()
        if not self._open:
            self._root = {"tag": tag, **done.said()}
            return
        parent = self._open[-1]
        if tag == TEST and self._in_suites:
            self._test(done, parent)
        elif done.number is not None:
            self._suites[done.number] |= {"tag": tag, **done.said()}
        elif tag != PROPERTIES or parent.tag not in (*ROOTS, TEST) or not _taken(done, parent):
            parent.content.append({"tag": tag, **done.said()})

    def _test(self, test: _Element, parent: _Element) -> None:
        place, content, test.content = parent.place(), test.content, []
        parent.tests += 1
        reruns: dict[bool, list[JSON]] = {True: [], False: []}
        names = {key: test.attributes[key] for key in NAMES if key in test.attributes}
        for at, one in enumerate(content):
            if isinstance(one, dict) and one["tag"] in RERUNS:
                rerun = {**place, "rerun": at, "attributes": names, "content": [one]}
                reruns[one["tag"] in BEFORE].append(rerun)
            else:
                test.content.append(one)
        for record in (*reruns[True], {**place, **test.said()}, *reruns[False]):
            self._out.write((b",\n" if self._count else b"\n") + gate.dump(record))
            self._count += 1

    def close(self) -> None:
        """Write what is around the tests."""
        for parent, number, before in self._later:
            if before != parent.tests:
                self._suites[number]["after"] = before
        slot = self._root.pop(SLOT, None)
        document = {"root": self._root, "suites": self._suites, **self._around, SLOT: slot}
        said = {key: value for key, value in document.items() if value}
        self._out.write(b"]," + gate.dump(said)[1:] + b"\n")


def _taken(properties: _Element, parent: _Element) -> bool:
    """Are these properties as usual, so that their parent has them by name?"""
    found: dict[str, str] = {}
    for one in properties.content:
        usual_ = isinstance(one, dict) and one["tag"] == PROPERTY and "content" not in one
        attributes = one.get("attributes", {}) if usual_ else {}
        if list(attributes) != ["name", "value"] or attributes["name"] in found:
            return False
        found[attributes["name"]] = attributes["value"]
    if properties.attributes:
        return False
    if list(found) == [SLOT] and parent.slot is None:
        parent.slot = _slot(found[SLOT])
        if parent.slot is not None:
            parent.parted = True
            return True
    if parent.content or parent.properties is not None or parent.lead is not None:
        return False
    parent.properties = found
    return True


def _slot(text: str) -> JSON:
    """What was carried, if that is what this text says?"""
    try:
        held = gate.decode(text.encode("utf-8"))
    except NotJson:
        return None
    return held if isinstance(held, dict) and held else None


def usual(content: Sequence[JSON]) -> int:
    """Before how many of these do tests and suites usually stand? After all but text and output."""
    return next((at for at, one in enumerate(content) if _is_late(one)), len(content))


def _is_late(one: JSON) -> bool:
    return isinstance(one, str) or one["tag"] in OUTPUTS


def read(data: Buffer, file: str, out: IO[bytes]) -> None:
    """Write the document that an XML file holds.

    Raises Damaged where it is broken, NotJson where nothing of it can be told, and UnknownFormat
    where it is no JUnit XML.
    """
    reader = _Reader(out, file)
    out.write(b'{"testcases":[')
    try:
        parse(data, file, reader)
    except NotJson as error:
        raise Damaged(**vars(error)) if reader.begun else error from None
    reader.close()


def write(data: Buffer, out: IO[bytes]) -> None:
    """Write the XML that says a document of junit@1, which is valid.

    Raises OutputError where it has names that XML does not take, or nests too deep.
    """
    writer = _Writer(slices.index(data, ("testcases",)))
    for piece in writer.pieces():
        out.write(piece.encode("utf-8"))


@dataclass(slots=True)
class _Unit:
    """A test with the reruns that stand in it; a rerun alone has lost its test."""

    number: int
    names: tuple[JSON, ...]
    at: int | None
    alone: bool = False
    reruns: list[int] = field(default_factory=list)


class _Writer:
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
