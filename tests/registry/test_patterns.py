"""Which patterns are refused: those that may take forever, and those that engines read apart."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from registry.patterns import fault


@pytest.mark.parametrize(
    "pattern",
    [
        "^[a-z-]+@[0-9.]+$",
        "a|b",
        "(ab)*",
        "(?:ab)+?",
        "(a|b)?",
        "(a+)?",
        "(a+)??",
        "(a|b){0,1}",
        r"[\]\\(+]+x",
        "[]a(]*(b)",
        r"\(a\)+",
        "a{2,}",
    ],
)
def test_plain_pattern_passes(pattern: str) -> None:
    assert fault(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("(a+)+", "a group with repeats or alternatives in it, repeated by +"),
        ("((a+))*?", "a group with repeats or alternatives in it, repeated by *?"),
        ("(a|a)*", "a group with repeats or alternatives in it, repeated by *"),
        ("(a?b){2,}", "a group with repeats or alternatives in it, repeated by {2,}"),
        (r"(a)\1", "the reference back \\1"),
        ("(?=a)b", "the group (?=a"),
        ("(?P<x>a)", "the group (?P<x>a"),
        ("(?i)a", "the group (?i"),
        ("a++", "the repeat ++, which few engines know"),
        (r"\d", "\\d, which engines read differently"),
        (r"[\w-]", "\\w, which engines read differently"),
    ],
)
def test_pattern_is_refused_with_what_is_wrong(pattern: str, found: str) -> None:
    wrong = fault(pattern)
    assert wrong is not None
    assert wrong[0] == found


@pytest.mark.filterwarnings("ignore::FutureWarning")  # "[[" may mean more one day
@given(st.text(alphabet="ab(|)*+?{2,}[]\\^$.:<=1d", max_size=12), st.integers(10, 24))
def test_what_passes_is_quick_and_nothing_crashes(pattern: str, length: int) -> None:
    """A pattern that takes twice as long for each letter more would not end."""
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError):
        assume(False)
    if fault(pattern) is None:
        for letter in "ab":
            compiled.search(letter * length * 4 + "!")
