"""What does a JSON text hold by the gate's policy, and where exactly is it refused?

The exact scanner: slow, without recursion, and the authority. The gate's fast parsers may only
say yes where this one does; every refusal is written here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from registry.lexemes import NO_LAST_COMMA, Nonfinite, Reader, quote
from registry.limits import MAX_DEPTH
from registry.text import START, Origin
from registry.values import JSON

__all__ = ["Nonfinite", "scan"]

_CLOSER = {"[": "]", "{": "}"}


def scan(
    text: str, *, file: str = "", nonfinite: Nonfinite = "reject", origin: Origin = START
) -> JSON:
    """Which value does a JSON text hold that starts at `origin` in its file?

    Raises NotJson with line, column and pointer when the policy refuses the text.
    """
    return _Scanner(text, file, nonfinite, origin).document()


@dataclass(slots=True)
class _Open:
    """A container that is being read: what it holds so far and where its keys were."""

    value: JSON
    closer: str
    key: str | None = None
    """The key whose value is being read; None while the key itself is."""
    keys: dict[str, int] = field(default_factory=dict)

    def add(self, value: JSON) -> None:
        if self.closer == "]":
            self.value.append(value)
        else:
            self.value[self.key] = value

    def part(self) -> str | int | None:
        return len(self.value) if self.closer == "]" else self.key


@dataclass(slots=True)
class _Scanner(Reader):
    """A document that is being read, and the containers that are open."""

    stack: list[_Open] = field(default_factory=list)

    def document(self) -> JSON:
        self.skip_space()
        if self.at == len(self.text):
            found = "only white space" if self.text else "an empty file"
            self.refuse(self.at, found, "a JSON document")
        while True:
            if self.text[self.at : self.at + 1] in _CLOSER and self.at < len(self.text):
                if self.open_container():
                    continue
                value = self.close_container()
            else:
                value = self.scalar()
            while self.stack:
                self.stack[-1].add(value)
                if self.next_entry():
                    break
                value = self.close_container()
            else:
                return self.end(value)

    def open_container(self) -> bool:
        """Open the container that starts here; does it have a first entry?"""
        opener = self.text[self.at]
        if self.origin.around + len(self.stack) >= MAX_DEPTH:
            self.refuse(
                self.at,
                f"more than {MAX_DEPTH} nested containers",
                f"at most {MAX_DEPTH} (the limit MAX_DEPTH)",
            )
        self.stack.append(_Open([] if opener == "[" else {}, _CLOSER[opener]))
        self.at += 1
        self.skip_space()
        if self.text.startswith(self.stack[-1].closer, self.at):
            return False
        if opener == "{":
            self.key("a key or '}'")
        return True

    def close_container(self) -> JSON:
        self.at += 1
        return self.stack.pop().value

    def next_entry(self) -> bool:
        """Move on to the container's next entry; is there one?"""
        inner = self.stack[-1]
        self.skip_space()
        if self.text.startswith(inner.closer, self.at):
            return False
        if not self.text.startswith(",", self.at):
            self.unexpected(f"',' or '{inner.closer}'", inside=False)
        comma = self.at
        self.at += 1
        self.skip_space()
        if self.text.startswith(inner.closer, self.at):
            self.refuse(
                comma,
                f"a ',' before '{inner.closer}'",
                "no comma after the last entry",
                NO_LAST_COMMA,
                inside=False,
            )
        if inner.closer == "}":
            self.key("a key")
        return True

    def key(self, expected: str) -> None:
        inner = self.stack[-1]
        inner.key = None
        start = self.at
        if not self.text.startswith('"', start):
            self.unexpected(expected)
        key = self.string()
        inner.key = key
        if key in inner.keys:
            line, column = self.origin.position(self.text, inner.keys[key])
            self.refuse(
                start,
                f"the key {quote(key)} a second time in one object",
                "each key once",
                f"It was first written at line {line}, column {column}.",
            )
        inner.keys[key] = start
        self.skip_space()
        if not self.text.startswith(":", self.at):
            self.unexpected("':' after the key")
        self.at += 1
        self.skip_space()

    def end(self, value: JSON) -> JSON:
        self.skip_space()
        if self.at < len(self.text):
            rest = self.text[self.at : self.at + 20]
            self.refuse(
                self.at,
                f"{quote(rest)} after the end of the document",
                "nothing more",
                "Several documents, one a line, are JSON Lines: name the file .jsonl.",
            )
        return value

    def parts(self, *, inside: bool) -> list[str | int]:
        """Which keys and positions lead to what is being read, or to the container around it?"""
        levels = self.stack if inside else self.stack[:-1]
        parts = (level.part() for level in levels)
        return [part for part in parts if part is not None]
