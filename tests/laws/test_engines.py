"""L18: all engines say the same, of fixtures also with each value in them changed or gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from referencing import Registry

from evalglot.testing.fields import KINDS
from registry import engine
from registry.catalog import parse_ref
from registry.values import at, escape, unescape
from tests.registry import samples
from tests.strategies import schemas

FILES = samples.files("valid") + samples.files("invalid")
MADE: tuple[Callable[[Any], Callable[[Any], bool]], ...] = (
    engine.plain_judge,
    engine.judge,
    lambda schema: Draft7Validator(schema, registry=Registry()).is_valid,
)
"""With the extra `fast`, as here, the second is jsonschema-rs first."""


def _agreed(schema: Any) -> Callable[[Any], bool]:
    """Which function says whether all engines say the same of a value?"""
    judges = [make(schema) for make in MADE]
    return lambda value: len({keeps(value) for keeps in judges}) == 1


@cache
def _engines(ref: str, judging: str) -> Callable[[Any], bool]:
    return _agreed(engine.part(parse_ref(ref).schema, judging))


@contextmanager
def _held(value: Any, place: str) -> Iterator[tuple[Any, Any]]:
    """What holds the value at a place, and under which key? All is as it was afterwards."""
    parent, _, token = place.rpartition("/")
    holder = at(value, parent)
    key = int(token) if isinstance(holder, list) else unescape(token)
    kept = holder.copy()
    try:
        yield holder, key
    finally:
        holder.clear()
        (holder.extend if isinstance(holder, list) else holder.update)(kept)


def _another(item: Any, turn: int) -> Any:
    """A value of another type than the item's: of the next one, turn by turn."""
    others = [value for value in KINDS.values() if type(value) is not type(item)]
    return others[turn % len(others)]


def _nodes(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every value inside of one, and where."""
    for key in _keys(value):
        where = f"{place}/{escape(str(key))}"
        yield where, value[key]
        yield from _nodes(value[key], where)


def _keys(value: Any) -> list[Any]:
    """The keys or positions in a value; none in a scalar."""
    if isinstance(value, dict):
        return list(value)
    return list(range(len(value))) if isinstance(value, list) else []


@pytest.mark.parametrize("ref", samples.REFS)
def test_l18_engines_agree_on_every_fixture_with_each_value_changed_or_gone(ref: str) -> None:
    """Values at like places, of like type, among like neighbours, count as one."""
    seen = set()
    for path in FILES:
        for _, judging, value in samples.parts(path) if samples.ref_of(path) == ref else ():
            agreed = _engines(ref, judging)
            assert agreed(value), path
            for turn, (place, item) in enumerate(list(_nodes(value))):
                with _held(value, place) as (holder, key):
                    like = (judging, samples.starred(place), type(item), str(sorted(_keys(holder))))
                    if like in seen:
                        continue
                    seen.add(like)
                    holder[key] = _another(item, turn)
                    assert agreed(value), f"{path}: {place} is {holder[key]}"
                    del holder[key]
                    assert agreed(value), f"{path}: {place} is gone"


@given(schema=schemas.schemas(), data=st.data())
def test_l18_engines_agree_on_any_schema_of_the_subset(schema: Any, data: st.DataObject) -> None:
    agreed = _agreed(schema)
    for _ in range(4):
        value = data.draw(schemas.documents(schema))
        assert agreed(value), value
        for turn, (place, item) in enumerate(list(_nodes(value))[:4]):
            with _held(value, place) as (holder, key):
                holder[key] = _another(item, turn)
                assert agreed(value), f"{place} is {holder[key]}"
