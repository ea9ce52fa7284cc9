"""How one value is spelled in a file, and which fact it stands for.

Each codec has both directions side by side and a claim: `exact` codecs bring every value of their
domain back as it was; codecs that `fold` map several spellings to one fact, and the carry keeps
which one it was. A side that has nothing to say gives None.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from registry import engine
from registry.catalog import parse_ref
from registry.engine import Judge
from registry.gate import dump

Turn: TypeAlias = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Codec:
    """How is a value read into a fact, and how is the fact written back?

    `read` and `write` are None where the value is the fact.
    """

    name: str
    claim: Literal["exact", "folds"]
    read: Turn | None = None
    write: Turn | None = None


def _numbered(text: str) -> int | None:
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 18:
        return None
    number = int(text)
    return number if str(number) == text else None


def _whole(number: Any) -> int | None:
    if type(number) is int:
        return number  # of any size: a double may not hold it
    whole = type(number) is float and math.isfinite(number) and number == int(number)
    return int(number) if whole else None


def _from_zero(number: int) -> int:
    return number - 1


def _from_one(number: int) -> int | None:
    return number + 1 if number >= 0 else None


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return dump(value).decode()


def _strings(value: Any) -> tuple[str, ...] | None:
    return tuple(value) if all(isinstance(item, str) for item in value) else None


def _clamped(score: float) -> float:
    return min(max(score, 0), 1)


SAME = Codec("same", "exact")
"""The value is the fact."""

NUMBERED = Codec("numbered", "exact", read=str, write=_numbered)
"""An integer id; as a fact it is a text, as every id is."""

IDENTIFIER = Codec("identifier", "folds", read=_as_text)
"""An id that a file spells as text or as number; the fact is text."""

WHOLE = Codec("whole", "folds", read=_whole, write=_whole)
"""A whole number, which a file may spell 1 or 1.0; any other value says nothing."""

ORDINAL = Codec("ordinal", "exact", read=_from_zero, write=_from_one)
"""A number that counts from 1; as a fact it counts from 0."""

TEXT = Codec("text", "folds", read=_as_text)
"""A text; any other JSON value is read as its JSON."""

LIST = Codec("list", "exact", read=tuple, write=list)
"""A list; as a fact it is a tuple."""

STRINGS = Codec("strings", "folds", read=_strings, write=list)
"""A list of strings; a list of anything else says nothing."""

UNIT_SCORE = Codec("unit score", "folds", write=_clamped)
"""A score from 0 to 1; one outside is clamped when written."""


def fitting(ref: str, place: str) -> Codec:
    """A JSON value that other formats may hold in any shape: written where the schema takes it.

    `place` is the JSON Pointer, in the schema of version `ref`, of the part that describes it.
    """

    @cache
    def judge() -> Judge:
        return engine.judge(engine.part(parse_ref(ref).schema, place))

    return Codec("fitting", "folds", write=lambda value: value if judge()(value) else None)


def namespaced(source: str) -> Codec:
    """How does a tool spell kinds of checks that elsewhere are named `source:kind`?"""
    prefix = f"{source}:"
    return Codec(
        f"namespaced {source}",
        "folds",
        read=lambda kind: kind if ":" in kind else prefix + kind,
        write=lambda kind: kind.removeprefix(prefix),
    )


CODECS = (SAME, NUMBERED, IDENTIFIER, WHOLE, ORDINAL, TEXT, LIST, STRINGS, UNIT_SCORE)
