"""Which text do a file's bytes hold, and where in it is a byte?"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from mmap import mmap
from typing import AnyStr

from registry.errors import NotJson

Buffer = bytes | bytearray | memoryview | mmap

_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}

# What a file that is not UTF-8 starts with (longest first: UTF-32's mark begins like UTF-16's).
_OTHERS = (
    (codecs.BOM_UTF32_LE, "UTF-32 text"),
    (codecs.BOM_UTF32_BE, "UTF-32 text"),
    (b"\x1f\x8b", "gzip data"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
)

_ENCODINGS = "UTF-8, or UTF-16 with a byte order mark"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where in its file does a piece of text start, and what is it part of?

    `line` and `column` count from 1, `parts` are the keys and positions that lead to it, `around`
    is how many containers enclose it.
    """

    offset: int = 0
    line: int = 1
    column: int = 1
    parts: tuple[str | int, ...] = ()
    around: int = 0

    def position(self, text: str, at: int) -> tuple[int, int]:
        """Which line and column (in characters) of the file is an offset in the text at?"""
        lines, start = lines_before(text, at, ("\n", "\r"))
        column = at - start + 1
        return self.line + lines, column if lines else self.column + column - 1


def lines_before(text: AnyStr, at: int, ends: tuple[AnyStr, AnyStr]) -> tuple[int, int]:
    """How many lines end before an offset in the text, and at which offset does the last one start?

    `ends` are a line feed and a carriage return: either ends a line, and so do both together.
    """
    feed, ret = ends
    lines = text.count(feed, 0, at) + text.count(ret, 0, at) - text.count(ret + feed, 0, at)
    return lines, max(text.rfind(feed, 0, at), text.rfind(ret, 0, at)) + 1


START = Origin()
"""A text that is its whole file."""


def utf8(data: Buffer, *, file: str = "") -> bytes | memoryview:
    """Which UTF-8 bytes, without byte order mark, does a file hold?

    A large buffer that is UTF-8 already comes back as a view, not as a copy; whether its bytes
    really are UTF-8 is found out by who decodes them. Raises NotJson when the file starts like
    UTF-32, an archive or UTF-16 without its mark, or when its UTF-16 is broken.
    """
    head = bytes(data[:4])
    _refuse_others(head, file)
    if head.startswith(codecs.BOM_UTF8):
        return memoryview(data)[3:]
    encoding = _UTF16.get(head[:2])
    if encoding:
        return _from_utf16(bytes(data[2:]), encoding, file).encode("utf-8")
    return data if isinstance(data, bytes) else memoryview(data)


def text_of(raw: bytes, *, file: str = "", origin: Origin = START) -> str:
    """Which text do these UTF-8 bytes spell?

    Raises NotJson with byte offset and line when they are not UTF-8.
    """
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        line, column = origin.position(before, len(before))
        offset = origin.offset + error.start
        raise NotJson(
            found=f"byte 0x{raw[error.start]:02x} at offset {offset}, which is not UTF-8",
            expected=_ENCODINGS,
            hint="If the file is Latin-1 or Windows-1252, convert it to UTF-8 first.",
            file=file,
            line=line,
            column=column,
        ) from None


def position_after(before: bytes) -> tuple[int, int]:
    """Which line and column (from 1, in characters) follow these bytes?"""
    text = before.decode("utf-8", "replace")
    return START.position(text, len(text))


def _refuse_others(head: bytes, file: str) -> None:
    for mark, name in _OTHERS:
        if head.startswith(mark):
            raise NotJson(found=name, expected=f"JSON in {_ENCODINGS}", file=file)
    if b"\0" in head[:2] and len(head) > 1:
        raise NotJson(
            found="a NUL byte at the start",
            expected=f"JSON in {_ENCODINGS}",
            hint="This looks like UTF-16 without its mark; save it as UTF-8.",
            file=file,
        )


def _from_utf16(raw: bytes, encoding: str, file: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode(encoding)
        line, column = START.position(before, len(before))
        raise NotJson(
            found=f"broken UTF-16 at byte offset {error.start + 2}: {error.reason}",
            expected=_ENCODINGS,
            file=file,
            line=line,
            column=column,
        ) from None
