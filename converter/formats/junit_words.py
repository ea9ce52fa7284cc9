"""How JUnit XML spells what others spell otherwise: all is text, of characters that XML has."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from converter.codecs import Codec
from converter.facts import Verdict
from converter.loose import word
from registry.errors import NotJson
from registry.gate import decode
from registry.xml import speakable

VERDICTS: Mapping[str, Verdict] = {
    **dict.fromkeys(("error", "flakyError", "rerunError"), "error"),
    **dict.fromkeys(("failure", "flakyFailure", "rerunFailure"), "failed"),
    "skipped": "skipped",
}
"""what an element in a test says of it; where there are several, the first of these counts"""

TAGS: Mapping[Verdict | None, str] = {
    "failed": "failure",
    "error": "error",
    "skipped": "skipped",
    "review": "skipped",
    None: "skipped",
}
"""which element says a verdict? None says that the test passed"""

TYPES: Mapping[Verdict | None, str] = {"review": "review", None: "unknown"}
"""the type of the element of a test that was not skipped, but is undecided, or not judged"""

LONGEST = 40
"""characters of a number of seconds that are read"""


def _milliseconds(text: str) -> float | None:
    if len(text) > LONGEST:
        return None
    try:
        exact = Decimal(text.replace(",", "")) * 1000
    except InvalidOperation:
        return None
    if not exact.is_finite() or exact < 0 or exact.adjusted() > LONGEST:
        return None
    return int(exact) if exact == exact.to_integral_value() else float(exact)


def seconds(milliseconds: float) -> str | None:
    """How many seconds are that? None of fewer than none, or of more than anybody waits."""
    if not 0 <= milliseconds <= 10**LONGEST:
        return None
    exact = (Decimal(repr(milliseconds)) / 1000).normalize()
    return format(exact, "f")


def _said(text: str) -> str | None:
    return speakable(text) or None


def _parsed(fits: Callable[[Any], bool]) -> Callable[[str], Any]:
    def parsed(text: str) -> Any:
        try:
            value = decode(text.encode("utf-8", "surrogatepass"))
        except NotJson:
            return None
        return value if fits(value) else None

    return parsed


def _spelled(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _of(name: str, fits: Callable[[Any], bool]) -> Codec:
    """A property whose text is the JSON of a value; any other text says nothing."""
    return Codec(name, "folds", read=_parsed(fits), write=_spelled)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _words(text: str) -> tuple[str, ...] | None:
    found = _LISTED(text)
    return None if found is None else tuple(found)


_LISTED = _parsed(_is_words)

SECONDS = Codec("seconds", "folds", read=_milliseconds, write=seconds)
"""Seconds as a text, perhaps with commas between thousands; facts are in milliseconds."""

SAID = Codec("said", "folds", read=word, write=_said)
"""A text that is not empty, with U+FFFD for what XML can't say."""

NUMBER = _of("number", _is_number)
COUNT = _of("count", lambda value: isinstance(value, int) and not isinstance(value, bool))
FLAG = _of("flag", lambda value: isinstance(value, bool))
FIELDS = _of("fields", lambda value: isinstance(value, dict))
WORDS = Codec(
    "words",
    "folds",
    read=_words,
    write=lambda words: _spelled(list(words)),
)
"""A list of texts, as JSON."""
