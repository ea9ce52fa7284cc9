"""Which words of a text changed?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["same", "gone", "new"]

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")

LONGEST = 4_000
"""words of either text that are compared one by one; what follows is one word"""


class Piece(NamedTuple):
    """A stretch of text that both have, or only one."""

    kind: Kind
    text: str


def word_changes(a: str, b: str) -> list[Piece]:
    """Which stretches of words do both texts have, and which only one? In reading order.

    The pieces that are not new make up `a`, those that are not gone make up `b`.
    """
    left, right = _tokens(a), _tokens(b)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return list(_pieces(matcher, left, right))


def _tokens(text: str) -> list[str]:
    found = _TOKEN.findall(text)
    return [*found[:LONGEST], "".join(found[LONGEST:])] if len(found) > LONGEST else found


def _pieces(matcher: SequenceMatcher[str], left: list[str], right: list[str]) -> Iterator[Piece]:
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            yield Piece("same", "".join(left[i:j]))
            continue
        if i < j:
            yield Piece("gone", "".join(left[i:j]))
        if k < m:
            yield Piece("new", "".join(right[k:m]))
