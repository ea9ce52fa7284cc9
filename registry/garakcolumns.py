"""Which generations does an attempt of garak's have? Its lists are columns, they are the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from registry.values import JSON

Entry = dict[str, Any]

GENERATIONS, SENT = "generations", "sent"
OWN = frozenset((GENERATIONS, SENT))
"""fields that only the document has"""

OUTPUTS = "outputs"
SCORES = "detector_results"
COLUMNS = {
    OUTPUTS: "output",
    "conversations": "conversation",
    "reverse_translation_outputs": "reverse_translation_output",
}
"""by list of an attempt, what its entries are called in a generation"""


def parted(attempt: Entry) -> Entry:
    """How does an attempt look whose generations say each what is theirs?"""
    outputs = attempt.get(OUTPUTS)
    length = len(outputs) if isinstance(outputs, list) else 0
    rows: list[Entry] = [{} for _ in range(length)]
    left = {key: _taken(key, value, rows) for key, value in attempt.items()}
    return {**left, GENERATIONS: rows}


def _taken(key: str, value: JSON, rows: Sequence[Entry]) -> JSON:
    """What remains of a field of which each generation takes its part?"""
    if key in COLUMNS and _fits(value, rows):
        for row, one in zip(rows, value, strict=True):
            row[COLUMNS[key]] = one
        return []
    if key != SCORES or not isinstance(value, dict):
        return value
    for name, scores in value.items():
        if _fits(scores, rows):
            for row, score in zip(rows, scores, strict=True):
                row.setdefault(SCORES, {})[name] = score
    return {name: [] if _fits(scores, rows) else scores for name, scores in value.items()}


def _fits(value: JSON, rows: Sequence[Entry]) -> bool:
    return isinstance(value, list) and len(value) == len(rows) > 0


def joined(attempt: Entry) -> Entry:
    """How does the report say an attempt with these generations?"""
    rows = attempt.get(GENERATIONS, ())
    whole = {key: value for key, value in attempt.items() if key not in OWN}
    for key, name in COLUMNS.items():
        if any(name in row for row in rows):
            whole[key] = [row.get(name) for row in rows]
    names = dict.fromkeys(name for row in rows for name in row.get(SCORES, ()))
    if names:
        scores = {name: [row.get(SCORES, {}).get(name) for row in rows] for name in names}
        whole[SCORES] = {**whole.get(SCORES, {}), **scores}
    return whole


def as_sent(attempt: Entry, sent: Entry) -> Entry:
    """What did an attempt say when it was sent?"""
    return {key: sent.get(key, value) for key, value in joined(attempt).items()}
