"""At which line and column of a file does the value at a JSON Pointer stand?

Asked only once something is wrong. One pass over the text goes down where a pointer leads and steps
over everything else; records that were cut out before are gone into by themselves. The text has
passed the gate, so its depth is bounded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from registry import extents
from registry.slices import Index
from registry.text import Buffer, lines_before
from registry.values import pointer, unescape

_NOWHERE = (-1, -1)

Position = tuple[int, int]
"""Line and column, from 1, in characters."""


@dataclass(slots=True)
class _Way:
    """Where pointers lead on from a value."""

    further: dict[str, _Way] = field(default_factory=dict)

    def add(self, tokens: Iterable[str]) -> None:
        way = self
        for token in tokens:
            way = way.further.setdefault(token, _Way())


def positions(index: Index, values: Iterable[str], keys: Iterable[str] = ()) -> dict[str, Position]:
    """Where do the values at these pointers stand, and the keys that lead to those?

    A pointer to nothing, to a field that is missing, is placed where its container is.
    """
    wanted = dict.fromkeys((*values, *keys))
    if not wanted:
        return {}
    by_key = set(keys)
    offsets = dict(_offsets(index, wanted))
    placed: dict[str, int] = {}
    for place in wanted:
        key, value = _nearest(offsets, place)
        placed[place] = key if place in by_key else value
    lines = _line_columns(index.source, sorted(set(placed.values())))
    return {place: lines[offset] for place, offset in placed.items()}


def _nearest(offsets: Mapping[str, tuple[int, int]], place: str) -> tuple[int, int]:
    while place and place not in offsets:
        place = place.rpartition("/")[0]
    return offsets.get(place, (0, 0))


def _offsets(index: Index, wanted: Iterable[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """At which bytes of the source do the keys and the values of these pointers start?"""
    base = pointer(index.path)
    around = _Way()
    within: dict[int, _Way] = {}
    for place in wanted:
        number, tokens = _record(index, base, place)
        if number is None:
            around.add(place.split("/")[1:])
        else:
            within.setdefault(number, _Way()).add(tokens)
    if index.start >= 0:
        records = index.extent if index.sliced else _NOWHERE
        yield from _walk(index.source, 0, around, "", jump=records)
    starts = index.offsets(sorted(within))
    for number, way in within.items():
        text = bytes(index.records[number])
        for place, (key, value) in _walk(text, 0, way, f"{base}/{number}", jump=_NOWHERE):
            yield place, (starts[number] + key, starts[number] + value)


def _record(index: Index, base: str, place: str) -> tuple[int | None, Sequence[str]]:
    """In which of the sliced records is a place, and by which tokens is it reached there?"""
    number, *tokens = place.removeprefix(base)[1:].split("/")
    if not index.sliced or not place.startswith(f"{base}/") or not number.isdecimal():
        return None, ()
    return (int(number), tokens) if int(number) < len(index) else (None, ())


def _walk(
    text: Buffer, start: int, way: _Way, place: str, *, jump: tuple[int, int], key: int = -1
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Where do the value that starts here, and those that a way leads to, stand?"""
    at = extents.space(text, start)
    yield place, (at if key < 0 else key, at)
    opener = bytes(text[at : at + 1])
    if way.further and opener in (b"{", b"["):
        for token, key_at, value_at in _entries(text, at, opener, way, jump):
            inner = way.further[token]
            yield from _walk(text, value_at, inner, f"{place}/{token}", jump=jump, key=key_at)


def _entries(
    text: Buffer, at: int, opener: bytes, way: _Way, jump: tuple[int, int]
) -> Iterator[tuple[str, int, int]]:
    """Which of a container's entries does a way lead to, and where do key and value start?"""
    named = {unescape(token): token for token in way.further}
    at = extents.space(text, at + 1)
    position = 0
    while text[at : at + 1] not in (b"]", b"}"):
        start = at
        if opener == b"{":
            end = extents.string(text, at)
            name = json.loads(bytes(text[at:end]).decode("utf-8"))
            at = extents.space(text, extents.space(text, end) + 1)
        else:
            name = str(position)
            position += 1
        if name in named:
            yield named[name], start, at
        at = extents.space(text, jump[1] if at == jump[0] else extents.end(text, at))
        if text[at : at + 1] == b",":
            at = extents.space(text, at + 1)


def _line_columns(source: bytes | memoryview, offsets: Iterable[int]) -> dict[int, Position]:
    """Which lines and columns are these bytes at, asked for in order?"""
    found: dict[int, Position] = {}
    line, line_start, before = 1, 0, 0
    for offset in offsets:
        piece = bytes(source[before:offset])
        lines, start = lines_before(piece, len(piece), (b"\n", b"\r"))
        if lines:
            line += lines
            line_start = before + start
        column = len(bytes(source[line_start:offset]).decode("utf-8", "replace")) + 1
        found[offset] = (line, column)
        before = offset
    return found
