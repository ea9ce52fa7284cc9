"""Where does a value in a JSON text end, and what is inside of it, found without decoding it?

What fast parsers refuse (NaN, lone surrogates) is walked over like anything else, in memory that
does not grow. That the text is JSON is not found out here: who takes a piece decodes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from registry.text import Buffer

_SPACE = re.compile(rb"[ \t\n\r]*")
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SCALAR = re.compile(rb"[^ \t\n\r,\]}]+")
_MARK = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)


def space(text: Buffer, at: int) -> int:
    """Where does what follows white space start?"""
    return _past(_SPACE, text, at)


def string(text: Buffer, at: int) -> int:
    """Where does the string that starts here end? Raises ValueError when none does."""
    return _past(_STRING, text, at)


def end(text: Buffer, at: int) -> int:
    """Where does the value that starts here end? Raises ValueError when there is none."""
    opener = text[at : at + 1]
    if opener == b'"':
        return string(text, at)
    if opener not in (b"{", b"["):
        return _past(_SCALAR, text, at)
    depth = 0
    for mark in _MARK.finditer(text, at):
        found = text[mark.start() : mark.start() + 1]
        if found in (b"{", b"["):
            depth += 1
        elif found in (b"}", b"]"):
            depth -= 1
            if not depth:
                return mark.end()
    raise ValueError("a container without end")


def members(text: Buffer, at: int) -> Iterator[tuple[str, int]]:
    """Which keys has the object that starts here, and where do their values start?

    A value is only walked over when the next key is asked for. Raises ValueError for what is none.
    """
    at = _opened(text, at, b"{")
    while text[at : at + 1] != b"}":
        after_key = string(text, at)
        colon = space(text, after_key)
        if text[colon : colon + 1] != b":":
            raise ValueError(f"no colon at byte {colon}")
        value = space(text, colon + 1)
        yield json.loads(bytes(text[at:after_key]).decode()), value
        at = _further(text, end(text, value), b"}")


def items(text: Buffer, at: int) -> Iterator[tuple[int, int]]:
    """From where to where stand the items of the array that starts here?

    Raises ValueError for what is none.
    """
    at = _opened(text, at, b"[")
    while text[at : at + 1] != b"]":
        after = end(text, at)
        yield at, after
        at = _further(text, after, b"]")


def _opened(text: Buffer, at: int, opener: bytes) -> int:
    """Where may the first entry of a container start?"""
    if text[at : at + 1] != opener:
        raise ValueError(f"no {opener!r} at byte {at}")
    return space(text, at + 1)


def _further(text: Buffer, at: int, closer: bytes) -> int:
    """Where does what follows an entry start: the next one, or the container's end?"""
    at = space(text, at)
    if text[at : at + 1] == closer:
        return at
    following = space(text, at + 1)
    if text[at : at + 1] != b"," or text[following : following + 1] == closer:
        raise ValueError(f"no further entry at byte {at}")
    return following


def _past(pattern: re.Pattern[bytes], text: Buffer, at: int) -> int:
    match = pattern.match(text, at)
    if match is None:
        raise ValueError(f"no {pattern.pattern!r} at byte {at}")
    return match.end()
