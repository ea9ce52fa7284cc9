"""What stands in for a required field that nothing is known of, and how it is known again.

A format's module lists its blanks in one literal table. Each one that is used is named in the slot,
and as long as it is unchanged it says nothing when the file is read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from converter.rows import Record
from registry.values import same


@dataclass(frozen=True, slots=True)
class Blank:
    """What stands in for this field? Not wanted in records that have `unless`."""

    key: str
    value: Any
    unless: str | None = None


def fill(record: Record, blanks: Sequence[Blank]) -> tuple[Record, list[str]]:
    """How does the record look with its required fields filled, and which had to be?"""
    missing = [one for one in blanks if one.key not in record and one.unless not in record]
    if not missing:
        return record, []
    filled = {**record, **{one.key: one.value for one in missing}}
    return filled, [one.key for one in missing]


def without(record: Record, filled: Iterable[str], blanks: Sequence[Blank]) -> Record:
    """How does the record look without the blanks that were filled in and never edited?"""
    values = {one.key: one.value for one in blanks}
    gone = {key for key in filled if key in values and same(record.get(key), values[key])}
    if not gone:
        return record
    return {key: value for key, value in record.items() if key not in gone}
