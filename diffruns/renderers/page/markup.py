"""HTML and SVG in which no text of a file can be anything but text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import TypeAlias

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, but for tab and new line
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # unseen, or turns text
    "\ud800-\udfff\ufff9-\uffff\U000e0000-\U000e0fff]"  # half a pair, no characters, tags
    "|(?<![\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])\u200d"  # joins anything but emoji
)
_NO_CONTENT = {"input", "meta", "br"}


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Child: TypeAlias = "str | Iterable[Child] | None"
Attribute: TypeAlias = "str | float | bool | None"


def visible(text: str) -> str:
    """How does a text look where all that is unseen in it, or turns it around, is told?"""
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub(_escaped, text.replace("\r\n", "\n"))


def _escaped(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _told(text: str) -> str:
    """A text as HTML; `##`, which starts commands in CI logs, is written otherwise."""
    return escape(visible(text)).replace("##", "#&#35;")


def tag(name: str, *children: Child, **attributes: Attribute) -> Markup:
    """Which element is this? `class_` is the class, `aria_label` the attribute aria-label.

    An attribute that is None or False is left out.

    >>> tag("p", "1 < 2", class_="note", hidden=True)
    '<p class="note" hidden>1 &lt; 2</p>'
    """
    told = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _NO_CONTENT:
        return Markup(f"<{name}{told}>")
    return Markup(f"<{name}{told}>{together(*children)}</{name}>")


def together(*children: Child) -> Markup:
    """What do these come to, one after the other?"""
    return Markup("".join(map(_child, children)))


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return _told(child)
    return "".join(map(_child, child))


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    told = f"{value:.6g}" if isinstance(value, float) else str(value)
    return f' {name}="{_told(told)}"'
