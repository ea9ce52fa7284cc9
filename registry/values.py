"""When are two JSON values the same, where is a value, and what is its digest?

Python's `==` can't answer the first: `True == 1 == 1.0` and `0.0 == -0.0` there.
"""

from __future__ import annotations

import hashlib
import json
import marshal
import math
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

JSON: TypeAlias = Any
"""None, bool, int, float, str, list or dict with str keys, nested as deep as the gate allows."""

PLAIN = 1e21
"""JavaScript writes whole numbers below it digit by digit"""


def whole(value: JSON) -> JSON:
    """How does the value look once JavaScript or jq wrote it again, with 1.0 as 1?"""
    kind = type(value)
    if kind is float:
        return int(value) if value.is_integer() and abs(value) < PLAIN else value
    if kind is dict:
        return {key: whole(item) for key, item in value.items()}
    if kind is list:
        return [whole(item) for item in value]
    return value


def same(a: JSON, b: JSON, *, key_order: bool = True) -> bool:
    """Are two documents the same, type by type, with NaN equal to NaN and key order counted?"""
    kind = type(a)
    if kind is not type(b):
        return False
    if kind is not dict and kind is not list:
        return _same_float(a, b) if kind is float else bool(a == b)
    return len(a) == len(b) and (_same_bytes(a, b) or _same_parts(a, b, key_order))


def _same_bytes(a: JSON, b: JSON) -> bool:
    """Does the interpreter write both alike? Its format 2 spells type, order and sign in full.

    Not alike proves nothing (key order may be free, one NaN differs from another), but alike is
    the usual answer, and is found in a third of the time that a walk takes.
    """
    try:
        return marshal.dumps(a, 2) == marshal.dumps(b, 2)
    except ValueError:  # deeper than marshal goes
        return False


def _same_parts(a: JSON, b: JSON, key_order: bool) -> bool:
    pending = [(a, b)]
    while pending:
        left, right = pending.pop()
        kind = type(left)
        if kind is not type(right):
            return False
        if kind is dict or kind is list:
            pairs = _pairs(left, right, key_order) if kind is dict else _rows(left, right)
            if pairs is None:
                return False
            pending.extend(pairs)
        elif not (_same_float(left, right) if kind is float else left == right):
            return False
    return True


def _pairs(
    left: dict[str, JSON], right: dict[str, JSON], key_order: bool
) -> Iterable[tuple[JSON, JSON]] | None:
    if left.keys() != right.keys():
        return None
    if not key_order:
        return [(value, right[key]) for key, value in left.items()]
    return zip(left.values(), right.values(), strict=True) if [*left] == [*right] else None


def _rows(left: list[JSON], right: list[JSON]) -> Iterable[tuple[JSON, JSON]] | None:
    return zip(left, right, strict=True) if len(left) == len(right) else None


def _same_float(a: float, b: float) -> bool:
    if a == b:
        return math.copysign(1.0, a) == math.copysign(1.0, b)
    return a != a and b != b  # noqa: PLR0124 - the fastest test for NaN


def escape(token: str) -> str:
    """How is a key written inside a JSON Pointer (RFC 6901)?"""
    return token.replace("~", "~0").replace("/", "~1")


def unescape(token: str) -> str:
    """Which key does a JSON Pointer's token stand for (RFC 6901)?"""
    return token.replace("~1", "/").replace("~0", "~")


def pointer(parts: Iterable[str | int]) -> str:
    """Which JSON Pointer leads along these keys and positions?"""
    return "".join(f"/{escape(str(part))}" for part in parts)


def at(doc: JSON, place: str) -> JSON:
    """What stands at a JSON Pointer?

    Raises KeyError when nothing does, or when the pointer neither is empty nor starts with "/".
    """
    if not place:
        return doc
    if not place.startswith("/"):
        raise KeyError(place)
    value = doc
    for token in place[1:].split("/"):
        value = _step(value, unescape(token), place)
    return value


def _step(value: JSON, token: str, place: str) -> JSON:
    if isinstance(value, dict) and token in value:
        return value[token]
    if isinstance(value, list) and _is_position(token) and int(token) < len(value):
        return value[int(token)]
    raise KeyError(place)


def _is_position(token: str) -> bool:
    short = len(token) <= 18  # longer than any list's, and int() stays cheap
    return short and token.isascii() and token.isdigit() and (token == "0" or token[0] != "0")


def leaves(doc: JSON) -> Iterator[tuple[str, JSON]]:
    """Which scalars and empty containers does a document hold, and where, in document order?"""
    pending: list[tuple[str, JSON]] = [("", doc)]
    while pending:
        place, value = pending.pop()
        if isinstance(value, dict) and value:
            inside = [(f"{place}/{escape(key)}", item) for key, item in value.items()]
        elif isinstance(value, list) and value:
            inside = [(f"{place}/{position}", item) for position, item in enumerate(value)]
        else:
            yield place, value
            continue
        pending.extend(reversed(inside))


def nulled(value: JSON) -> JSON:
    """How does the value look with null for NaN and the infinities? It is not changed itself."""
    kind = type(value)
    if kind is float:
        return value if math.isfinite(value) else None
    if kind is dict:
        return {key: nulled(item) for key, item in value.items()}
    if kind is list:
        return [nulled(item) for item in value]
    return value


def canonical(value: JSON) -> bytes:
    """Which bytes stand for a value whatever its key order and spelling were?

    Keys sorted by code point, no spaces, UTF-8; a lone surrogate is its escape, NaN is bare.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace")


def digest(value: JSON) -> str:
    """Which SHA-256 (hex) identifies a value, blind to key order and spelling only?"""
    return hashlib.sha256(canonical(value)).hexdigest()
