"""Does a pattern match in the same way, and in short time, by every engine?

A rule that is easy to keep rather than exact: what is repeated as a group holds neither repeats nor
alternatives, since those two in one another are what makes a search take forever.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<escape>\\.)
    |(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])
    |(?P<open>\((?:\?:|\?[^)]*)?)
    |(?P<close>\))
    |(?P<repeat>(?:[*+?]|\{[0-9]*,?[0-9]*\})[?+]?)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_ONCE = re.compile(r"(\?|\{(0|1|0?,1)\})\??")
_CLASSES = "dDwWsSbB"


@dataclass(slots=True)
class _Group:
    """Does what was read of a group hold repeats or alternatives?"""

    branching: bool = False


def fault(pattern: str) -> tuple[str, str] | None:
    """What is there that should not be, and what would be better? None when nothing is.

    The pattern is one that Python can read.
    """
    groups = [_Group()]
    closed: _Group | None = None
    for match in _TOKEN.finditer(pattern):
        kind, said = match.lastgroup, match.group()
        ended, closed = closed, None
        if wrong := _outside(kind, said):
            return wrong
        if kind == "open":
            groups.append(_Group())
        elif kind == "close":
            closed = groups.pop()
            groups[-1].branching |= closed.branching
        elif kind == "repeat":
            if ended and ended.branching and not _ONCE.fullmatch(said):
                found = f"a group with repeats or alternatives in it, repeated by {said}"
                return found, "a repeat of single characters or of a fixed text"
            groups[-1].branching = True
        elif said == "|":
            groups[-1].branching = True
    return None


def _outside(kind: str | None, said: str) -> tuple[str, str] | None:
    """Is a token one that engines read differently, or need to go back for?"""
    if kind == "open" and said not in ("(", "(?:"):
        return f"the group {said}", "plain groups, ( or (?:"
    if kind == "escape" and said[1].isdigit() and said[1] != "0":
        return f"the reference back {said}", "no references"
    if kind == "repeat" and said[1:].endswith("+"):
        return f"the repeat {said}, which few engines know", "the repeat alone"
    inside = re.findall(r"\\(.)", said) if kind in ("set", "escape") else ()
    for letter in inside:
        if letter in _CLASSES:
            return f"\\{letter}, which engines read differently", "a set, such as [0-9]"
    return None
