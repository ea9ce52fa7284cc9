"""Which generations does an attempt of garak's have? Its lists are columns, they are the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from registry.values import JSON, same

Entry = dict[str, Any]

GENERATIONS, SENT = "generations", "sent"
OWN = frozenset((GENERATIONS, SENT))
"""fields that only the document has"""

OUTPUTS = "outputs"
SCORES = "detector_results"
SCORED = "x-scored"
"""by number of a generation, its detectors, where they are not all, or in an order of their own"""

COLUMNS = {
    OUTPUTS: "output",
    "conversations": "conversation",
    "reverse_translation_outputs": "reverse_translation_output",
}
"""by list of an attempt, what its entries are called in a generation"""


def parted(attempt: Entry) -> Entry:
    """How does an attempt look whose generations say each what is theirs?"""
    if SCORED in attempt:
        rest = {key: value for key, value in attempt.items() if key != SCORED}
        found = _chosen(_parted(rest), attempt[SCORED])
        if same(joined(found), attempt):
            return found
    return _parted(attempt)


def _chosen(attempt: Entry, scored: JSON) -> Entry:
    """The attempt, with those scores alone that this says were given."""
    named = scored if isinstance(scored, dict) else {}
    rows = list(attempt[GENERATIONS])
    for number, row in enumerate(rows):
        names, scores = named.get(str(number)), row.get(SCORES, {})
        if isinstance(names, list):
            kept = {
                name: scores[name] for name in names if isinstance(name, str) and name in scores
            }
            rows[number] = {**row, SCORES: kept}
    return {**attempt, GENERATIONS: rows}


def _parted(attempt: Entry) -> Entry:
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
    given = [row.get(SCORES, {}) for row in rows]
    names = {name for scores in given for name in scores}
    if not names:
        return whole
    before = whole.get(SCORES, {})
    order = [*before, *(name for scores in given for name in scores if name not in before)]
    columns = {name: [scores.get(name) for scores in given] for name in order if name in names}
    own = {
        str(number): list(scores)
        for number, scores in enumerate(given)
        if list(scores) != list(columns)
    }
    whole[SCORES] = {**before, **columns}
    return {**whole, SCORED: own} if own else whole


def as_sent(attempt: Entry, sent: Entry) -> Entry:
    """What did an attempt say when it was sent?"""
    return {key: sent.get(key, value) for key, value in joined(attempt).items()}
