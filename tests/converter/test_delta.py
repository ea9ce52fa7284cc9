from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from converter.delta import Applied, diff
from converter.faces import marked
from converter.seals import seal
from registry import limits
from registry.errors import BadCarry
from registry.values import same
from tests.registry.awkward import values


def applied(old: Any, new: Any, edited: Any) -> tuple[Any, list[str]]:
    """What becomes of `edited` under the delta from old to new, and what was stale?"""
    node = diff(old, new)
    how = Applied()
    return (edited if node is None else how.apply(edited, node)), how.stale


@given(values(), values())
def test_a_delta_makes_the_old_value_the_new_one(old: Any, new: Any) -> None:
    result, stale = applied(old, new, old)
    assert same(result, new)
    assert stale == []


@given(values())
def test_the_same_value_has_no_delta(value: Any) -> None:
    assert diff(value, value) is None


PAIRS = {
    "true is not 1": (True, 1),
    "1 is not 1.0": (1, 1.0),
    "minus zero is another zero": (0.0, -0.0),
    "null is not absent": ({"a": None}, {}),
    "empty object is not absent": ({}, {"a": {}}),
    "key order counts": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "a key in the middle": ({"a": 1, "c": 3}, {"a": 1, "b": 2, "c": 3}),
    "keys swapped and one added": ({"a": 1, "b": 2}, {"b": 2, "x": 0, "a": 1}),
    "odd keys": ({"": 1}, {"a/b~c": 1, "__proto__": {}}),
    "list grows in the middle": ([{"t": "u"}, {"t": "g"}], [{"t": "u"}, {"t": "x"}, {"t": "g"}]),
    "list shrinks": ([1, 2, 3], [3]),
    "object becomes list": ({"a": 1}, [1]),
}


@pytest.mark.parametrize(("old", "new"), PAIRS.values(), ids=PAIRS.keys())
def test_differences_that_are_easily_missed(old: Any, new: Any) -> None:
    assert diff(old, new) is not None
    assert same(applied(old, new, old)[0], new)


EDITS = {
    "replaced value": ({"a": 1}, {"a": 2}, {"a": 3}, {"a": 3}),
    "added key is there now": ({}, {"a": 1}, {"a": 2}, {"a": 2}),
    "dropped key has another value": ({"a": 1}, {}, {"a": 2}, {"a": 2}),
    "changed object is gone": ({"a": {"b": 1}}, {"a": {"b": 2}}, {}, {}),
    "list has another length": ({"a": [1]}, {"a": [2]}, {"a": [1, 5]}, {"a": [1, 5]}),
    "object became a text": ({"a": {"b": 1}}, {"a": {"b": 2}}, {"a": "x"}, {"a": "x"}),
}


@pytest.mark.parametrize(("old", "new", "edited", "kept"), EDITS.values(), ids=EDITS.keys())
def test_an_edit_wins_and_is_told(old: Any, new: Any, edited: Any, kept: Any) -> None:
    result, stale = applied(old, new, edited)
    assert same(result, kept)
    assert len(stale) == 1


@pytest.mark.parametrize("new", [None, {"a": [None]}, {}])
def test_a_whole_number_that_was_written_again_is_not_edited(new: Any) -> None:
    result, stale = applied({"a": [0.0, 1e20]}, new, {"a": [0, 10**20]})
    assert same(result, new)
    assert stale == []


SHORT = [{"name": "a", "n": 1}, {"name": "b", "n": 2}]
FULL = [{"name": "a", "n": 1, "said": "x"}, {"name": "b", "n": 2, "said": "y"}]


@pytest.mark.parametrize(
    ("edited", "kept"),
    [
        ([{"name": "b", "n": 5}], [{"name": "b", "n": 5, "said": "y"}]),
        ([SHORT[1], SHORT[0]], [FULL[1], FULL[0]]),
        ([{"name": "new"}, *SHORT], [{"name": "new"}, *FULL]),
        ([SHORT[0], {"name": "c"}], [FULL[0], {"name": "c", "said": "y"}]),
        ([SHORT[0], SHORT[0], SHORT[1]], [FULL[0], SHORT[0], FULL[1]]),
    ],
    ids=["one less", "another order", "one more", "one renamed", "one twice"],
)
def test_elements_told_by_their_texts_keep_what_is_theirs(edited: Any, kept: Any) -> None:
    node = marked(diff(SHORT, FULL), SHORT)
    assert same(Applied().apply(edited, node), kept)


USAGE = ({"by id": {"calls": 3}, "z": 1}, {"z": 1, "name": {"calls": 3, "cached": 0}})


@pytest.mark.parametrize(
    ("edited", "kept", "stale"),
    [
        ({"by id": {"calls": 7}, "z": 1}, {"z": 1, "name": {"calls": 7, "cached": 0}}, []),
        ({"other": {"calls": 3}, "z": 1}, {"other": {"calls": 3}, "z": 1}, ["/by id"]),
        (
            {"name": {"calls": 5}, "by id": {"calls": 3}, "z": 1},
            {"name": {"calls": 5}, "by id": {"calls": 3}, "z": 1},
            ["/by id"],
        ),
    ],
    ids=["an edit within", "its key was edited", "both are there"],
)
def test_an_object_with_another_key_is_still_that_object(
    edited: Any, kept: Any, stale: list[str]
) -> None:
    result, told = applied(*USAGE, edited)
    assert same(result, kept)
    assert told == stale


def test_an_edit_elsewhere_leaves_the_rest_to_the_delta() -> None:
    result, stale = applied({"a": 1, "b": 1}, {"a": 2, "b": 1, "c": 3}, {"a": 1, "b": 9})
    assert same(result, {"a": 2, "b": 9, "c": 3})
    assert stale == []


def test_an_edit_of_the_shorter_lists_last_element_reaches_the_longer_ones_last() -> None:
    old = [{"type": "user", "text": "hi"}, {"type": "agent", "text": "bye"}]
    new = [old[0], {"type": "agent", "text": "hm"}, {"type": "agent", "text": "bye", "ms": 3}]
    edited = [old[0], {"type": "agent", "text": "BYE"}]
    result, _ = applied(old, new, edited)
    assert same(result, [new[0], new[1], {"type": "agent", "text": "BYE", "ms": 3}])


DAMAGED = [
    "text",
    [],
    {"in": []},
    {"in": {"a": 1}},
    {"add": [[0, "x"]]},
    {"add": [[-1, "x", 1]]},
    {"add": [["0", "x", 1]]},
    {"add": [[10**30, "x", 1]]},
    {"drop": ["a"]},
    {"in": {"c": {"at": {}, "of": 1, "by": []}}},
    {"in": {"c": {"at": {}, "of": 1, "by": [1]}}},
    {"as": [[0, "x"]]},
    {"as": [[0, "x", 1]]},
    {"order": "ab"},
    {"=": [1]},
    {"what": 1},
]


@pytest.mark.parametrize("node", DAMAGED, ids=str)
def test_what_is_no_delta_is_refused(node: Any) -> None:
    with pytest.raises(BadCarry, match="carry is damaged"):
        Applied().apply({"a": {"b": 1}, "c": [1]}, node)


def test_a_place_beyond_all_lists_is_refused() -> None:
    with pytest.raises(BadCarry, match="carry is damaged"):
        Applied().apply([1], {"put": [[10**30, 2]], "of": 1})


def test_a_delta_nested_too_deep_is_refused() -> None:
    value: Any = 0
    node: Any = {"=": [seal(0), 1]}
    for _ in range(limits.MAX_CARRY_DEPTH + 2):
        value, node = {"a": value}, {"in": {"a": node}}
    with pytest.raises(BadCarry):
        Applied().apply(value, node)


def test_a_carry_that_brings_in_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_CARRY_VALUES", 3)
    node = {"add": [[at, str(at), at] for at in range(3)]}
    assert len(Applied().apply({}, node)) == 3
    node["add"].append([3, "3", 3])
    with pytest.raises(BadCarry, match="more than 3 values"):
        Applied().apply({}, node)
