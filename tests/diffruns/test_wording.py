"""Which words of a text changed: nothing is lost on either side, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffruns.wording import LONGEST, word_changes

TEXTS = st.text(alphabet="ab .\n\ud83dé", max_size=40)


def joined(a: str, b: str) -> tuple[str, str]:
    pieces = word_changes(a, b)
    return (
        "".join(piece.text for piece in pieces if piece.kind != "new"),
        "".join(piece.text for piece in pieces if piece.kind != "gone"),
    )


@given(TEXTS, TEXTS)
def test_the_pieces_make_up_both_texts(a: str, b: str) -> None:
    assert joined(a, b) == (a, b)


@given(TEXTS)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert {piece.kind for piece in word_changes(text, text)} <= {"same"}


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        ("no cash", "no cash today", "no cash+ today+"),
        ("refund: yes.", "refund: no.", "refund: -yes-+no+."),
        ("", "new", "+new+"),
        ("one\ntwo", "one two", "one-\n-+ +two"),
    ],
)
def test_words_are_told_apart(a: str, b: str, told: str) -> None:
    marks = {"same": "", "gone": "-", "new": "+"}
    shown = [marks[piece.kind] + piece.text + marks[piece.kind] for piece in word_changes(a, b)]
    assert "".join(shown) == told


def test_what_follows_very_many_words_is_told_as_one() -> None:
    a, b = "x " * LONGEST, "x " * LONGEST + "y"
    assert joined(a, b) == (a, b)
    assert len(word_changes(a, b)) <= 3
