"""L19: the digest ignores key order and whitespace, and nothing else."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from registry import gate
from registry.values import at, digest, leaves, same, unescape
from tests.registry import awkward


@st.composite
def reordered(draw: st.DrawFn) -> tuple[Any, Any]:
    """A value, and the same with its keys in other orders at every depth."""
    value = draw(awkward.with_nonfinite())
    return value, _reordered(draw, value)


def _reordered(draw: st.DrawFn, value: Any) -> Any:
    if isinstance(value, list):
        return [_reordered(draw, item) for item in value]
    if isinstance(value, dict):
        keys = draw(st.permutations(list(value)))
        return {key: _reordered(draw, value[key]) for key in keys}
    return value


@given(pair=reordered())
def test_l19_the_digest_ignores_key_order(pair: tuple[Any, Any]) -> None:
    value, other = pair
    assert digest(value) == digest(other)


@given(value=awkward.values())
def test_l19_the_digest_ignores_whitespace_and_spelling(value: Any) -> None:
    spelled = {digest(gate.load(text.encode())) for text in awkward.spellings(value)}
    assert spelled == {digest(value)}


@given(value=awkward.with_nonfinite(), other=awkward.with_nonfinite())
def test_l19_the_digest_tells_values_apart(value: Any, other: Any) -> None:
    assert (digest(value) == digest(other)) == same(value, other, key_order=False)


@given(value=awkward.with_nonfinite(), leaf=awkward.with_nonfinite(), data=st.data())
def test_l19_the_digest_sees_each_leaf(value: Any, leaf: Any, data: st.DataObject) -> None:
    place, before = data.draw(st.sampled_from(list(leaves(value))))
    assume(not same(before, leaf, key_order=False))
    assert digest(value) != digest(_with(value, place, leaf))


@given(value=awkward.with_nonfinite(), data=st.data())
def test_l19_the_digest_sees_a_key_or_an_entry_less(value: Any, data: st.DataObject) -> None:
    places = [place for place, _ in leaves(value) if place]
    assume(places)
    parent, _, token = data.draw(st.sampled_from(places)).rpartition("/")
    less = copy.deepcopy(value)
    holder = at(less, parent)
    del holder[int(token) if isinstance(holder, list) else unescape(token)]
    assert digest(value) != digest(less)


@given(items=st.lists(awkward.values(), min_size=2, max_size=4), data=st.data())
def test_l19_the_digest_sees_the_order_of_entries(items: list[Any], data: st.DataObject) -> None:
    other = data.draw(st.permutations(items))
    assert (digest(items) == digest(other)) == same(items, other, key_order=False)


def _with(value: Any, place: str, leaf: Any) -> Any:
    if not place:
        return leaf
    changed = copy.deepcopy(value)
    parent, _, token = place.rpartition("/")
    holder = at(changed, parent)
    holder[int(token) if isinstance(holder, list) else unescape(token)] = leaf
    return changed
