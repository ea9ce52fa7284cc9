"""How CTRF spells what others spell otherwise: outcomes, times, names, parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from converter.codecs import Codec
from converter.facts import Case, Verdict
from converter.rows import Record

SAID: Mapping[Verdict, tuple[str, str | None]] = {
    "passed": ("passed", None),
    "failed": ("failed", None),
    "skipped": ("skipped", None),
    "review": ("pending", "review"),
    "error": ("failed", "error"),
}
"""status, and the word for it that is more exact"""

EXACTLY: Mapping[tuple[str, str], Verdict] = {
    ("pending", "review"): "review",
    ("failed", "error"): "error",
    ("other", "error"): "error",
}
ROUGHLY: Mapping[str, Verdict] = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "skipped",
    "pending": "skipped",
    "other": "review",
}
PASSED = {"passed": True, "failed": False}
STATUS = {True: "passed", False: "failed", None: "other"}

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LONGEST = 253402300799999
"""milliseconds from 1970 to the end of the year 9999"""

INPUT, VARIABLES = "input", "variables"
UNNAMED = "unnamed"
TITLE = 80
"""characters of an input that stand for a case without a name"""


def verdict_of(status: str, word: Any) -> Verdict:
    """Which verdict has a test or attempt of this status, and of this word of the tool's own?"""
    exact = EXACTLY.get((status, word)) if isinstance(word, str) else None
    return ROUGHLY[status] if exact is None else exact


def _moment(milliseconds: float) -> str | None:
    if not 0 < milliseconds <= LONGEST or milliseconds != int(milliseconds):
        return None
    time = EPOCH + timedelta(milliseconds=int(milliseconds))
    spec = "milliseconds" if milliseconds % 1000 else "seconds"
    return time.isoformat(timespec=spec).replace("+00:00", "Z")


def _since(moment: str) -> int | None:
    try:
        time = datetime.fromisoformat(moment)
        since = (time if time.tzinfo else time.replace(tzinfo=UTC)) - EPOCH
    except (ValueError, OverflowError):
        return None
    return max(since // timedelta(milliseconds=1), 0)


def whole(milliseconds: float) -> int | None:
    """How many whole milliseconds are that? None of fewer than none."""
    if milliseconds < 0:
        return None
    if isinstance(milliseconds, int):
        return milliseconds  # of any size: a double may not hold it
    return round(milliseconds) if math.isfinite(milliseconds) else None


def _path(suites: Sequence[str]) -> str | None:
    return " > ".join(suites) if suites else None


def _suite(group: str) -> list[str]:
    return [group]


def _some(text: str) -> str | None:
    return text or None


MOMENT = Codec("moment", "folds", read=_moment, write=_since)
"""Milliseconds since 1970, 0 where nothing is known; facts are in ISO 8601."""

MILLISECONDS = Codec("milliseconds", "folds", write=whole)
"""Whole milliseconds."""

SUITE = Codec("suite", "folds", read=_path, write=_suite)
"""Suites from the outermost in; the fact is one text."""

SOME = Codec("some", "folds", write=_some)
"""A text that may not be empty."""


def parameters(case: Case) -> Record | None:
    """Which parameters say a case's variables, and its input beside them?"""
    variables = case.variables if isinstance(case.variables, dict) else None
    asked = {} if case.input is None else {INPUT: case.input}
    if variables is None:
        return asked or None
    if INPUT in variables or VARIABLES in variables or not variables:
        return {**asked, VARIABLES: variables}
    return {**asked, **variables}


def variables_of(given: Record | None) -> tuple[str | None, Any]:
    """Which input and which variables do these parameters say?"""
    if given is None:
        return None, None
    asked = given.get(INPUT)
    text = asked if isinstance(asked, str) else None
    if isinstance(given.get(VARIABLES), dict) and given.keys() <= {INPUT, VARIABLES}:
        return text, given[VARIABLES]
    rest = {key: value for key, value in given.items() if text is None or key != INPUT}
    return text, rest or None


def title(case: Case) -> str:
    """Which name has a test whose case has no description? It may not be empty."""
    return case.name or case.id or (case.input or "")[:TITLE] or UNNAMED
