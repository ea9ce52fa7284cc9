"""Structures held as they are, or in a file; and what is said where that can't be written."""

from __future__ import annotations

import errno
import io
import tempfile

import pytest

from diffruns import kept
from diffruns.entries import Entry
from diffruns.kept import Kept, NoRoom
from registry import helping
from tests.diffruns.making import attempt, entry

CASES = [entry([attempt("passed", score=number / 3)], case=str(number)) for number in range(10)]


@pytest.mark.parametrize("few", [0, 3, 10, 11])
def test_what_is_kept_is_there_in_order_whatever_is_held_as_it_is(few: int) -> None:
    held = Kept(Entry, few).extend(CASES)
    assert (len(held), [*held], held[-1], held[2:4]) == (10, CASES, CASES[-1], CASES[2:4])
    assert isinstance(held.frozen(), tuple) is (few >= len(CASES))


@pytest.mark.parametrize("few", [0, 5, 20])
def test_some_may_be_picked_and_more_added_in_between(few: int) -> None:
    held = Kept(Entry, few).extend(CASES[:6])
    assert held[5] == CASES[5]
    held.extend(CASES[6:])
    held.pick([9, 0, 4])
    assert [*held] == [CASES[9], CASES[0], CASES[4]]


def test_nothing_kept_is_nothing_read() -> None:
    assert [*Kept(Entry, 0)] == [*Kept(Entry, 1)] == []


@pytest.mark.parametrize("few", [0, 100])
def test_what_a_helper_writes_is_held_here(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "FEW", few)
    if not helping.POSSIBLE:
        pytest.skip("processes can't be copied here")
    held = Kept(Entry, 0)
    with helping.helpers([lambda: held.extend(CASES).written()]) as (helper,):
        held.adopt(helper.result())
    assert [*held] == CASES


def test_no_room_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.BytesIO):
        def write(self, told: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Full())
    with pytest.raises(NoRoom, match=r"No space left on device.*TMPDIR"):
        Kept(Entry, 0).append(CASES[0])
