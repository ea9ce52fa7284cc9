"""Which files are no JSON, though what they hold can be said in JSON, and how is it said?

Such a file is turned into one JSON document where it is opened, and made of one where it is
written. In between nobody knows of it: the document has a format, a schema and a carry like any
other.
"""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import IO, TypeAlias

from registry.text import Buffer

Reader: TypeAlias = Callable[[Buffer, str, IO[bytes]], None]
Writer: TypeAlias = Callable[[Buffer, IO[bytes]], None]


class Turned(mmap.mmap):
    """A JSON document that was made of another kind of file, whose lines are not the file's."""

    source: Buffer = b""
    """the file's own bytes"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One kind of file that is no JSON.

    `module` has `read(data, file, out)`, which writes the file's document, and `write(data, out)`,
    which makes a file of a document. `start` is what such a file begins with; `suffix` ends the
    names of files that are to be written so.
    """

    module: str
    format: str
    start: bytes
    suffix: str

    def read(self, data: Buffer, file: str, out: IO[bytes]) -> None:
        """Write the document that the file holds. Raises NotJson when it is damaged."""
        reader: Reader = import_module(self.module).read
        reader(data, file, out)

    def write(self, data: Buffer, out: IO[bytes]) -> None:
        """Write the file that holds a document, which is valid."""
        writer: Writer = import_module(self.module).write
        writer(data, out)


EDGES = (Edge(module="registry.evallog", format="inspect", start=b"PK\x03\x04", suffix=".eval"),)
SUFFIXES = tuple(edge.suffix for edge in EDGES)


def turned(data: Buffer, file: str) -> Buffer:
    """The bytes of the JSON that a file holds or, if it is of another kind, of what it says.

    What is made lies in a file without a name, so that memory stays free. Raises NotJson, with the
    file's name, when the file is damaged.
    """
    edge = next((one for one in EDGES if data[: len(one.start)] == one.start), None)
    if edge is None:
        return data
    with tempfile.TemporaryFile() as out:
        edge.read(data, file, out)
        out.flush()
        document = Turned(out.fileno(), 0, access=mmap.ACCESS_READ)
        document.source = data
        return document


def original(data: Buffer) -> Buffer:
    """Which bytes has the file that these were made of, or that they are?"""
    return data.source if isinstance(data, Turned) else data


def edge_for(file: str) -> Edge | None:
    """As which kind is a file of this name written? None for JSON."""
    return next((one for one in EDGES if file.lower().endswith(one.suffix)), None)
