"""Do the figures in a file agree with a recount? One module for each format, record by record.

Only counters and ids are kept of a record. A file keeps to its schema before it is recounted, so a
field that is there has the type that the schema gives it; a number may still be of any size.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Protocol, TypeGuard

import msgspec

from registry import rules
from registry.findings import Finding
from registry.values import JSON

LONGEST = 60
"""How many characters of a value are shown?"""

MOST_BITS = 10_000
"""How long is an integer that is written out? Python refuses to write much longer ones."""

LEAST_DIGITS = 2
"""A rounded figure is taken to have this many digits after the point, at least."""

MOST_DIGITS = 17
"""More do not tell doubles apart."""

EXACT = 1e-9
"""By how much may two sums of the same doubles differ?"""


class Frame(msgspec.Struct, frozen=True):
    """What is around the records of a document that is recounted?"""

    version: str
    envelope: JSON
    """The document without its records; None for JSON Lines."""
    place: str
    """The JSON Pointer to the records."""
    converted: bool = False
    """Does it carry what another format says? Ids and places may be stand-ins then."""


class Recounter(Protocol):
    """One document as it is recounted."""

    def record(self, record: JSON, number: int) -> Iterable[Finding]:
        """What is wrong with the record of this number, from 0, alone or beside earlier ones?"""
        ...

    def end(self) -> Iterable[Finding]:
        """What is wrong with the figures around the records, now that all have come?"""
        ...


def told(rule: str, place: str, found: str, expected: str = "", because: str = "") -> Finding:
    """Which finding tells that a rule is broken? With a reason why it may be, it is a warning."""
    return Finding(
        rule=rule,
        severity="warning" if because else rules.rule(rule).severity,
        found=found,
        expected=expected,
        note=because and f"{because}.",
        pointer=place,
    )


def shown(value: JSON) -> str:
    """How is a scalar shown? Never more than its beginning."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return "an integer of thousands of digits"
    text = json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def is_number(value: JSON) -> TypeGuard[int | float]:
    """Is it a number, of any size, and no truth value?"""
    return type(value) in (int, float)


def within_digits(stated: JSON, exact: float) -> bool:
    """Is a figure the exact one, rounded to the digits in which it is written?"""
    if not is_number(stated) or not _finite(stated):
        return False
    try:
        gap = abs(stated - exact)
    except OverflowError:  # an integer that no double holds
        return False
    digits = min(max(_digits(stated), LEAST_DIGITS), MOST_DIGITS)
    return bool(gap <= 0.5 * 10.0**-digits + EXACT)


def _digits(stated: float) -> int:
    """With how many digits after the point is a figure written?"""
    mantissa, _, exponent = repr(stated).partition("e")
    return len(mantissa.partition(".")[2]) - int(exponent or 0)


def _finite(value: float) -> bool:
    return isinstance(value, int) or math.isfinite(value)


def share(part: JSON, whole: JSON) -> float | None:
    """Which share of the whole is the part? None where that is no number."""
    try:
        return float(part / whole)
    except (TypeError, ZeroDivisionError, OverflowError):
        return None


def counted(count: int, one: str, many: str = "") -> str:
    """How is a number of things said?"""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
