"""The fields of a document that its schema documents, and which types each may have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from jsonschema import Draft7Validator

from registry.values import at, escape

KINDS: dict[str, Any] = {
    "null": None,
    "boolean": True,
    "integer": 7,
    "number": 1.5,
    "string": "another",
    "array": [],
    "object": {},
}
_UNIONS = ("anyOf", "oneOf")


@dataclass(frozen=True)
class Field:
    """One field of a document, and where in the schema it is documented."""

    pointer: str
    holder: dict[str, Any]
    key: str
    documented: tuple[str, ...]
    allowed: frozenset[str]

    def others(self) -> list[Any]:
        """A value of each type that the field may not have."""
        return [
            value
            for kind, value in KINDS.items()
            if kind not in self.allowed and not (kind == "integer" and "number" in self.allowed)
        ]

    @contextmanager
    def replaced(self, value: Any) -> Iterator[None]:
        """While this lasts, the field has another value."""
        kept = self.holder[self.key]
        self.holder[self.key] = value
        yield
        self.holder[self.key] = kept


def documented(schema: Any) -> list[str]:
    """Where does a schema document a field, the slot left out?"""
    found = []
    pending = [("", schema)]
    while pending:
        place, one = pending.pop()
        for key, inner in one.get("properties", {}).items():
            if inner.get("title") != "slot":
                found.append(f"{place}/properties/{escape(key)}")
        pending += _inside(place, one)
    return found


def _inside(place: str, schema: Any) -> Iterator[tuple[str, Any]]:
    for keyword in ("properties", "definitions"):
        for key, inner in schema.get(keyword, {}).items():
            yield f"{place}/{keyword}/{escape(key)}", inner
    for union in _UNIONS:
        for number, inner in enumerate(schema.get(union, ())):
            yield f"{place}/{union}/{number}", inner
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            yield f"{place}/{keyword}", schema[keyword]


class Walk:
    """One schema, walked along a document."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema

    @cached_property
    def _base(self) -> Any:
        return {key: value for key, value in self.schema.items() if key != "$id"}

    def fields(self, value: Any, places: list[str], pointer: str = "") -> Iterator[Field]:
        """Which fields of a value do these places of the schema document?"""
        if not isinstance(value, (dict, list)):
            return
        speaking = [one for place in places for one in self._speaking(place, value)]
        if isinstance(value, list):
            inner = [f"{one}/items" for one in speaking if "items" in at(self.schema, one)]
            for number, item in enumerate(value):
                yield from self.fields(item, inner, f"{pointer}/{number}")
            return
        for key, item in value.items():
            where = f"{pointer}/{escape(key)}"
            named = self._named(speaking, key)
            if named:
                yield Field(where, value, key, tuple(named), self._allowed(named))
            yield from self.fields(item, named or self._others(speaking), where)

    def _named(self, speaking: list[str], key: str) -> list[str]:
        has = [one for one in speaking if key in at(self.schema, one).get("properties", {})]
        return [f"{one}/properties/{escape(key)}" for one in has]

    def _others(self, speaking: list[str]) -> list[str]:
        places = [f"{one}/additionalProperties" for one in speaking]
        return [one for one in places if isinstance(_at(self.schema, one), dict)]

    def _speaking(self, place: str, value: Any) -> Iterator[str]:
        schema = at(self.schema, place)
        if "$ref" in schema:
            yield from self._speaking(schema["$ref"][1:], value)
            return
        yield place
        for union in _UNIONS:
            for number in range(len(schema.get(union, ()))):
                branch = f"{place}/{union}/{number}"
                if Draft7Validator({**self._base, "$ref": f"#{branch}"}).is_valid(value):
                    yield from self._speaking(branch, value)

    def _allowed(self, places: list[str]) -> frozenset[str]:
        """Each place has a say, so a value must suit all of them."""
        return frozenset.intersection(*(self._kinds(at(self.schema, one)) for one in places))

    def _kinds(self, schema: Any) -> frozenset[str]:
        if "$ref" in schema:
            return self._kinds(at(self.schema, schema["$ref"][1:]))
        if "type" in schema:
            kinds = schema["type"]
            return frozenset([kinds] if isinstance(kinds, str) else kinds)
        if "const" in schema or "enum" in schema:
            return frozenset(map(_kind, schema.get("enum", [schema.get("const")])))
        for union in _UNIONS:
            if union in schema:
                return frozenset.union(*map(self._kinds, schema[union]))
        return frozenset(KINDS)


def _at(schema: Any, place: str) -> Any:
    try:
        return at(schema, place)
    except KeyError:
        return None


def _kind(value: Any) -> str:
    return next(kind for kind, one in KINDS.items() if type(one) is type(value))


def typed(schema: Any, document: Any) -> Iterator[Field]:
    """Which fields of this document does the schema document?"""
    return Walk(schema).fields(document, [""])
