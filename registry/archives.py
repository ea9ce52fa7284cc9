"""Which members has a zip archive, and what does each hold? One member at a time, within bounds.

Members are stored, deflated or compressed by Zstandard. A name is only ever compared with other
names: nothing is written under it.
"""

from __future__ import annotations

import io
import sys
import zlib
from typing import TYPE_CHECKING, Any

from registry import gate, limits
from registry.errors import NotJson
from registry.text import Buffer, utf8
from registry.values import JSON

if TYPE_CHECKING or sys.version_info < (3, 14):
    from backports.zstd import ZstdError, zipfile
else:
    import zipfile

    from compression.zstd import ZstdError

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_ZSTANDARD)
ENCRYPTED = 1
"""the flag of a member that asks for a password"""

CHUNK = 1 << 20
"""bytes that are unpacked at once"""

BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    ZstdError,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    ValueError,
)
"""how the reader of archives says that one is damaged"""


class _Window(io.RawIOBase):
    """The bytes of an archive as a stream that never reads much at once."""

    def __init__(self, data: Buffer, file: str) -> None:
        self._view, self._file, self._at = memoryview(data), file, 0

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: len(self._view)}[whence]
        if base + offset < 0:
            raise OSError("a place before the start")
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1, /) -> bytes:
        rest = max(len(self._view) - self._at, 0)
        size = rest if size < 0 else min(size, rest)
        limits.refuse_directory(size, self._file)
        start, self._at = self._at, self._at + size
        return bytes(self._view[start : self._at])


class Archive:
    """A zip archive; of members of one name, the last one counts, as for its other readers.

    Raises NotJson where it is damaged, encrypted, or larger than the limits allow.
    """

    def __init__(self, data: Buffer, file: str) -> None:
        self._file, self._packed, self._unpacked = file, len(data), 0
        try:
            self._zip = zipfile.ZipFile(_Window(data, file))
        except BROKEN as error:
            raise self._damaged("", error) from None
        members = self._zip.infolist()
        limits.refuse_members(len(members), file)
        self._members = {one.filename: one for one in members if not one.is_dir()}
        for name in self._members:
            limits.refuse_long_name(len(name), file)

    @property
    def names(self) -> tuple[str, ...]:
        """Which members are there, in order?"""
        return tuple(self._members)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def text(self, name: str) -> bytes:
        """Which UTF-8 bytes does this member hold?"""
        data = self._bytes(name)
        try:
            return bytes(utf8(data, file=self._file))
        except NotJson as error:
            raise _within(name, error) from None

    def value(self, name: str, text: bytes | None = None) -> JSON:
        """Which JSON value does this member, of which the text may be at hand, hold?"""
        raw = self.text(name) if text is None else text
        try:
            return gate.decode(raw, file=self._file, nonfinite="keep")
        except NotJson as error:
            raise _within(name, error) from None

    def _bytes(self, name: str) -> bytes:
        member = self._members[name]
        if member.flag_bits & ENCRYPTED or member.compress_type not in METHODS:
            raise NotJson(
                found=f"the member {name!r} is encrypted, or packed in an unusual way",
                expected="members that are stored, deflated, or packed by Zstandard",
                file=self._file,
            )
        data = bytearray()
        try:
            with self._zip.open(member) as stream:
                while chunk := stream.read(CHUNK):
                    data += chunk
                    self._count(len(chunk))
                    limits.refuse_large(len(data), self._file)
        except BROKEN as error:
            raise self._damaged(f" at the member {name!r}", error) from None
        return bytes(data)

    def _count(self, size: int) -> None:
        self._unpacked += size
        limits.refuse_long_file(self._unpacked, self._file)
        limits.refuse_swelling(self._unpacked, self._packed, self._file)

    def _damaged(self, where: str, error: Exception) -> NotJson:
        return NotJson(
            found=f"a damaged zip archive{where} ({error})",
            expected="a complete archive",
            hint="It may have been cut short, or still be written.",
            file=self._file,
        )


def _within(name: str, error: NotJson) -> NotJson:
    """The same error, telling in which member it is."""
    return NotJson(
        found=f"in the member {name!r}: {error.found}",
        expected=error.expected,
        hint=error.hint,
        file=error.file,
        pointer=error.pointer,
        line=error.line,
        column=error.column,
    )


class Packer:
    """Writes an archive, member by member: deflated, which every reader of zip archives knows."""

    def __init__(self, stream: Any) -> None:
        self._zip = zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED)

    def put(self, name: str, raw: bytes) -> None:
        """Add a member. Its time is always the same: the same input gives the same bytes."""
        member = zipfile.ZipInfo(name)
        member.compress_type = zipfile.ZIP_DEFLATED
        member.external_attr = 0o644 << 16
        self._zip.writestr(member, raw)

    def close(self) -> None:
        """Write the list of members; the stream stays open."""
        self._zip.close()
