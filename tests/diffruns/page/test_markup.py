"""No text can be anything but text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffruns.renderers.page.markup import tag, together, visible

UNSEEN = ["\u202e", "\u2066", "\u200b", "\u2028", "\x1b", "\x00", "\ud83d", "\U000e0041", "\ufeff"]


@pytest.mark.parametrize("unseen", UNSEEN)
def test_what_is_unseen_is_told(unseen: str) -> None:
    assert visible(f"a{unseen}b") == f"a{visible(unseen)}b"
    assert visible(unseen).isascii()
    assert visible(unseen).startswith("\\")


@pytest.mark.parametrize(
    "text", ["tab\tand\nline", "é ü 漢字 العربية", "👩\u200d🔬", "std::vector"]
)
def test_what_is_seen_stays(text: str) -> None:
    assert visible(text) == text


def test_line_ends_are_as_browsers_have_them() -> None:
    assert visible("a\r\nb") == "a\nb"


@given(st.text(st.characters()))
def test_telling_twice_changes_nothing(text: str) -> None:
    once = visible(text)
    assert visible(once) == once
    once.encode("utf-8")


@given(st.text(), st.text())
def test_texts_and_attributes_stay_inside(text: str, value: str) -> None:
    told = tag("p", text, title=value)
    assert told.count("<") == told.count(">") == 2
    assert told.count('"') == 2 + text.count('"') * 0


def test_children_may_be_nested_or_nothing() -> None:
    assert together("a", None, ["<", [tag("b", "c")]]) == "a&lt;<b>c</b>"


def test_attributes_that_are_not_said_are_left_out() -> None:
    assert tag("input", type="text", hidden=False, value=None) == '<input type="text">'
