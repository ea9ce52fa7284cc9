"""What stands at the head of a file, up to its first record?

Tools say first what kind of file it is. So the head tells which version a file has, unless what
comes later speaks against it; who asks has to see to that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from registry.text import Buffer, utf8
from registry.values import JSON

HEAD_BYTES = 64 << 10
"""How much of a file is its head?"""

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")
_COLON = re.compile(r"[ \t\n\r]*:[ \t\n\r]*")

Path = tuple[str, ...]


class _Ended(Exception):
    """The first record was read: what follows is not looked at."""


def head(data: Buffer, paths: Sequence[Path]) -> JSON:
    """Which value does the file begin with, cut after the first entry of a list at these paths?

    None where the head holds no whole entry of such a list.
    """
    text = bytes(utf8(data)[:HEAD_BYTES]).decode("utf-8", "ignore")
    found: list[JSON] = []
    try:
        _read(text, _past(_SPACE, text, 0), paths, found)
    except _Ended:
        return found[0]
    except (ValueError, RecursionError):  # it ends in the middle of a value, or is very deep
        return None
    return None


def _read(text: str, at: int, paths: Sequence[Path], into: list[JSON]) -> int:
    """Where does the value end that starts here? It is added before all of it is read.

    Raises _Ended after the first record, and ValueError where the text ends before.
    """
    opener = text[at : at + 1]
    if opener == "[" and () in paths:
        entries: list[JSON] = []
        into.append(entries)
        entries.append(_DECODER.raw_decode(text, _past(_SPACE, text, at + 1))[0])
        raise _Ended
    if opener != "{" or not any(paths):
        value, end = _DECODER.raw_decode(text, at)
        into.append(value)
        return end
    members: dict[str, JSON] = {}
    into.append(members)
    at = _past(_SPACE, text, at + 1)
    while text[at : at + 1] != "}":
        key, end = _DECODER.raw_decode(text, at)
        inner = [path[1:] for path in paths if path and path[0] == key]
        at = _past(_SPACE, text, _member(text, _past(_COLON, text, end), inner, members, key))
        if text[at : at + 1] == ",":
            at = _past(_SPACE, text, at + 1)
    return at + 1


def _member(text: str, at: int, paths: Sequence[Path], members: dict[str, JSON], key: str) -> int:
    held: list[JSON] = []
    try:
        return _read(text, at, paths, held)
    finally:
        members[key] = held[0] if held else None


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    if match is None:
        raise ValueError(f"no {pattern.pattern!r} at {at}")
    return match.end()
