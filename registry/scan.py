"""What does a JSON text hold by the gate's policy, and where exactly is it refused?

The exact scanner: slow, without recursion, and the authority. The gate's fast parsers may only
say yes where this one does; every refusal is written here.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import Literal, NoReturn

from registry.errors import NotJson
from registry.text import START, Origin
from registry.values import JSON, pointer

Nonfinite = Literal["reject", "keep", "null"]

MAX_DEPTH = 100
"""How many containers may be nested in one another."""

MAX_DIGITS = 4300
"""How many digits an integer may have: what Python converts without being told otherwise."""

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NUMBER_LIKE = re.compile(r"[-+.0-9a-zA-Z_]+")
_WORD = re.compile(r"-?[A-Za-z_$][A-Za-z0-9_$]*")
_SIMPLE = re.compile(r'"([^"\\\x00-\x1f]*)"')
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_HEX = re.compile(r"[0-9a-fA-F]{4}")

_LITERALS: dict[str, JSON] = {"true": True, "false": False, "null": None}
_NONFINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_ESCAPES = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}
_CLOSER = {"[": "]", "{": "}"}
_WORD_HINTS = {
    "True": "This is Python's spelling; write it with json.dumps, not with str().",
    "False": "This is Python's spelling; write it with json.dumps, not with str().",
    "None": "This is Python's spelling; write it with json.dumps, not with str().",
    "undefined": "This is JavaScript's spelling; write it with JSON.stringify.",
}
_CUT = "The file seems to be cut off: write it again, or fetch it again."
_NONFINITE_HINT = (
    "Accept such numbers with --nonfinite keep (as they are) or --nonfinite null (as null)."
)


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
class _Scanner:
    text: str
    file: str
    nonfinite: Nonfinite
    origin: Origin
    at: int = 0
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
                f"the key {_quote(key)} a second time in one object",
                "each key once",
                f"It was first written at line {line}, column {column}.",
            )
        inner.keys[key] = start
        self.skip_space()
        if not self.text.startswith(":", self.at):
            self.unexpected("':' after the key")
        self.at += 1
        self.skip_space()

    def scalar(self) -> JSON:
        start = self.at
        first = self.text[start : start + 1]
        if first == '"':
            return self.string()
        word = _WORD.match(self.text, start)
        if word:
            return self.word(word.group())
        if first and first in "-+.0123456789":
            return self.number()
        return self.unexpected("a value")

    def word(self, word: str) -> JSON:
        start = self.at
        self.at += len(word)
        if word in _LITERALS:
            return _LITERALS[word]
        if word in _NONFINITE:
            if self.nonfinite == "reject":
                self.refuse(start, word, "a finite number", _NONFINITE_HINT)
            return _NONFINITE[word] if self.nonfinite == "keep" else None
        cut = self.at == len(self.text) and any(name.startswith(word) for name in _LITERALS)
        hint = _CUT if cut else _WORD_HINTS.get(word, "")
        return self.refuse(start, _quote(word), "a value", hint)

    def number(self) -> JSON:
        start = self.at
        spelled = _NUMBER_LIKE.match(self.text, start)
        whole = spelled.group() if spelled else ""
        match = _NUMBER.fullmatch(whole)
        if not match:
            cut = start + len(whole) == len(self.text) and whole[-1:] in "-+.eE"
            self.refuse(start, _quote(whole), "a number as JSON spells it", _CUT if cut else "")
        self.at += len(whole)
        if match.group(1) or match.group(2):
            number = float(whole)
            if math.isinf(number):
                self.refuse(start, f"the number {_short(whole)}", "one that a double can hold")
            return number
        return self.integer(start, whole)

    def integer(self, start: int, whole: str) -> int:
        digits = len(whole.lstrip("-"))
        if digits <= MAX_DIGITS:
            try:
                return int(whole)
            except ValueError:  # PYTHONINTMAXSTRDIGITS is set lower than our limit
                pass
        return self.refuse(
            start,
            f"an integer of {digits} digits",
            f"at most {MAX_DIGITS} digits (the limit MAX_DIGITS)",
        )

    def string(self) -> str:
        start = self.at
        simple = _SIMPLE.match(self.text, start)
        if simple:
            self.at = simple.end()
            return simple.group(1)
        self.at += 1
        parts: list[str] = []
        while True:
            plain = _PLAIN.match(self.text, self.at)
            if plain:
                parts.append(plain.group())
                self.at = plain.end()
            stop = self.text[self.at : self.at + 1]
            if stop == '"':
                self.at += 1
                return "".join(parts)
            if not stop:
                line, _ = self.origin.position(self.text, start)
                self.refuse(
                    len(self.text),
                    "the end of the file inside a string",
                    f"the string that starts at line {line} to end",
                    _CUT,
                )
            if stop != "\\":
                self.refuse(
                    self.at,
                    f"a raw control character U+{ord(stop):04X} in a string",
                    f"its escape \\u{ord(stop):04x}",
                )
            parts.append(self.escaped())

    def escaped(self) -> str:
        start = self.at
        letter = self.text[start + 1 : start + 2]
        if letter == "u":
            unit = self.code_unit(start)
            self.at += 6
            if 0xD800 <= unit < 0xDC00 and self.text.startswith("\\u", self.at):
                low = self.code_unit(self.at)
                if 0xDC00 <= low < 0xE000:
                    self.at += 6
                    return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
            return chr(unit)
        if letter not in _ESCAPES:
            hint = "" if letter else _CUT
            self.refuse(start, f"the escape {_escape(letter)}", "one that JSON has", hint)
        self.at += 2
        return _ESCAPES[letter]

    def code_unit(self, start: int) -> int:
        digits = _HEX.match(self.text, start + 2)
        if not digits:
            written = self.text[start + 1 : start + 6]
            hint = _CUT if start + 6 > len(self.text) else ""
            self.refuse(start, f"the escape {_escape(written)}", "\\u and four hex digits", hint)
        return int(digits.group(), 16)

    def end(self, value: JSON) -> JSON:
        self.skip_space()
        if self.at < len(self.text):
            rest = self.text[self.at : self.at + 20]
            self.refuse(
                self.at,
                f"{_quote(rest)} after the end of the document",
                "nothing more",
                "Several documents, one a line, are JSON Lines: name the file .jsonl.",
            )
        return value

    def skip_space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        if match:
            self.at = match.end()

    def unexpected(self, expected: str, *, inside: bool = True) -> NoReturn:
        if self.at >= len(self.text):
            self.refuse(self.at, "the end of the file", expected, _CUT, inside=inside)
        found = _quote(self.text[self.at])
        hints = {
            "'": 'Strings and keys stand in double quotes (").',
            "/": "JSON has no comments.",
            "#": "JSON has no comments.",
            "<": "This looks like HTML or XML.",
        }
        self.refuse(self.at, found, expected, hints.get(self.text[self.at], ""), inside=inside)

    def refuse(
        self, offset: int, found: str, expected: str, hint: str = "", *, inside: bool = True
    ) -> NoReturn:
        line, column = self.origin.position(self.text, offset)
        levels = self.stack if inside else self.stack[:-1]
        parts = [*self.origin.parts, *(level.part() for level in levels)]
        raise NotJson(
            found=found,
            expected=expected,
            hint=hint,
            file=self.file,
            pointer=pointer(part for part in parts if part is not None),
            line=line,
            column=column,
        )


def _quote(text: str) -> str:
    """How is a piece of the file shown so that it can't act on a terminal?"""
    return json.dumps(_short(text))


def _escape(text: str) -> str:
    return "\\" + _quote(text)[1:-1]


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:30]}… ({len(text)} characters)"
