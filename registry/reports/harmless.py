"""How is text from a file shown so that it acts on nothing: no terminal, no CI, no XML reader?"""

from __future__ import annotations

import re

_UNSEEN = (
    "\x7f-\x9f"  # control characters: escape sequences
    "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # what is not seen, or turns text around
    "\ud800-\udfff\ufff9-\uffff"  # what UTF-8 or XML do not have
    "\U000e0000-\U000e007f"  # tags
)
_ACTIVE = re.compile(
    f"[\x00-\x1f{_UNSEEN}]"  # new lines, too
    "|::(?=[a-z-]+)"  # ::set-output and its like, in a log of GitHub's
    "|(?<=#)#(?=\\[)|##(?=vso)"  # ##[command] in one of GitHub's or Azure's
)
_ACTIVE_JSON = re.compile(f"[{_UNSEEN}]|#(?=#)")


def harmless(text: str) -> str:
    """The text with every active character as its escape."""
    return _ACTIVE.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    first, rest = found.group()[0], found.group()[1:]
    code = ord(first)
    return (f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}") + rest


def harmless_json(spelled: bytes) -> bytes:
    """The same JSON value, spelled with every active character as JSON's own escape."""
    if spelled.isascii() and b"##" not in spelled and b"\x7f" not in spelled:
        return spelled
    return _ACTIVE_JSON.sub(_json_escaped, spelled.decode()).encode()


def _json_escaped(found: re.Match[str]) -> str:
    halves = found.group().encode("utf-16-be")
    return "".join(f"\\u{halves[at : at + 2].hex()}" for at in range(0, len(halves), 2))
