"""Which value do a file's bytes hold, and which bytes does a value make?

Everything that is JSON enters and leaves here. A fast parser reads what it can; where it refuses
or its guards doubt, the standard library's parser is asked with hooks; where that refuses too, the
exact scanner decides and explains.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import NoReturn

import msgspec

from registry import limits
from registry.lexemes import Nonfinite
from registry.limits import MAX_DEPTH
from registry.scan import scan
from registry.text import START, Buffer, Origin, text_of, utf8
from registry.values import JSON

_DECODER = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder()


class _Doubt(Exception):
    """A fast parser's answer may break the policy."""


def load(data: Buffer, *, file: str = "", nonfinite: Nonfinite = "reject") -> JSON:
    """Which value does a JSON file hold?

    Raises NotJson with the place when the bytes break the gate's policy.
    """
    limits.refuse_large(len(data), file)
    raw = bytes(utf8(data, file=file))
    return decode(raw, file=file, nonfinite=nonfinite, origin=Origin(len(data) - len(raw)))


def decode(
    raw: bytes,
    *,
    file: str = "",
    nonfinite: Nonfinite = "reject",
    origin: Origin = START,
) -> JSON:
    """Which value do UTF-8 bytes without byte order mark spell that start at `origin`?

    Raises NotJson with the place in their file.
    """
    limits.refuse_large(len(raw), file)
    value = _decoded(raw, file, nonfinite, origin)
    limits.refuse_long_strings(len(raw), value, file)
    return value


def _decoded(raw: bytes, file: str, nonfinite: Nonfinite, origin: Origin) -> JSON:
    deepest = MAX_DEPTH - origin.around
    try:
        value = _DECODER.decode(raw)
        if _trusted(raw, value, deepest):
            return value
    except (msgspec.DecodeError, RecursionError):
        pass
    text = text_of(raw, file=file, origin=origin)
    try:
        return _checked(text, nonfinite, deepest)
    except (ValueError, RecursionError, _Doubt):
        return scan(text, file=file, nonfinite=nonfinite, origin=origin)


def load_lines(data: Buffer, *, file: str = "", nonfinite: Nonfinite = "reject") -> list[JSON]:
    """Which values does a JSON Lines file hold, blank lines left out?

    Raises NotJson with line, and with the value's position as pointer.
    """
    limits.refuse_large(len(data), file)
    values: list[JSON] = []
    raw = bytes(utf8(data, file=file))
    offset = len(data) - len(raw)
    for number, line in enumerate(raw.split(b"\n"), start=1):
        if line.strip(b" \t\r"):
            origin = Origin(offset, line=number, parts=(len(values),))
            values.append(decode(line, file=file, nonfinite=nonfinite, origin=origin))
            limits.refuse_many(len(values), file)
        offset += len(line) + 1
    return values


def dump(value: JSON, *, indent: int | None = None, speakable: bool = False) -> bytes:
    """Which UTF-8 bytes spell a value?

    Lone surrogates are written as escapes, NaN and the infinities bare. Looking for those takes
    longer than all else; a `speakable` value is known to have none.
    """
    try:
        encoded = _ENCODER.encode(value)
    except (UnicodeEncodeError, RecursionError):
        return _spelled(value, indent)
    if not speakable and b"null" in encoded and not finite(value):
        return _spelled(value, indent)
    return encoded if indent is None else msgspec.json.format(encoded, indent=indent)


def _spelled(value: JSON, indent: int | None) -> bytes:
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    return text.encode("utf-8", "backslashreplace")


def finite(value: JSON) -> bool:
    """Is every number in this value one that JSON can say?"""
    containers: list[JSON] = [[value]]
    for container in containers:  # grows while it is walked
        for item in container.values() if type(container) is dict else container:
            kind = type(item)
            if kind is dict or kind is list:
                containers.append(item)
            elif kind is float and not math.isfinite(item):
                return False
    return True


def depth(value: JSON) -> int:
    """How many containers are nested in one another, at most?"""
    depth = 0
    level = [value] if type(value) is dict or type(value) is list else []
    while level:
        depth += 1
        level = [
            item
            for container in level
            for item in (container.values() if type(container) is dict else container)
            if type(item) is dict or type(item) is list
        ]
    return depth


def _trusted(raw: bytes, value: JSON, deepest: int) -> bool:
    """Is it certain that no key was written twice and nothing nests too deep?

    A key written twice is lost with its quotes, so written again the value has fewer of them than
    the text has. Only a quote written as its code (u0022) could make up for that.
    """
    again = _ENCODER.encode(value)
    if again != raw:
        coded = b"\\" in raw and b"\\u0022" in raw  # nearly always found out by the first
        if coded or raw.count(b'"') != again.count(b'"'):
            return False
    return raw.count(b"{") + raw.count(b"[") <= deepest or depth(value) <= deepest


def _checked(text: str, nonfinite: Nonfinite, deepest: int) -> JSON:
    value = json.loads(
        text,
        object_pairs_hook=_unique,
        parse_float=_held,
        parse_constant=_CONSTANTS[nonfinite],
    )
    if depth(value) > deepest:
        raise _Doubt
    return value


def _unique(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Doubt
    return members


def _held(spelled: str) -> float:
    number = float(spelled)
    if math.isinf(number):
        raise _Doubt
    return number


def _reject(name: str) -> NoReturn:
    raise _Doubt


def _null(name: str) -> None:
    return None


_CONSTANTS: dict[Nonfinite, Callable[[str], JSON]] = {
    "reject": _reject,
    "keep": float,
    "null": _null,
}
