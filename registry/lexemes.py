"""What do a JSON text's scalars say, one at a time, and how is a place in it refused?"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Literal, NoReturn

from registry.errors import NotJson
from registry.limits import MAX_DIGITS
from registry.text import Origin
from registry.values import JSON, pointer

Nonfinite = Literal["reject", "keep", "null"]
"""What becomes of NaN and the infinities: refused, kept as they are, or read as null."""

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
_WORD_HINTS = {
    "True": "This is Python's spelling; write it with json.dumps, not with str().",
    "False": "This is Python's spelling; write it with json.dumps, not with str().",
    "None": "This is Python's spelling; write it with json.dumps, not with str().",
    "undefined": "This is JavaScript's spelling; write it with JSON.stringify.",
}
NO_COMMENTS = "JSON has no comments."
CONFLICTS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
"""what git writes around the sides that it could not merge"""
_CUT = "The file seems to be cut off: write it again, or fetch it again."
NONFINITE_HINT = (
    "Accept such numbers with --nonfinite keep (as they are) or --nonfinite null (as null)."
)
NO_LAST_COMMA = "Some dialects of JSON allow it; JSON does not."
DIALECT = frozenset((NO_COMMENTS, NONFINITE_HINT, NO_LAST_COMMA))
"""Hints about what never was JSON, but is read by many tools as if it were."""


@dataclass(slots=True)
class Reader:
    """A text that is being read, and how far."""

    text: str
    file: str
    nonfinite: Nonfinite
    origin: Origin
    at: int = 0

    def parts(self, *, inside: bool) -> list[str | int]:
        """Which keys and positions lead to what is being read, or to the container around it?"""
        raise NotImplementedError

    def scalar(self) -> JSON:
        """Which scalar stands here?"""
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
        """What does a bare word stand for: a literal, or a number that is not finite?"""
        start = self.at
        self.at += len(word)
        if word in _LITERALS:
            return _LITERALS[word]
        if word in _NONFINITE:
            if self.nonfinite == "reject":
                self.refuse(start, word, "a finite number", NONFINITE_HINT)
            return _NONFINITE[word] if self.nonfinite == "keep" else None
        cut = self.at == len(self.text) and any(name.startswith(word) for name in _LITERALS)
        hint = _CUT if cut else _WORD_HINTS.get(word, "")
        return self.refuse(start, quote(word), "a value", hint)

    def number(self) -> JSON:
        """Which number stands here, an int exactly when it has no fraction and no exponent?"""
        start = self.at
        spelled = _NUMBER_LIKE.match(self.text, start)
        whole = spelled.group() if spelled else ""
        match = _NUMBER.fullmatch(whole)
        if not match:
            cut = start + len(whole) == len(self.text) and whole[-1:] in "-+.eE"
            self.refuse(start, quote(whole), "a number as JSON spells it", _CUT if cut else "")
        self.at += len(whole)
        if match.group(1) or match.group(2):
            number = float(whole)
            if math.isinf(number):
                self.refuse(start, f"the number {_short(whole)}", "one that a double can hold")
            return number
        return self.integer(start, whole)

    def integer(self, start: int, whole: str) -> int:
        """Which integer do these characters spell, in full?"""
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
        """Which string stands here, lone surrogates included?"""
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
        """Which character does the escape here stand for?"""
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
        """Which UTF-16 code unit does the escape at `start` name?"""
        digits = _HEX.match(self.text, start + 2)
        if not digits:
            written = self.text[start + 1 : start + 6]
            hint = _CUT if start + 6 > len(self.text) else ""
            self.refuse(start, f"the escape {_escape(written)}", "\\u and four hex digits", hint)
        return int(digits.group(), 16)

    def skip_space(self) -> None:
        """Move on to what is no white space."""
        match = _SPACE.match(self.text, self.at)
        if match:
            self.at = match.end()

    def unexpected(self, expected: str, *, inside: bool = True) -> NoReturn:
        """Refuse the character that stands here, or the end."""
        if self.at >= len(self.text):
            self.refuse(self.at, "the end of the file", expected, _CUT, inside=inside)
        found = quote(self.text[self.at])
        hints = {
            "'": 'Strings and keys stand in double quotes (").',
            "/": NO_COMMENTS,
            "#": NO_COMMENTS,
            "<": "This looks like HTML or XML.",
        }
        hint = hints.get(self.text[self.at], "")
        if self.text.startswith(CONFLICTS, self.at):
            hint = "Git could not merge the file: choose one side, and take the marks out."
        self.refuse(self.at, found, expected, hint, inside=inside)

    def refuse(
        self, offset: int, found: str, expected: str, hint: str = "", *, inside: bool = True
    ) -> NoReturn:
        """Refuse what stands at `offset`, in the entry (inside) or in the container around it."""
        line, column = self.origin.position(self.text, offset)
        raise NotJson(
            found=found,
            expected=expected,
            hint=hint,
            file=self.file,
            pointer=pointer((*self.origin.parts, *self.parts(inside=inside))),
            line=line,
            column=column,
        )


def quote(text: str) -> str:
    """How is a piece of the file shown so that it can't act on a terminal?"""
    return json.dumps(_short(text))


def _escape(text: str) -> str:
    return "\\" + quote(text)[1:-1]


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:30]}… ({len(text)} characters)"
