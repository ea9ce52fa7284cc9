"""How is text from a file shown so that it acts on nothing: no terminal, no CI, no XML reader?"""

from __future__ import annotations

import re

_ACTIVE = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters: escape sequences, new lines
    "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # what is not seen, or turns text around
    "\ud800-\udfff\ufff9-\uffff]"  # what UTF-8 or XML do not have
    "|[\U000e0000-\U000e007f]"  # tags
    "|::(?=[a-z-]+)"  # ::set-output and its like, in a log of GitHub's
    "|(?<=#)#(?=\\[)|##(?=vso)"  # ##[command] in one of GitHub's or Azure's
)


def harmless(text: str) -> str:
    """The text with every active character as its escape."""
    return _ACTIVE.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    first, rest = found.group()[0], found.group()[1:]
    code = ord(first)
    return (f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}") + rest
