"""The keyword subset: every shelf keeps to it, and what does not is told with its place."""

from __future__ import annotations

from typing import Any

import pytest

from registry import gate, keywords
from registry.compat import compatibility
from registry.keywords import DEEPEST, DRAFT, KEYWORDS, OutsideSubset, outside
from registry.shelves import versions_root

SHELVES = sorted(versions_root().glob("*/*/schema.json"))
EMPTY = {"type": "object"}


@pytest.mark.parametrize("path", SHELVES, ids=lambda path: "@".join(path.parts[-3:-1]))
def test_a_shelf_keeps_to_the_subset(path: Any) -> None:
    assert outside(gate.load(path.read_bytes())) == []


def test_the_subset_is_what_the_shelves_use_and_what_is_obvious_beside_it() -> None:
    used: set[str] = set()
    pending = [gate.load(path.read_bytes()) for path in SHELVES]
    while pending:
        schema = pending.pop()
        if isinstance(schema, dict):
            used.update(schema)
            pending += [inner for _, inner in keywords.inside(schema)]
    assert {keyword.name for keyword in KEYWORDS} - used == {"oneOf", "minLength"}


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"$schema": "https://json-schema.org/draft/2020-12/schema"}, "/$schema"),
        ({"allOf": []}, "/allOf"),
        ({"properties": {"a/b": {"maxLength": 3}}}, "/properties/a~1b/maxLength"),
        ({"properties": {"a": True}}, "/properties/a"),
        ({"items": [EMPTY]}, "/items"),
        ({"properties": {"a": {"format": "date-time"}}}, "/properties/a/format"),
        (
            {"items": {"$ref": "#/definitions/a", "type": "null"}, "definitions": {"a": EMPTY}},
            "/items/$ref",
        ),
        ({"enum": []}, "/enum"),
        ({"items": {"minimum": 5, "maximum": 1}}, "/items/maximum"),
        ({"items": {"pattern": "("}}, "/items/pattern"),
        ({"type": "text"}, "/type"),
        ({"required": ["a", "a"]}, "/required"),
        ({"required": ["a"], "additionalProperties": False}, "/required"),
        ({"required": ["a"], "additionalProperties": {}}, "/required"),
        ({"anyOf": [EMPTY], "oneOf": [EMPTY]}, "/oneOf"),
        ({"anyOf": []}, "/anyOf"),
        ({"anyOf": [{"$ref": "#"}]}, "/anyOf/0/$ref"),
        ({"$ref": "#/definitions/a", "definitions": {"a": {"$ref": "#/definitions/a"}}}, "/$ref"),
        ({"items": {"$ref": "#/definitions/missing"}}, "/items/$ref"),
        ({"items": {"$ref": "other.json"}}, "/items/$ref"),
        (False, ""),
        (None, ""),
    ],
)
def test_what_is_outside_is_placed(schema: Any, pointer: str) -> None:
    assert pointer in [fault.pointer for fault in outside(schema)]
    with pytest.raises(OutsideSubset) as caught:
        keywords.check(schema, "x.json")
    assert caught.value.file == "x.json"
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("keyword", ["items", "additionalProperties"])
def test_schemas_lie_in_one_another_no_deeper_than_the_engines_follow(keyword: str) -> None:
    schema: Any = {"type": "string"}
    for _ in range(DEEPEST):
        schema = {keyword: schema}
    assert outside(schema) == []
    assert compatibility(schema, {}).forward != "ok"
    for _ in range(5_000):
        schema = {keyword: schema}
    assert "in one another" in outside(schema)[0].found
    assert outside({"definitions": {"a": schema}}) != []


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"$schema": DRAFT},
        {"$schema": DRAFT.rstrip("#")},
        {"additionalProperties": False},
        {"required": ["a"], "properties": {"a": {}}, "additionalProperties": False},
        {"properties": {"a": {"$ref": "#"}}},
        {"items": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
        {"title": "", "description": ""},
    ],
)
def test_what_is_inside_has_no_fault(schema: Any) -> None:
    assert outside(schema) == []


def test_a_keyword_speaks_of_types_or_asserts_nothing() -> None:
    assert not keywords.asserts({"title": "", "definitions": {}})
    assert keywords.asserts({"minimum": 0})
    assert not keywords.asserts({"minimum": 0}, frozenset(["string"]))
