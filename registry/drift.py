"""Which fields does a document have that its schema does not name?

The tool changed its file, or somebody added to it. Only objects count whose schema names fields
and is open to others; the slot is a named field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from registry.catalog import parse_ref
from registry.engine import Judge, judge, part
from registry.values import JSON, at, escape

_UNIONS = ("anyOf", "oneOf")


def unknown_fields(value: JSON, ref: str) -> list[str]:
    """Which fields does the schema of this version not name? JSON Pointers, in document order."""
    return list(_unknown(ref, [""], value, ""))


def unknown_record_fields(record: JSON, ref: str, place: str) -> list[str]:
    """The same for one record, which stands at the JSON Pointer `place` in its document."""
    return list(_unknown(ref, [f"/definitions/{parse_ref(ref).shelf.record}"], record, place))


def _unknown(ref: str, schemas: Sequence[str], value: JSON, place: str) -> Iterator[str]:
    """`schemas` are the JSON Pointers, in the schema of `ref`, of all that speaks of the value."""
    if not isinstance(value, (dict, list)):
        return
    said = _said(ref, tuple(found for one in schemas for found in _speaking(ref, one, value)))
    if isinstance(value, list):
        for position, item in enumerate(value):
            if isinstance(item, (dict, list)):
                yield from _unknown(ref, said.entries, item, f"{place}/{position}")
        return
    for key, item in value.items():
        below = said.named.get(key, said.others)
        if not below and said.named:
            yield f"{place}/{escape(key)}"
        elif below and isinstance(item, (dict, list)):
            yield from _unknown(ref, below, item, f"{place}/{escape(key)}")


def _speaking(ref: str, place: str, value: JSON) -> Iterator[str]:
    """Which parts of the schema speak of a value? Of a union, the branches that it fits, or all.

    What fits none is a fault by itself; a field that no branch names is unknown all the same.
    """
    schema = _schema(ref, place)
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        yield from _speaking(ref, schema["$ref"].removeprefix("#"), value)
        return
    yield place
    for union in _UNIONS:
        branches = [f"{place}/{union}/{number}" for number in range(len(schema.get(union, ())))]
        fitting = [branch for branch in branches if _fits(ref, branch)(value)]
        for branch in fitting or branches:
            yield from _speaking(ref, branch, value)


class _Said(NamedTuple):
    """Which parts of the schema speak of a value's entries, of its named fields, of its others?"""

    entries: Sequence[str]
    named: dict[str, list[str]]
    others: Sequence[str]


@cache
def _said(ref: str, places: tuple[str, ...]) -> _Said:
    """What do these parts of the schema, all of which speak of one value, say of what is in it?"""
    named: dict[str, list[str]] = {}
    for place in places:
        for key in _schema(ref, place).get("properties", ()):
            named.setdefault(key, []).append(f"{place}/properties/{escape(key)}")
    entries = [f"{place}/items" for place in places if "items" in _schema(ref, place)]
    others = [f"{place}/additionalProperties" for place in places if not _open(ref, place)]
    return _Said(entries, named, others)


def _open(ref: str, place: str) -> bool:
    return _schema(ref, place).get("additionalProperties", True) is True


@cache
def _schema(ref: str, place: str) -> JSON:
    return at(_whole(ref), place)


@cache
def _whole(ref: str) -> JSON:
    return parse_ref(ref).schema


@cache
def _fits(ref: str, place: str) -> Judge:
    return judge(part(_whole(ref), place))
