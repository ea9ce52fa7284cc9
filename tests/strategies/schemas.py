"""Schemas of the registry's keyword subset, pairs of them, and documents that keep to them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from registry.keywords import DRAFT, KINDS, inside, outside, target
from registry.keywords import KEYWORDS as TABLE
from registry.shapes import UNIONS, Shape

NAMES = st.sampled_from(["a", "b", "c", "a/b~c", "*"])
SCALARS = st.sampled_from([None, True, False, 0, 1, 2, 1.0, 0.5, "", "a", "b", "ab"])
LIMITS = st.sampled_from([-1, 0, 1, 2, 0.5])
PATTERNS = st.sampled_from(["^a", "b$", "^[ab]*$", "^$"])
TEXTS = st.sampled_from(["", "a", "b", "ab", "ba", "naïve", "\ud83d"])
NUMBERS = st.sampled_from([-2, -1, 0, 0.0, -0.0, 0.5, 1, 1.0, 1.5, 2, 3, 2**70, 1e300])
KINDED = st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True)
REFS = st.sampled_from([{"$ref": "#/definitions/x"}, {"$ref": "#/definitions/y"}])
DEEPEST = 5


def _inner(schemas: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """What keywords may a schema have that holds others?"""
    fields = st.dictionaries(NAMES, schemas, max_size=3)
    names = st.lists(NAMES, max_size=2, unique=True)
    closed = st.one_of(st.booleans(), schemas)
    union = st.lists(schemas, min_size=1, max_size=3)
    objects = st.fixed_dictionaries(
        {"type": st.sampled_from(["object", ["object", "null"]])},
        optional={"properties": fields, "required": names, "additionalProperties": closed},
    )
    arrays = st.fixed_dictionaries({"type": st.just("array"), "items": schemas})
    unions = st.builds(
        lambda word, of: {word: of}, st.sampled_from(["anyOf"] * 5 + ["oneOf"]), union
    )
    beside = st.builds(lambda one, other: {**one, **other}, objects, unions)
    return st.one_of(objects, objects, arrays, unions, beside)


_LISTED = st.lists(SCALARS, min_size=1, max_size=3)
_NUMBERS = st.fixed_dictionaries(
    {"type": st.sampled_from(["integer", "number", ["number", "null"]])},
    optional={"minimum": LIMITS, "maximum": LIMITS},
)
_TEXTS = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", ["string", "null"]])},
    optional={"minLength": st.integers(0, 2), "pattern": PATTERNS},
)
_LEAVES = st.one_of(
    st.just({}),
    REFS,
    _NUMBERS,
    _NUMBERS,
    _TEXTS,
    _TEXTS,
    st.fixed_dictionaries({"const": SCALARS}),
    st.fixed_dictionaries({"enum": _LISTED}, optional={"type": KINDED}),
    st.fixed_dictionaries({"type": KINDED}),
)
_FLAT = st.fixed_dictionaries(
    {"type": st.just("object")},
    optional={
        "properties": st.dictionaries(st.sampled_from("ab"), _LEAVES, min_size=1),
        "required": st.lists(st.sampled_from("ab"), max_size=2, unique=True),
        "additionalProperties": st.booleans(),
    },
)
SORTS = (
    _FLAT,
    _NUMBERS,
    _TEXTS,
    st.fixed_dictionaries({"const": SCALARS}),
    st.fixed_dictionaries({"enum": _LISTED}) | st.just({"type": "string"}),
    _FLAT,
    st.fixed_dictionaries({"anyOf": st.lists(_FLAT | _NUMBERS, min_size=1, max_size=3)}),
)
PARTS = st.recursive(_LEAVES, _inner, max_leaves=5)


@st.composite
def schemas(draw: st.DrawFn) -> Any:
    """Whole schemas, with two definitions that may refer to each other."""
    root = draw(_inner(PARTS) | PARTS)
    whole = {"$schema": DRAFT, **root, "definitions": {"x": draw(PARTS), "y": draw(PARTS)}}
    if "$ref" in whole:  # a reference hides what stands beside it
        whole = {"$schema": DRAFT, "anyOf": [root], "definitions": whole["definitions"]}
    assume(not outside(whole))
    return whole


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    """Two schemas: one is the other with some changes, or they differ in one small part."""
    one, other = draw(_twins()) if draw(st.booleans()) else draw(_changed())
    assume(not outside(one) and not outside(other))
    return (one, other) if draw(st.booleans()) else (other, one)


@st.composite
def _changed(draw: st.DrawFn) -> tuple[Any, Any]:
    one = draw(schemas())
    other = copy.deepcopy(one)
    for _ in range(draw(st.integers(1, 2))):
        _change(draw, other)
    return one, other


@st.composite
def _twins(draw: st.DrawFn) -> tuple[Any, Any]:
    """Two small schemas of one sort, deep in the same surroundings."""
    one, other = draw(st.one_of([st.tuples(sort, sort) for sort in SORTS]))
    for _ in range(draw(st.integers(0, 2))):
        around = draw(st.sampled_from(AROUND))
        one, other = around(one), around(other)
    definitions = {"x": draw(_LEAVES), "y": {"type": "object"}}
    whole = {"$schema": DRAFT, "definitions": definitions}
    return {**whole, **one}, {**whole, **other}


AROUND: tuple[Callable[[Any], Any], ...] = (
    lambda inner: {"type": "object", "properties": {"a": inner}},
    lambda inner: {"type": "object", "properties": {"a": inner}, "required": ["a"]},
    lambda inner: {"type": "object", "additionalProperties": inner},
    lambda inner: {"type": "array", "items": inner},
    lambda inner: {"anyOf": [inner, {"type": "boolean"}]},
    lambda inner: {"oneOf": [inner, {"type": "null"}]},
)


def _change(draw: st.DrawFn, whole: Any) -> None:
    places = [one for one in _all(whole) if isinstance(one, dict)]
    plain = [
        one for one in places if {"minimum", "maximum", "minLength", "pattern", "enum"} & {*one}
    ]
    schema = draw(st.sampled_from(plain if plain and draw(st.booleans()) else places))
    keyword = draw(st.sampled_from(_fitting(schema)))
    said = copy.deepcopy(draw(KEYWORDS[keyword]))  # what is drawn may be one and the same object
    if keyword in schema and draw(st.booleans()):
        del schema[keyword]
    elif keyword == "properties":
        schema.setdefault(keyword, {})[draw(NAMES)] = said
    elif keyword in UNIONS and keyword in schema:
        schema[keyword].append(said[0])
    elif "$ref" not in schema:
        schema[keyword] = said


def _fitting(schema: Any) -> list[str]:
    """Which keywords make a difference here? Those of fewer types are more likely."""
    said = schema.get("type", [])
    kinds = {said} if isinstance(said, str) else {*said}
    special = [one.name for one in TABLE if one.kinds & kinds and len(one.kinds) < len(KINDS)]
    listed = [one for one in ("const", "enum", "oneOf") if one in schema]
    return [*special, *special, *special, *listed, *listed, "type", "enum", "anyOf"]


KEYWORDS: dict[str, st.SearchStrategy[Any]] = {
    "type": KINDED,
    "enum": st.lists(SCALARS, min_size=1, max_size=4),
    "const": SCALARS,
    "minimum": LIMITS,
    "maximum": LIMITS,
    "minLength": st.integers(0, 3),
    "pattern": PATTERNS,
    "items": PARTS,
    "properties": PARTS,
    "required": st.lists(NAMES, max_size=2, unique=True),
    "additionalProperties": st.one_of(st.booleans(), PARTS),
    "anyOf": st.lists(PARTS, min_size=1, max_size=2),
    "oneOf": st.lists(PARTS, min_size=1, max_size=2),
}


def _all(schema: Any) -> list[Any]:
    found = [schema]
    if isinstance(schema, dict):
        for _, inner in inside(schema):
            found += _all(inner)
    return found


def documents(schema: Any) -> st.SearchStrategy[Any]:
    """Values that keep to a schema, most of the time: the caller looks."""
    return _value(schema, schema, 0)


def _value(root: Any, schema: Any, depth: int) -> st.SearchStrategy[Any]:
    if depth > DEEPEST:
        return SCALARS
    if "$ref" in schema:
        aim = target(root, schema["$ref"])
        return st.deferred(lambda: _value(root, aim, depth + 1))
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    for union in UNIONS:
        if union in schema:
            beside = {key: said for key, said in schema.items() if key not in UNIONS}
            branches = [_merged(root, beside, branch) for branch in schema[union]]
            return st.one_of([_value(root, branch, depth + 1) for branch in branches])
    kinds = schema.get("type", KINDS)
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return st.one_of([_kind(kind, root, schema, depth) for kind in kinds])


def _merged(root: Any, beside: Any, branch: Any) -> Any:
    """A branch, with what is asked beside its union."""
    plain = Shape.of(root, branch).schema
    both = {**beside, **plain}
    both["properties"] = {**beside.get("properties", {}), **plain.get("properties", {})}
    both["required"] = [*beside.get("required", ()), *plain.get("required", ())]
    return both


def _kind(kind: str, root: Any, schema: Any, depth: int) -> st.SearchStrategy[Any]:
    if kind == "object":
        return _object(root, schema, depth)
    if kind == "array":
        return st.lists(_value(root, schema.get("items", {}), depth + 1), max_size=2)
    near = st.sampled_from([schema.get("minimum", 0), schema.get("maximum", 1)])
    return {
        "string": TEXTS | st.just("a" * schema.get("minLength", 0)),
        "integer": NUMBERS | near,
        "number": NUMBERS | near,
        "boolean": st.booleans(),
        "null": st.none(),
    }[kind]


@st.composite
def _object(draw: st.DrawFn, root: Any, schema: Any, depth: int) -> Any:
    named = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    names = [*schema.get("required", ()), *named]
    if others is not False:
        names += draw(st.lists(NAMES | st.just("unknown"), max_size=1))
    required = schema.get("required", ())
    kept = [name for name in dict.fromkeys(names) if name in required or draw(st.booleans())]
    free = {} if isinstance(others, bool) else others
    return {name: draw(_value(root, named.get(name, free), depth + 1)) for name in kept}
