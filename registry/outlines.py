"""Which fields do a version's objects have that lead to its records, and a record itself?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from registry.catalog import Version
from registry.matching import NOTHING, get
from registry.values import JSON, at

_JOINED = re.compile(r"[a-z0-9][A-Z]|[_-]")
_JOINTS = re.compile(r"[_-]")


class Fields(NamedTuple):
    """Which fields may an object have by its schema, and which must it?"""

    named: frozenset[str]
    required: frozenset[str]


def is_own(name: str) -> bool:
    """Has a name more than one word, so that other tools hardly use it by chance?"""
    return _JOINED.search(name) is not None


def folded(names: Iterable[str]) -> frozenset[str]:
    """What are these names, whichever case they are written in, however their words are joined?"""
    return frozenset(_JOINTS.sub("", name).lower() for name in names)


def objects(
    version: Version, document: JSON, place: str
) -> Iterator[tuple[Fields, dict[str, JSON]]]:
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
