"""Codecs for places where anything may stand, such as a tool's own metadata.

A value of another type than the fact's says nothing, and is carried.
"""

from __future__ import annotations

from typing import Any

from converter.codecs import Codec
from converter.rows import Record


def word(value: Any) -> str | None:
    """The value, if it is a text that says something."""
    return value if isinstance(value, str) and value else None


def _words(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return None
    return tuple(value)


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _number(value: Any) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def fields(value: Any) -> Record | None:
    """The value, if it is an object."""
    return value if isinstance(value, dict) else None


def _status(value: Any) -> str | None:
    return value if isinstance(value, str) and value in STATUSES else None


STATUSES = ("completed", "partial", "error")
"""what facts say of how a run ended"""

STATUS = Codec("status", "folds", read=_status)
"""One of those words; any other says nothing."""

WORD = Codec("word", "folds", read=word)
"""A text; an empty one says nothing."""

WORDS = Codec("words", "folds", read=_words, write=list)
"""A list of texts."""

FLAG = Codec("flag", "folds", read=_flag)
"""True or false."""

NUMBER = Codec("number", "folds", read=_number)
"""A number."""

COUNT = Codec("count", "folds", read=_count)
"""A whole number."""

FIELDS = Codec("fields", "folds", read=fields, write=fields)
"""An object, also among the facts."""
