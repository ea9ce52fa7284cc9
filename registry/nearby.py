"""Which version almost fits a file that is of none, and what speaks for it?

A single odd record at the head of a file must not hide those behind it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from registry import detection, kinship, slices
from registry.errors import NotJson, UnknownFormat, UnknownVersion
from registry.lexemes import Nonfinite
from registry.slices import Index
from registry.text import Buffer
from registry.values import JSON

MANY = 100
"""How many records of a file of which the first tells nothing are looked at?"""


def near(data: Buffer, file: str, nonfinite: Nonfinite, *, lines: bool) -> str | None:
    """Which version is a file near to, in a sentence? None when it is to none.

    Raises NotJson where the file is none.
    """
    if lines:
        return _among(slices.index_lines(data, file=file, nonfinite=nonfinite))
    document = detection.glanced(data, file, nonfinite)
    if isinstance(document, list):
        return _among(slices.index(data, (), file=file, nonfinite=nonfinite))
    return _like(document)


def _among(index: Index) -> str | None:
    """Is any of the first records one of a version, or near to one?"""
    for number, record in _different(index):
        if (fits := _fitting(record)) is not None:
            return f"Record {number} is of {fits}, and the first is not."
        if (like := _like([record])) is not None:
            return like
    return None


def _different(index: Index) -> Iterator[tuple[int, JSON]]:
    """Which of the first records, counted from 1, have other fields than all before?"""
    seen: set[frozenset[str]] = set()
    for number in range(min(len(index), MANY)):
        with contextlib.suppress(NotJson):
            record = index.record(number, placed=False)
            names = frozenset(record if isinstance(record, dict) else ())
            if names not in seen:
                seen.add(names)
                yield number + 1, record


def _fitting(record: JSON) -> str | None:
    try:
        version = detection.detect(None, record, lines=True)
    except (UnknownFormat, UnknownVersion):
        return None
    return None if kinship.is_stranger(version, [record]) else version.ref


def _like(document: JSON) -> str | None:
    version = kinship.nearest(document)
    if version is None:
        return None
    return f"It is much like {version.ref}: the tool may have changed it."
