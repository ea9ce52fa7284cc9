"""How much is a document like the files of a version, whether or not it is one?

Detection asks for a few telling fields. Where it says yes and the schema no, it may have met a
stranger who has those fields, too; where it says no, a file whose telling fields were renamed. Both
are told apart by all fields together.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from registry.catalog import Version, catalog
from registry.errors import UnknownFormat
from registry.matching import NOTHING, get
from registry.values import JSON, at

STRANGER = 0.5
"""Below this, a file that breaks a schema was never meant to keep to it."""

NEAR = 0.8
"""From this on, a file of no known format may be one whose tool changed it."""

FEW = 3
"""A document with fewer fields that a version knows is like nothing."""


class Near(UnknownFormat):
    """No registered format fits the content, but one almost does."""


class Fields(NamedTuple):
    """Which fields may an object have by its schema, and which must it?"""

    named: frozenset[str]
    required: frozenset[str]


def nearest(document: JSON) -> Version | None:
    """Which version's files are like this document of no known format? None when none are."""
    likened = [(likeness(version, document), version) for version in catalog().versions]
    alike, version = max(likened, key=lambda one: one[0])
    return version if alike >= NEAR else None


def is_stranger(version: Version, document: JSON) -> bool:
    """Does this document, which breaks the version's schema, have little else of it?"""
    return likeness(version, document) < STRANGER


def likeness(version: Version, document: JSON) -> float:
    """Which share of its fields does the version name, or if less, does it have of those needed?

    From 0 to 1. Its envelope counts, and its first record. Too few fields are like nothing.
    """
    return max(_likeness(version, document, place) for place in version.containers)


def _likeness(version: Version, document: JSON, place: str) -> float:
    told = [(fields, value.keys()) for fields, value in _objects(version, document, place)]
    keys = sum(len(held) for _, held in told)
    known = sum(len(fields.named & held) for fields, held in told)
    if known < FEW:
        return 0.0
    needed = sum(len(fields.required) for fields, _ in told)
    had = sum(len(fields.required & held) for fields, held in told)
    return min(known / keys, had / needed if needed else 1.0)


def _objects(version: Version, document: JSON, place: str) -> Iterator[tuple[Fields, JSON]]:
    """Which objects lead to the first record, and what does the schema say of each?"""
    root = _schema(version)
    schema, value = root, document
    for key in place.split("/")[1:]:
        if isinstance(value, dict):
            yield fields(root, schema), value
        schema = {"anyOf": list(_below(root, schema, key))}
        value = get(value, f"/{key}")
    first = value[0] if isinstance(value, list) and value else NOTHING
    if isinstance(first, dict):
        yield fields(root, at(root, f"/definitions/{version.shelf.record}")), first


@cache
def schematic(version: Version) -> tuple[Fields, ...]:
    """What does the schema say of the objects that lead to records, and of a record?"""
    root = _schema(version)
    found = [fields(root, at(root, f"/definitions/{version.shelf.record}"))]
    for place in version.containers:
        schema = root
        for key in place.split("/")[1:]:
            found.append(fields(root, schema))
            schema = {"anyOf": list(_below(root, schema, key))}
    return tuple(found)


@cache
def _schema(version: Version) -> JSON:
    return version.schema


def fields(root: JSON, schema: JSON) -> Fields:
    """Which fields does a schema name, and which require? Of a union, any and all branches."""
    schema = _resolved(root, schema)
    named = frozenset(schema.get("properties", ()))
    required = frozenset(schema.get("required", ()))
    branches = [fields(root, branch) for branch in schema.get("anyOf", ())]
    if branches:
        named = named.union(*(branch.named for branch in branches))
        required |= frozenset.intersection(*(branch.required for branch in branches))
    return Fields(named, required)


def _below(root: JSON, schema: JSON, key: str) -> Iterator[JSON]:
    """What does a schema say of a field, in itself and in each branch of its union?"""
    schema = _resolved(root, schema)
    if key in schema.get("properties", {}):
        yield schema["properties"][key]
    for branch in schema.get("anyOf", ()):
        yield from _below(root, branch, key)


def _resolved(root: JSON, schema: JSON) -> JSON:
    while "$ref" in schema:
        schema = at(root, schema["$ref"].removeprefix("#"))
    return schema
