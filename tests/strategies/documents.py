"""Documents drawn from a schema: valid, and as awkward as the schema allows.

Knows the keywords that the shelves use. Optional properties are there or not, null where it is
allowed; open objects get unknown keys; lists of records repeat and mix what they hold.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from registry import validation
from registry.catalog import Version

TEXTS = st.sampled_from(["", "a", "a/b~c", "naïve ☎", "\ud83d", "1", "id-1", "line\nline"])
KEYS = st.sampled_from(["", "a/b~c", "__proto__", "new", "x y"])
INTEGERS = st.sampled_from([0, 1, 2, 7, -1, 2**53 + 1, 2**70, 10**400])
NUMBERS = st.one_of(
    INTEGERS, st.sampled_from([0.0, -0.0, 0.5, 1.0, 1e300, 1.7e308, -1.7e308, 5e-324])
)
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(KEYS, inner, max_size=2)),
    max_leaves=4,
)


def documents(version: Version) -> st.SearchStrategy[Any]:
    """Valid documents of this version."""
    schema = version.schema
    drawn = _value(schema, schema.get("definitions", {}))
    return drawn.filter(lambda document: validation.is_valid(document, version.ref))


def _value(schema: Any, definitions: Any) -> st.SearchStrategy[Any]:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return st.deferred(lambda: _value(definitions[name], definitions))
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    branches = schema.get("anyOf") or schema.get("oneOf")
    if branches and "properties" not in schema:
        return st.one_of(
            [_value({**schema, **branch, "anyOf": None}, definitions) for branch in branches]
        )
    kinds = schema.get("type", ["anything"])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return st.one_of([_kind(kind, schema, definitions) for kind in kinds])


def _kind(kind: str, schema: Any, definitions: Any) -> st.SearchStrategy[Any]:
    if kind == "object":
        return _object(schema, definitions)
    if kind == "array":
        items = _value(schema["items"], definitions) if "items" in schema else ANYTHING
        return st.lists(items, max_size=3).flatmap(_mixed)
    low, high = schema.get("minimum"), schema.get("maximum")
    fits = lambda number: (low is None or number >= low) and (high is None or number <= high)  # noqa: E731
    return {
        "string": TEXTS.filter(lambda text: len(text) >= schema.get("minLength", 0)),
        "integer": INTEGERS.filter(fits),
        "number": NUMBERS.filter(fits),
        "boolean": st.booleans(),
        "null": st.none(),
        "anything": ANYTHING,
    }[kind]


def _mixed(items: list[Any]) -> st.SearchStrategy[list[Any]]:
    """The same items, or with one of them again somewhere: repeated ids, interleaved trials."""
    if not items:
        return st.just(items)
    return st.one_of(st.just(items), st.permutations([*items, items[0]]))


@st.composite
def _object(draw: st.DrawFn, schema: Any, definitions: Any) -> Any:
    properties = schema.get("properties", {})
    required = set(schema.get("required", ()))
    if branches := schema.get("anyOf"):
        required |= set(draw(st.sampled_from(branches)).get("required", ()))
    keys = [key for key in properties if key in required or draw(st.integers(0, 3))]
    value = {key: draw(_value(properties[key], definitions)) for key in keys if key != "x-evalglot"}
    value |= {key: draw(_value({}, definitions)) for key in sorted(required - properties.keys())}
    extra = schema.get("additionalProperties", True)
    if extra is not False and not draw(st.integers(0, 3)):
        inner = extra if isinstance(extra, dict) and extra else {}
        value |= {
            key: draw(_value(inner, definitions))
            for key in sorted(draw(st.sets(KEYS, max_size=2)))
            if key not in properties
        }
    if not draw(st.integers(0, 3)):
        value = dict(draw(st.permutations(list(value.items()))))
    return value
