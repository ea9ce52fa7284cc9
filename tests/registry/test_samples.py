"""Small documents made from a schema: the least that it accepts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from registry.engine import plain_judge
from registry.samples import FRESH, matching, planted, replaced, smallest
from registry.shapes import Shape
from tests.registry import samples
from tests.strategies import schemas


@pytest.mark.parametrize("version", samples.VERSIONS, ids=lambda version: version.ref)
def test_the_smallest_document_of_a_version_is_valid(version: Any) -> None:
    assert plain_judge(version.schema)(smallest(version.schema))


@given(schema=schemas.schemas())
def test_the_smallest_value_is_valid_where_one_is_found(schema: Any) -> None:
    try:
        value = smallest(schema)
    except LookupError:
        return
    assert plain_judge(schema)(value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({}, None),
        ({"type": "integer", "minimum": 3}, 3),
        ({"type": "number", "minimum": 0.25, "maximum": 0.5}, 0.25),
        ({"type": "string", "minLength": 2}, "aa"),
        ({"type": "string", "pattern": "^[a-z-]+@[0-9.]+$"}, "a@0"),
        ({"type": "array", "items": {"type": "string"}}, []),
        ({"enum": [3, "a"], "type": "string"}, "a"),
        (
            {"type": "object", "properties": {"a": {}, "b": {"const": 1}}, "required": ["b"]},
            {"b": 1},
        ),
        ({"type": "object", "anyOf": [{"required": ["a"]}]}, {"a": None}),
    ],
)
def test_the_smallest_value_is_small(schema: Any, value: Any) -> None:
    assert smallest(schema) == value


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "const": 1},
        {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]},
        {"type": "integer", "minimum": 2, "maximum": 1},
    ],
)
def test_what_nothing_keeps_to_has_no_smallest_value(schema: Any) -> None:
    with pytest.raises(LookupError):
        smallest(schema)


def test_a_value_is_planted_where_the_place_leads() -> None:
    row = {"type": "object", "properties": {"score": {"enum": [7]}}, "required": ["id"]}
    schema = {"type": "object", "properties": {"rows": {"type": "array", "items": row}}}
    found = list(planted([Shape.of(schema, schema)], ["rows", "*", "score"]))
    assert found[:2] == [{"rows": [{"id": None}]}, {"rows": [{"id": None, "score": 7}]}]


def test_a_value_is_replaced_at_each_place_that_fits() -> None:
    document = {"rows": [{"a": 1}, {"a": 2}]}
    assert list(replaced(document, ["rows", "*", "a"], 3)) == [
        {"rows": [{"a": 3}, {"a": 2}]},
        {"rows": [{"a": 1}, {"a": 3}]},
    ]
    assert list(replaced({}, ["*"], 3)) == [{FRESH: 3}]
    assert document == {"rows": [{"a": 1}, {"a": 2}]}


def test_texts_that_match_are_found_or_not() -> None:
    assert matching("^a+$")[0] == "a"
    assert matching("^$") == ("",)
    assert matching("^[a-z]{9}$") == ()
