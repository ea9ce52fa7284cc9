"""What does an XML text hold, and how is it written? Within bounds, and without anything from afar.

A document type is refused, and so there are no entities but XML's own five: none that grows, none
that is fetched. Comments say nothing; namespaces are attributes like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Protocol
from xml.parsers import expat

from registry import limits
from registry.errors import NotJson, OutputError
from registry.text import Buffer

CHUNK = 1 << 16
"""bytes that are parsed at once"""

_UNSPEAKABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = re.compile(r"[A-Za-z_\x80-\U0010ffff][\w.\-:\xb7]*")
_IN_TEXT = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_IN_QUOTES = {**_IN_TEXT, '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}
_TEXT, _QUOTED = str.maketrans(_IN_TEXT), str.maketrans(_IN_QUOTES)


class Listener(Protocol):
    """Who is told what an XML text holds, in order."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, tag: str) -> None:
        """It ends."""

    def text(self, text: str) -> None:
        """A text, or a part of one, stands here."""

    def instruction(self, target: str, text: str) -> None:
        """An instruction to another program stands here."""


def parse(data: Buffer, file: str, listener: Listener) -> None:
    """Tell the listener all that stands in an XML text.

    Raises NotJson, with line and column, where it is broken, has a document type or nests too deep.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        limits.refuse_nesting(depth, file)
        listener.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        listener.end(tag)

    def refuse(*told: object) -> None:
        del told
        raise _refusal(parser, file, "a document type", "XML without one")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = listener.text
    parser.ProcessingInstructionHandler = listener.instruction
    parser.StartDoctypeDeclHandler = refuse
    view = memoryview(data)
    try:
        for at in range(0, len(view), CHUNK):
            parser.Parse(bytes(view[at : at + CHUNK]), False)
        parser.Parse(b"", True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        why = expat.ErrorString(error.code) if isinstance(error, expat.ExpatError) else str(error)
        raise _refusal(parser, file, f"broken XML ({why})", "JSON, or XML") from None


def _refusal(parser: expat.XMLParserType, file: str, found: str, expected: str) -> NotJson:
    return NotJson(
        found=found,
        expected=expected,
        file=file,
        line=parser.CurrentLineNumber,
        column=parser.CurrentColumnNumber + 1,
    )


def speakable(text: str) -> str:
    """The text with U+FFFD for each character that XML has no way to say."""
    return _UNSPEAKABLE.sub("\ufffd", text)


def opening(tag: str, attributes: Mapping[str, str], *, empty: bool = False) -> str:
    """How does an element begin, or stand if empty? Raises OutputError for what is no name."""
    named = "".join(
        f' {_named(name)}="{speakable(value).translate(_QUOTED)}"'
        for name, value in attributes.items()
    )
    return f"<{_named(tag)}{named}{'/' if empty else ''}>"


def _named(name: str) -> str:
    if not _NAME.fullmatch(name) or speakable(name) != name:
        raise OutputError(
            found=f"{name!r}, which is no name of an element or attribute in XML",
            expected="a result that XML can say",
        )
    return name


def instruction(target: str, text: str) -> str:
    """How does an instruction to another program stand?"""
    said = speakable(text).replace("?>", "? >")
    return f"<?{_named(target)} {said}?>" if said else f"<?{_named(target)}?>"


def escaped(text: str) -> str:
    """How does a text stand between elements?"""
    return speakable(text).translate(_TEXT)


def element(tag: str, attributes: Mapping[str, str], inner: Iterator[str]) -> Iterator[str]:
    """Which pieces of text are an element with these pieces in it?"""
    first = next(inner, None)
    yield opening(tag, attributes, empty=first is None)
    if first is not None:
        yield first
        yield from inner
        yield f"</{tag}>"
