"""What does one place of a schema ask for, its `$ref` followed and its types worked out?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from registry.keywords import KINDS, NUMERIC, asserts, inside, restricted, target
from registry.values import JSON, canonical

UNIONS = ("anyOf", "oneOf")


@dataclass(frozen=True, eq=False)
class Shape:
    """One place of a schema. `root` is the whole schema, which its references refer to."""

    root: JSON
    schema: JSON

    @classmethod
    def of(cls, root: JSON, schema: JSON) -> Shape:
        """Which shape is this schema, or what it refers to?"""
        while "$ref" in schema:
            schema = target(root, schema["$ref"])
        return cls(root, schema)

    def inner(self, schema: JSON) -> Shape:
        """Which shape is a schema that this one holds?"""
        return Shape.of(self.root, schema)

    def says(self, keyword: str, otherwise: Any) -> Any:
        """What does the schema say by a keyword?"""
        return self.schema.get(keyword, otherwise)

    @cached_property
    def anything(self) -> bool:
        """Is every value accepted, since nothing is asked?"""
        return not asserts(self.schema)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Which types may a value have? A number may be an integer, too."""
        said = self.says("type", KINDS)
        own = frozenset([said] if isinstance(said, str) else said)
        own |= {"integer"} if "number" in own else set()
        if self.members is not None:
            return own & frozenset(map(kind, self.members))
        if self.branches:
            return own & frozenset[str]().union(*(branch.kinds for branch in self.branches))
        return own

    @cached_property
    def listed(self) -> tuple[JSON, ...] | None:
        """Which values are listed by `const` or `enum`? None when neither is said."""
        if "const" in self.schema:
            return (self.schema["const"],)
        return tuple(self.schema["enum"]) if "enum" in self.schema else None

    @cached_property
    def members(self) -> tuple[JSON, ...] | None:
        """Which of the listed values does the schema accept? None when it lists none."""
        if self.listed is None:
            return None
        return tuple(value for value in self.listed if self.accepts(value))

    @cached_property
    def branches(self) -> tuple[Shape, ...]:
        """Which branches does the union have? Empty when there is none."""
        return tuple(self.inner(one) for union in UNIONS for one in self.says(union, ()))

    @cached_property
    def base(self) -> Shape:
        """What is asked beside the union?"""
        kept = {name: said for name, said in self.schema.items() if name not in UNIONS}
        return Shape(self.root, kept)

    @cached_property
    def required(self) -> frozenset[str]:
        """Which fields must an object have?"""
        return frozenset(self.says("required", ()))

    def field(self, name: str) -> Shape | None:
        """What must stand at a field, named or not? None when it may not be there."""
        named = self.says("properties", {})
        said = named[name] if name in named else self.says("additionalProperties", True)
        return self._open(said)

    @property
    def others(self) -> Shape | None:
        """What must stand at a field that is not named? None when it may not be there."""
        return self._open(self.says("additionalProperties", True))

    @property
    def items(self) -> Shape:
        """What must each entry of a list be?"""
        return self.inner(self.says("items", {}))

    def _open(self, said: JSON) -> Shape | None:
        if isinstance(said, bool):
            return Shape(self.root, {}) if said else None
        return self.inner(said)

    def spelled(self) -> bytes:
        """How is the schema written, together with all that it refers to?"""
        met: dict[str, JSON] = {}
        pending = [self.schema]
        while pending:
            one = pending.pop()
            if isinstance(one, dict):
                if "$ref" in one and one["$ref"] not in met:
                    met[one["$ref"]] = target(self.root, one["$ref"])
                    pending.append(met[one["$ref"]])
                pending.extend(schema for _, schema in inside(one))
        return canonical([self.schema, met])

    def split(self) -> list[Shape]:
        """Which shapes of one type each, or of listed values, is it together?"""
        if self.branches and not asserts(self.base.schema):
            return [part for branch in self.branches for part in branch.split()]
        if self.members is not None or self.branches or len(plainly(self.kinds)) == 1:
            return [self]
        return [
            Shape(self.root, restricted(self.schema, one))
            for one in KINDS
            if one in plainly(self.kinds)
        ]

    @cached_property
    def validator(self) -> Any:
        """Which jsonschema validator judges values of this shape? It fetches nothing."""
        from jsonschema import Draft7Validator
        from referencing import Registry

        return Draft7Validator(self.root, registry=Registry()).evolve(schema=self.schema)

    def accepts(self, value: JSON) -> bool:
        """Does a value keep to this shape?"""
        return bool(self.validator.is_valid(value))


def plainly(kinds: frozenset[str]) -> frozenset[str]:
    """Which types say the same, `integer` left out where `number` includes it?"""
    return kinds - {"integer"} if kinds >= NUMERIC else kinds


def kind(value: JSON) -> str:
    """Which type does draft-07 give a value? 1.0 is an integer."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, float):
        return "integer" if math.isfinite(value) and value.is_integer() else "number"
    names = {dict: "object", list: "array", str: "string", int: "integer"}
    return names.get(type(value), "null")


def disjoint(a: Shape, b: Shape) -> bool:
    """Is it sure that no value keeps to both shapes?"""
    shared = a.kinds & b.kinds
    if not shared:
        return True
    if a.members is not None:
        return not any(b.accepts(value) for value in a.members)
    if b.members is not None:
        return disjoint(b, a)
    return shared == {"object"} and any(_told_apart(a, b, name) for name in a.required & b.required)


def _told_apart(a: Shape, b: Shape, name: str) -> bool:
    """Does a field that both must have list other values in each?"""
    mine, theirs = a.field(name), b.field(name)
    if mine is None or theirs is None:
        return True
    if mine.members is None and theirs.members is None:
        return not mine.kinds & theirs.kinds
    return disjoint(mine, theirs)
