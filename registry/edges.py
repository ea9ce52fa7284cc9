"""Which files are no JSON, though what they hold can be said in JSON, and how is it said?

Such a file is turned into one JSON document where it is opened, and made of one where it is
written. In between nobody knows of it: the document has a format, a schema and a carry like any
other.
"""

from __future__ import annotations

import mmap
import re
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
    which makes a file of a document. `starts` are what such a file begins with; `suffix` ends the
    names of files that are to be written so, or of all of the `format`.
    """

    module: str
    format: str
    starts: re.Pattern[bytes]
    suffix: str
    always: bool = False
    """is the format never in JSON? Its files may be any, so folders are not searched for them"""

    def is_named(self, file: str) -> bool:
        """Does the name of a file ask for this kind?"""
        return file.lower().endswith(self.suffix)

    def writes(self, file: str) -> bool:
        """Is a file of that name and of this format written so?"""
        return self.always or self.is_named(file)

    def read(self, data: Buffer, file: str, out: IO[bytes]) -> None:
        """Write the document that the file holds. Raises NotJson when it is damaged."""
        reader: Reader = import_module(self.module).read
        reader(data, file, out)

    def write(self, data: Buffer, out: IO[bytes]) -> None:
        """Write the file that holds a document, which is valid."""
        writer: Writer = import_module(self.module).write
        writer(data, out)


EDGES = (
    Edge(
        module="registry.evallog",
        format="inspect",
        starts=re.compile(rb"PK\x03\x04"),
        suffix=".eval",
    ),
    Edge(
        module="registry.junitxml",
        format="junit",
        starts=re.compile(rb"(\xef\xbb\xbf)?<(?!<)|\xff\xfe<\0|\xfe\xff\0<"),  # << marks a conflict
        suffix=".xml",
        always=True,
    ),
    Edge(
        module="registry.garakreport",
        format="garak",
        starts=re.compile(rb'(\xef\xbb\xbf)?\{"entry_type":'),
        suffix=".report.jsonl",
        always=True,
    ),
)
SUFFIXES = tuple(edge.suffix for edge in EDGES if not edge.always)


def turned(data: Buffer, file: str) -> Buffer:
    """The bytes of the JSON that a file holds or, if it is of another kind, of what it says.

    What is made lies in a file without a name, so that memory stays free. Raises NotJson, with the
    file's name, when the file is damaged.
    """
    head = bytes(data[:64]).lstrip(b" \t\r\n")
    edge = next((one for one in EDGES if one.starts.match(head)), None)
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


def edge_for(file: str, format_: str) -> Edge | None:
    """As which kind is a file of this name and format written? None for JSON."""
    return next((one for one in EDGES if one.format == format_ and one.writes(file)), None)


def refused_name(file: str, format_: str) -> Edge | None:
    """Which kind of file does a name ask for that this format is never in?"""
    return next(
        (one for one in EDGES if one.format != format_ and one.is_named(file)),
        None,
    )
