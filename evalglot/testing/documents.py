"""Documents drawn from a schema: valid, and as awkward as the schema allows.

Knows the keywords that the shelves use. Optional properties are there or not, null where it is
allowed; open objects get unknown keys; lists of records repeat and mix what they hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from registry import validation
from registry.catalog import Version, find

TEXTS = st.sampled_from(["", "a", "a/b~c", "naïve ☎", "\ud83d", "1", "id-1", "line\nline"])
KEYS = st.sampled_from(["", "a/b~c", "__proto__", "new", "x y"])
INTEGERS = st.sampled_from([0, 1, 2, 7, -1, 2**53 + 1, 2**70, 10**400])
NUMBERS = st.one_of(
    INTEGERS, st.sampled_from([0.0, -0.0, 0.5, 1.0, 1e300, 1.7e308, -1.7e308, 5e-324])
)
SELDOM_NOT = st.integers(0, 3)
"""zero once in four times, where anything else is yes"""
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(KEYS, inner, max_size=2)),
    max_leaves=4,
)


class Kin(NamedTuple):
    """The schema that a part is of, and the names that objects like one elsewhere have.

    A field that is unknown in one place may be named in another: in another branch of a union, or
    in another version of the format.
    """

    schema: Any
    objects: tuple[frozenset[str], ...]
    made: dict[int, st.SearchStrategy[Any]]
    """the strategy of each part of the schema, by its identity: it is made once, and drawn often"""

    def names(self, properties: Any) -> list[str]:
        """Which names have objects that share a field with this one?"""
        alike = [names for names in self.objects if not names.isdisjoint(properties)]
        return sorted(frozenset().union(*alike) - {*properties, "x-evalglot"})


@cache
def _kin(version: Version) -> Kin:
    shelves = find(version.format).versions
    schemas = [Version(version.format, shelf.version).schema for shelf in shelves]
    objects = {names for schema in schemas for names in _named(schema)}
    return Kin(version.schema, tuple(sorted(objects, key=sorted)), {})


def _named(schema: Any) -> Iterator[frozenset[str]]:
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield frozenset(schema["properties"])
        schema = list(schema.values())
    for part in schema if isinstance(schema, list) else ():
        yield from _named(part)


@cache
def documents(version: Version) -> st.SearchStrategy[Any]:
    """Valid documents of this version."""
    kin = _kin(version)
    drawn = _value(kin.schema, kin)
    return drawn.filter(lambda document: validation.is_valid(document, version.ref))


def _value(schema: Any, kin: Kin) -> st.SearchStrategy[Any]:
    """What may stand where this part of the version's schema holds?"""
    if id(schema) not in kin.made:
        kin.made[id(schema)] = _made(schema, kin)
    return kin.made[id(schema)]


def _made(schema: Any, kin: Kin) -> st.SearchStrategy[Any]:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return st.deferred(lambda: _value(kin.schema["definitions"][name], kin))
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    branches = schema.get("anyOf") or schema.get("oneOf")
    if branches and "properties" not in schema:
        return st.one_of([_made({**schema, **branch, "anyOf": None}, kin) for branch in branches])
    kinds = schema.get("type", ["anything"])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return st.one_of([_kind(kind, schema, kin) for kind in kinds])


def _kind(kind: str, schema: Any, kin: Kin) -> st.SearchStrategy[Any]:
    if kind == "object":
        return _object(schema, kin)
    if kind == "array":
        items = _value(schema["items"], kin) if "items" in schema else ANYTHING
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


def _object(schema: Any, kin: Kin) -> st.SearchStrategy[Any]:
    properties = schema.get("properties", {})
    branches = [frozenset(of.get("required", ())) for of in schema.get("anyOf") or [schema]]
    required = frozenset(schema.get("required", ()))
    extra = schema.get("additionalProperties", True)
    inner = _value(extra, kin) if isinstance(extra, dict) and extra else ANYTHING
    names = kin.names(properties)
    keys = st.one_of(KEYS, st.sampled_from(names)) if names else KEYS
    unknown = keys.filter(lambda key: key not in properties)
    return _drawn(
        {key: _value(of, kin) for key, of in properties.items() if key != "x-evalglot"},
        st.sampled_from([required | branch for branch in branches]),
        None if extra is False else st.dictionaries(unknown, inner, max_size=2),
    )


@st.composite
def _drawn(
    draw: st.DrawFn,
    properties: Mapping[str, st.SearchStrategy[Any]],
    needed: st.SearchStrategy[frozenset[str]],
    more: st.SearchStrategy[dict[str, Any]] | None,
) -> Any:
    required = draw(needed)
    value = {key: draw(of) for key, of in properties.items() if key in required or draw(SELDOM_NOT)}
    value |= {key: draw(ANYTHING) for key in sorted(required - properties.keys())}
    if more is not None and not draw(SELDOM_NOT):
        value |= draw(more)
    if not draw(SELDOM_NOT):
        value = dict(draw(st.permutations(list(value.items()))))
    return value
