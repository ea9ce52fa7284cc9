"""A function made for certain keys finds the delta that is found for any."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter import delta, deltacode, seals
from converter.deltacode import Differs
from registry.values import same
from tests.registry import awkward

OBJECTS = st.dictionaries(awkward._KEYS | st.sampled_from("abcd"), awkward.values(), max_size=5)


@given(old=OBJECTS, new=OBJECTS, data=st.data())
def test_it_finds_the_same_delta(
    old: dict[str, Any], new: dict[str, Any], data: st.DataObject
) -> None:
    new |= {key: old[key] for key in data.draw(st.sets(st.sampled_from([*old] or ["a"]))) & {*old}}
    new = dict(data.draw(st.permutations(list(new.items()))))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(deltacode, "WORTH", 1)
        differ = Differs(delta.diff, seals.seal, delta.rename).find(old, new)
    assert differ is not None
    found = differ(old, new)
    assert same(found, delta._diff_members(old, new))
    if found is not None:
        assert same(delta.Applied().apply(old, found), new)


def test_one_is_made_when_it_is_worth_while_and_not_for_everything() -> None:
    differs = Differs(delta.diff, seals.seal, delta.rename)
    few: dict[str, Any] = {"a": 1}
    assert not any(differs.find(few, few) for _ in range(deltacode.WORTH - 1))
    assert differs.find(few, few) is differs.find(few, few) is not None
    many = dict.fromkeys(map(str, range(deltacode.MOST_KEYS)))
    assert not any(differs.find(many, many) for _ in range(deltacode.WORTH * 2))
    for at in range(deltacode.MOST_SHAPES):
        differs.find({str(at): 1}, few)
    late: dict[str, Any] = {"late": 1}
    assert not any(differs.find(late, late) for _ in range(deltacode.WORTH * 2))
