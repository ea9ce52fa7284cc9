"""What stands in for a required field that nothing is known of, and how it is known again.

A format's module lists its blanks in one literal table. Each one that is used is named in the slot,
and as long as it is unchanged it says nothing when the file is read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from converter.rows import Record
from registry.values import same, whole


@dataclass(frozen=True, slots=True)
class Blank:
    """What stands in for this field? Not wanted in records that have `unless`.

    A `numbered` one is the number of the case instead, so that no two cases get the same.
    """

    key: str
    value: Any
    unless: str | None = None
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Blanks:
    """What may stand in for required fields of any version's envelope, and of its records?"""

    run: tuple[Blank, ...] = ()
    record: tuple[Blank, ...] = ()


def fill(record: Record, blanks: Sequence[Blank], number: int = 0) -> tuple[Record, list[str]]:
    """How does the record of case `number` look with its required fields filled, and which were?"""
    missing = [one for one in blanks if one.key not in record and one.unless not in record]
    if not missing:
        return record, []
    filled = {**record, **{one.key: number if one.numbered else one.value for one in missing}}
    return filled, [one.key for one in missing]


def unedited(record: Record, filled: Iterable[str], blanks: Sequence[Blank]) -> list[str]:
    """Which of the fields that were filled in hold a blank still?"""
    return [
        key
        for key in filled
        if any(one.key == key and _is_blank(record.get(key), one) for one in blanks)
    ]


def _is_blank(value: Any, blank: Blank) -> bool:
    if blank.numbered:
        return type(value) is int
    return same(whole(value), whole(blank.value))


def without(record: Record, filled: Iterable[str], blanks: Sequence[Blank]) -> Record:
    """How does the record look without the blanks that were filled in and never edited?"""
    gone = unedited(record, filled, blanks)
    if not gone:
        return record
    return {key: value for key, value in record.items() if key not in gone}


def inherited(
    source: Record, filled: Iterable[str], target: Record, blanks: Sequence[Blank]
) -> list[str]:
    """Which blanks of a source does a version beside it have, too?"""
    return unedited(target, unedited(source, filled, blanks), blanks)
