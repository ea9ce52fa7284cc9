"""Where do a big file's records stand, and what surrounds them, without decoding the records?

One pass cuts the array of records into slices; each slice is decoded through the gate when asked
for, and dropped by the caller. So memory stays flat however long the file is.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

import msgspec

from registry import extents, limits
from registry.errors import NotJson
from registry.gate import decode, dump
from registry.lexemes import Nonfinite
from registry.text import Buffer, Origin, position_after, utf8
from registry.values import JSON

_KEY = re.compile(rb'[ \t\n\r]*("[^"\\]*(?:\\.[^"\\]*)*")[ \t\n\r]*:[ \t\n\r]*')
_AFTER = re.compile(rb"[ \t\n\r]*([,\]}])[ \t\n\r]*")
_CLOSE = re.compile(rb"[ \t\n\r]*\]")
_OPEN = re.compile(rb"[ \t\n\r]*[\[{][ \t\n\r]*")
_LIST = re.compile(rb'"((?:[^"\\]|\\.)*)"[ \t\n\r]*:[ \t\n\r]*(?=\[)')
_LINE = re.compile(rb"[^\n]*[^\n \t\r][^\n]*")

_OBJECT: msgspec.json.Decoder[dict[str, msgspec.Raw]] = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ARRAY: msgspec.json.Decoder[list[msgspec.Raw]] = msgspec.json.Decoder(list[msgspec.Raw])


NEAR = 1 << 16
"""bytes at either end of a file in which the ends of its array of records are guessed"""
GUESSES = 8
"""how many places are tried, at either end"""
_HERE = "\0here"
_ENCODED = msgspec.json.encode(_HERE)


@cache
def _within(around: int) -> Origin:
    """Where does a piece of text stand of which no more is known than how deep?"""
    return Origin(around=around)


class _Unproven(Exception):
    """The places of an object's members could not be proven from one pass."""


@dataclass(frozen=True, slots=True)
class Index:
    """The records of one file as slices, and the document around them.

    `envelope` is the document with `[]` in place of the records (None for JSON Lines); `found`
    says whether there is an array at `path`. The buffer has to stay open while an Index lives.
    """

    envelope: JSON
    records: Sequence[msgspec.Raw]
    path: tuple[str, ...]
    found: bool
    file: str
    nonfinite: Nonfinite
    source: bytes | memoryview
    """The file as UTF-8 without its byte order mark."""
    mark: int
    """How many bytes the byte order mark had."""
    start: int
    """Byte offset of the array in `source`; -1 for JSON Lines."""
    sliced: bool = True
    """Are the records pieces of `source`? When read whole, they are written anew."""

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[JSON]:
        return (self.record(number) for number in range(len(self.records)))

    def record(self, number: int, *, placed: bool = True) -> JSON:
        """What does record `number` (from 0) say, decoded anew?

        Raises NotJson with the place in the whole file, which takes a look at all that stands
        before it, or with that in the record alone where it need not be `placed`.
        """
        raw = bytes(self.records[number])
        within = _within(self._around())
        try:
            return decode(raw, file=self.file, nonfinite=self.nonfinite, origin=within)
        except NotJson:  # only now is the place worth finding
            if not placed:
                raise
            origin = self._origin(number)
        return decode(raw, file=self.file, nonfinite=self.nonfinite, origin=origin)

    def again(self, number: int) -> JSON:
        """What does record `number` say, which has passed the gate before?"""
        try:
            return msgspec.json.decode(self.records[number])
        except (msgspec.DecodeError, RecursionError):
            return self.record(number)

    def offsets(self, numbers: Sequence[int]) -> dict[int, int]:
        """At which bytes of `source` do these records start? They are sliced."""
        wanted, last = set(numbers), max(numbers, default=-1)
        starts = enumerate(islice(self._starts(), last + 1))
        return {number: start for number, start in starts if number in wanted}

    @property
    def extent(self) -> tuple[int, int]:
        """From which byte of `source` to which does the array of sliced records stand?"""
        last = deque(zip(self._starts(), self.records, strict=True), maxlen=1)
        ends = [start + memoryview(record).nbytes for start, record in last]
        after_last = ends[0] if ends else _end(_OPEN.match(self.source, self.start))
        return self.start, _end(_CLOSE.match(self.source, after_last))

    def _around(self) -> int:
        return len(self.path) + 1 if self.start >= 0 else 0

    def _origin(self, number: int) -> Origin:
        offset = self.offsets([number])[number]
        line, column = position_after(bytes(self.source[:offset]))
        parts: tuple[str | int, ...] = (*self.path, number)
        return Origin(self.mark + offset, line, column, parts, self._around())

    def _starts(self) -> Iterator[int]:
        if self.start < 0:
            yield from (line.start() for line in _LINE.finditer(self.source))
            return
        at = _end(_OPEN.match(self.source, self.start))
        for record in self.records:
            yield at
            at = _end(_AFTER.match(self.source, at + memoryview(record).nbytes))


def index(
    data: Buffer, path: tuple[str, ...], *, file: str = "", nonfinite: Nonfinite = "reject"
) -> Index:
    """Where do the records in the array at `path` stand, and what surrounds them?

    Files that the fast pass refuses (lone surrogates, NaN) are walked over in a slow one, and those
    in which neither finds the array are read whole. Raises NotJson with the place for what is
    broken outside of the records, or anywhere when read whole.
    """
    source = utf8(data, file=file)
    view = memoryview(source)
    try:
        start, end, records = guessed(view, path) or _found(view, path)
        limits.refuse_many(len(records), file)
        around = b"".join((view[:start], b"[]", view[end:]))
        envelope = decode(around, file=file, nonfinite=nonfinite)
    except (msgspec.DecodeError, RecursionError, _Unproven, NotJson):
        return _slowly(source, path, file, nonfinite, len(data) - len(source))
    mark = len(data) - len(source)
    return Index(envelope, records, path, True, file, nonfinite, source, mark, start)


def guessed(source: memoryview, path: tuple[str, ...]) -> tuple[int, int, list[msgspec.Raw]] | None:
    """Where does the array at `path` stand, if it fills all but the ends of the file?

    A guess is proven: what is around it is a document by itself once something stands in its place,
    which is at that path, and the rest is an array. So the records are gone through only once.
    """
    if not path or len(source) < 2 * NEAR:
        return None
    head, tail = bytes(source[:NEAR]), bytes(source[-NEAR:])
    matches = islice(_LIST.finditer(head), GUESSES)
    starts = [match.end() for match in matches if match.group(1) == path[-1].encode()]
    ends = [match.end() for match in re.finditer(rb"\]", tail)][: -GUESSES - 1 : -1]
    for start in starts:
        for end in ends:
            if _stands(head[:start], tail[end:], path):
                stop = len(source) - NEAR + end
                try:
                    return start, stop, _ARRAY.decode(source[start:stop])
                except msgspec.DecodeError:
                    continue
    return None


def _stands(head: bytes, tail: bytes, path: tuple[str, ...]) -> bool:
    """Does what stands between these ends of a document stand at this path?"""
    try:
        value = msgspec.json.decode(b"".join((head, _ENCODED, tail)))
    except (msgspec.DecodeError, RecursionError):
        return False
    for key in path:
        value = value.get(key) if type(value) is dict else None
    return bool(value == _HERE)


def _found(source: memoryview, path: tuple[str, ...]) -> tuple[int, int, list[msgspec.Raw]]:
    start, end = _locate(source, path)
    return start, end, _ARRAY.decode(source[start:end])


def index_lines(data: Buffer, *, file: str = "", nonfinite: Nonfinite = "reject") -> Index:
    """Where do the records of a JSON Lines file stand, blank lines left out?"""
    source = utf8(data, file=file)
    view = memoryview(source)
    lines = islice(_LINE.finditer(view), limits.MAX_CASES + 1)
    records = [msgspec.Raw(view[line.start() : line.end()]) for line in lines]
    limits.refuse_many(len(records), file)
    mark = len(data) - len(source)
    return Index(None, records, (), True, file, nonfinite, source, mark, -1)


def _slowly(
    source: bytes | memoryview, path: tuple[str, ...], file: str, nonfinite: Nonfinite, mark: int
) -> Index:
    """The same, found without a parser.

    What is around the records is read by the gate, and so is each record. That those are what is
    between, one after the other, is what makes the whole of them JSON.
    """
    view = memoryview(source)
    try:
        start = _reached(view, path)
        bounds = list(islice(extents.items(view, start), limits.MAX_CASES + 1))
        limits.refuse_many(len(bounds), file)
        after_last = bounds[-1][1] if bounds else start + 1
        end = _end(_CLOSE.match(view, after_last))
        around = b"".join((view[:start], b"[]", view[end:]))
        envelope = decode(around, file=file, nonfinite=nonfinite)
    except (ValueError, _Unproven, NotJson):
        return _whole(source, path, file, nonfinite, mark)
    records = [msgspec.Raw(view[first:last]) for first, last in bounds]
    return Index(envelope, records, path, True, file, nonfinite, source, mark, start)


def _reached(text: memoryview, path: tuple[str, ...]) -> int:
    """Where does the value at this path start?"""
    at = extents.space(text, 0)
    for key in path:
        places = (place for name, place in extents.members(text, at) if name == key)
        at = next(places, -1)
        if at < 0:
            raise _Unproven
    return at


def _whole(
    source: bytes | memoryview, path: tuple[str, ...], file: str, nonfinite: Nonfinite, mark: int
) -> Index:
    document = decode(bytes(source), file=file, nonfinite=nonfinite, origin=Origin(mark))
    values, envelope = _cut(document, path)
    found = values is not None
    limits.refuse_many(len(values or ()), file)
    records = [msgspec.Raw(dump(value)) for value in values or ()]
    return Index(envelope, records, path, found, file, nonfinite, source, mark, 0, sliced=False)


def _cut(document: JSON, path: tuple[str, ...]) -> tuple[list[JSON] | None, JSON]:
    """Which array stands at `path`, and what is the document without its entries?"""
    if not path:
        return (document, []) if isinstance(document, list) else (None, document)
    parent = document
    for key in path[:-1]:
        parent = parent.get(key) if isinstance(parent, dict) else None
    values = parent.get(path[-1]) if isinstance(parent, dict) else None
    if not isinstance(values, list):
        return None, document
    parent[path[-1]] = []
    return values, document


def _locate(source: memoryview, path: tuple[str, ...]) -> tuple[int, int]:
    """From which byte to which does the value at `path` stand?"""
    start, end = 0, len(source)
    for key in path:
        inner_start, inner_end = _member(source[start:end], key)
        start, end = start + inner_start, start + inner_end
    return start, end


def _member(text: memoryview, key: str) -> tuple[int, int]:
    """Where in an object's text does the value of `key` stand?

    The parser gives each value's length, so the members are walked by length. That this finds the
    true places is proven: each key is read where it should be, every other value is compared,
    the one at `key` is parsed by the caller, and together they fill the object. A key written
    twice leaves a rest, and so is Unproven.
    """
    members = _OBJECT.decode(text)
    if key not in members:
        raise _Unproven
    place = (0, 0)
    at = _end(_OPEN.match(text))
    for name, value in members.items():
        written = _KEY.match(text, at)
        if written is None or msgspec.json.decode(written.group(1)) != name:
            raise _Unproven
        start, at = written.end(), written.end() + memoryview(value).nbytes
        if name == key:
            place = (start, at)
        elif bytes(text[start:at]) != bytes(value):
            raise _Unproven
        after = _AFTER.match(text, at)
        at = _end(after)
    if after is None or after.group(1) != b"}" or at != len(text):
        raise _Unproven
    return place


def _end(match: re.Match[bytes] | None) -> int:
    if match is None:
        raise _Unproven
    return match.end()


def top_keys(data: Buffer, *, file: str = "") -> tuple[str, ...] | None:
    """Which keys has the object in this file? None for anything but an object that parses fast."""
    try:
        return tuple(_OBJECT.decode(memoryview(utf8(data, file=file))))
    except (msgspec.DecodeError, RecursionError):
        return None


def looks_like_lines(data: Buffer) -> bool:
    """Is the first line a JSON object by itself, and does another one follow it?"""
    head = bytes(data[: 1 << 20])
    first, _, rest = head.lstrip(b" \t\r\n\xef\xbb\xbf").partition(b"\n")
    if not rest.lstrip().startswith(b"{") or not first.startswith(b"{"):
        return False
    try:
        msgspec.json.decode(first, type=dict[str, msgspec.Raw])
    except msgspec.DecodeError:
        return False
    return True
