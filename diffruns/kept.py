"""Many structures in little memory: the first ones as they are, more as bytes in a file.

A run of a million cases has to fit twice into the memory of a laptop. As objects its entries take a
kilobyte each; as bytes in a file without a name they take none that the system can't take back.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Generic, NamedTuple, TypeVar, overload

import msgspec

from registry.errors import EvalglotError

T = TypeVar("T", bound=msgspec.Struct)

FEW = 100_000
"""structures that are held as they are"""
_BUFFER = 2**20


def few_of(count: int) -> int:
    """How many of so many are held as they are: all, or none at all?"""
    return FEW if count <= FEW else 0


class NoRoom(EvalglotError):
    """The file that holds what does not fit into memory can't be written."""


class Places(NamedTuple):
    """Where in the file does each structure begin, and how many bytes has it?"""

    starts: array[int]
    sizes: array[int]


class Kept(Sequence[T], Generic[T]):
    """Structures of one type, in the order in which they were added.

    More than `few` are held as bytes, and made anew whenever they are asked for.
    """

    def __init__(self, type_: type[T], few: int | None = None) -> None:
        self._few = FEW if few is None else few
        self._held: list[T] = []
        self._file: IO[bytes] | None = None
        self._seen: mmap.mmap | None = None
        self._written = 0
        self._places = Places(array("Q"), array("I"))
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(type_).decode
        if not self._few:
            self._file = self._opened()

    def append(self, one: T) -> None:
        """Add one more. Raises NoRoom."""
        if self._file is not None:
            self._write(one)
        elif len(self._held) < self._few:
            self._held.append(one)
        else:
            self._file = self._opened()
            for held in (*self._held, one):
                self._write(held)
            self._held.clear()

    def extend(self, more: Iterable[T]) -> Kept[T]:
        """Add these. Raises NoRoom."""
        for one in more:
            self.append(one)
        return self

    def pick(self, numbers: Iterable[int]) -> None:
        """Hold only those of these numbers, in this order."""
        if self._file is None:
            self._held = [self._held[number] for number in numbers]
            return
        old, new = self._places, Places(array("Q"), array("I"))
        for number in numbers:
            new.starts.append(old.starts[number])
            new.sizes.append(old.sizes[number])
        self._places = new

    def written(self) -> Places:
        """Where is everything, for the process that this one was copied from? See `adopt`."""
        self._flush()
        return self._places

    def adopt(self, places: Places) -> None:
        """Hold what another process, a copy of this one, has written to the same file."""
        assert self._file is not None
        self._places, self._written = places, os.fstat(self._file.fileno()).st_size
        if len(self) <= FEW:
            self._held, self._file = [*self], None

    def frozen(self) -> Sequence[T]:
        """The same, as a tuple if it is held as it is."""
        return tuple(self._held) if self._file is None else self

    def __len__(self) -> int:
        return len(self._held) if self._file is None else len(self._places.starts)

    @overload
    def __getitem__(self, number: int) -> T: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[T]: ...
    def __getitem__(self, number: int | slice) -> T | Sequence[T]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        if self._file is None:
            return self._held[number]
        start, size = self._places.starts[number], self._places.sizes[number]
        return self._decode(self._bytes()[start : start + size])

    def __iter__(self) -> Iterator[T]:
        if self._file is None:
            yield from self._held
        elif self._places.starts:
            seen, decode = self._bytes(), self._decode
            for start, size in zip(*self._places, strict=True):
                yield decode(seen[start : start + size])

    def _opened(self) -> IO[bytes]:
        file: IO[bytes] = tempfile.TemporaryFile(buffering=_BUFFER)  # noqa: SIM115 (closed below)
        weakref.finalize(self, file.close)
        return file

    def _write(self, one: T) -> None:
        assert self._file is not None
        told = self._encode(one)
        try:
            self._file.write(told)
        except OSError as error:
            raise _no_room(error) from None
        self._places.starts.append(self._written)
        self._places.sizes.append(len(told))
        self._written += len(told)

    def _flush(self) -> None:
        assert self._file is not None
        try:
            self._file.flush()
        except OSError as error:
            raise _no_room(error) from None

    def _bytes(self) -> mmap.mmap:
        """All that is written, as far as it was asked for."""
        assert self._file is not None
        if self._seen is None or len(self._seen) < self._written:
            self._flush()
            self._seen = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        return self._seen


def _no_room(error: OSError) -> NoRoom:
    return NoRoom(
        found=f"no room in {tempfile.gettempdir()} for what does not fit into memory: "
        f"{error.strerror}",
        hint="Set TMPDIR to a folder with more room.",
    )
