"""Which document does JUnit XML say? It is made while the text is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO

from registry import gate
from registry.errors import NotJson, UnknownFormat
from registry.junitwords import (
    BEFORE,
    NAMES,
    PROPERTIES,
    PROPERTY,
    RERUNS,
    ROOTS,
    SLOT,
    SUITE,
    TEST,
    usual,
)
from registry.values import JSON

SPACE = " \t\r\n"
BARE = (*ROOTS, TEST, PROPERTIES)
"""elements in which white space says nothing"""


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


class Reader:
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
        """Begin an element. Raises UnknownFormat where the root is none of JUnit's."""
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
        """Take in a text."""
        self._open[-1].hear(text)

    def instruction(self, target: str, text: str) -> None:
        """Take in an instruction for programs."""
        said = {"tag": f"?{target}", **({"content": [text]} if text else {})}
        if self._open:
            self._open[-1].trim()
            self._open[-1].content.append(said)
        else:
            self._around["prolog" if self._root is None else "epilog"].append(said)

    def end(self, tag: str) -> None:
        """End an element; a test is written then."""
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
