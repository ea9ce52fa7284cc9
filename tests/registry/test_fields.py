"""Which fields a schema names, forms and references resolved."""

from __future__ import annotations

from typing import Any

import pytest

from registry.catalog import catalog
from registry.fields import Field, fields
from tests.registry import samples


def _told(schema: Any) -> list[tuple[str, tuple[str, ...], str]]:
    return [(one.pointer, one.types, one.required) for one in fields(schema)]


def test_entries_and_unnamed_fields_are_a_star() -> None:
    schema = {
        "properties": {
            "a/b": {"type": "array", "items": {"type": "string"}},
            "c": {"type": "object", "additionalProperties": {"type": "integer"}},
        },
        "required": ["c"],
    }
    assert _told(schema) == [
        ("/a~1b", ("array",), "no"),
        ("/a~1b/*", ("string",), "no"),
        ("/c", ("object",), "yes"),
        ("/c/*", ("integer",), "no"),
    ]


def test_field_that_some_forms_require_says_so() -> None:
    one = {"properties": {"a": {"type": "string"}, "b": {}}, "required": ["a", "b"]}
    other = {"properties": {"a": {"type": "null"}}, "required": ["a"]}
    assert _told({"anyOf": [one, other]}) == [("/a", ("null", "string"), "yes"), ("/b", (), "some")]


def test_recursive_shape_is_shown_once() -> None:
    node = {"properties": {"child": {"$ref": "#/definitions/node"}}}
    schema = {"definitions": {"node": node}, "$ref": "#/definitions/node"}
    assert _told(schema) == [("/child", ("object",), "no")]


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"const": True}, "true"),
        ({"enum": ["a", 1]}, 'one of "a", 1'),
        ({"minimum": 0, "maximum": 1}, "0 to 1"),
        ({"minimum": 0}, "at least 0"),
        ({"maximum": 1}, "at most 1"),
        ({"minLength": 1}, "at least 1 characters"),
        ({"pattern": "^a"}, "fits ^a"),
        ({"anyOf": [{"const": 1}, {"const": 2}]}, "1; 2"),
    ],
)
def test_limits_are_told(schema: Any, said: str) -> None:
    assert fields({"properties": {"a": schema}})[0].allowed == said


def test_description_is_the_field_s_own_or_that_of_its_shape() -> None:
    schema = {"definitions": {"d": {"description": "x"}}, "properties": {}}
    schema["properties"] = {"a": {"$ref": "#/definitions/d"}, "b": {"description": "y"}}
    assert [one.description for one in fields(schema)] == ["x", "y"]


@pytest.mark.parametrize("version", catalog().versions, ids=lambda version: version.ref)
def test_every_field_of_the_fixtures_that_is_named_is_there(version: Any) -> None:
    named = {one.pointer for one in fields(version.schema)}
    assert all(isinstance(one, Field) for one in fields(version.schema))
    for path in samples.everything(version.ref):
        document = samples.document(path)
        keys = document if isinstance(document, dict) else {}
        assert {f"/{key}" for key in keys} <= named
