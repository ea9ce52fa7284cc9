"""Which documents keep to a schema, and have no field besides those that it names?

A document that keeps to the schema with its objects closed has nothing wrong and nothing unknown:
one look settles the usual case. Where it does not, the open schema and the walk of
`registry.drift` say which of the two it was.
"""

from __future__ import annotations

from functools import cache

from registry import engine, validation
from registry.catalog import parse_ref
from registry.engine import Judge
from registry.values import JSON

_MAPS = ("properties", "definitions")


class Unsound(Exception):
    """Closed, the schema might accept what it refuses itself: by oneOf, less is more."""


def closed(schema: JSON) -> JSON:
    """The schema, with each object that names fields refusing all others. Raises Unsound."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "oneOf" in schema:
        raise Unsound
    inner = {
        key: {name: closed(part) for name, part in value.items()} if key in _MAPS else closed(value)
        for key, value in schema.items()
        if key not in ("const", "enum")
    }
    inner |= {key: schema[key] for key in ("const", "enum") if key in schema}
    if "properties" in inner and inner.get("additionalProperties", True) is True:
        inner["additionalProperties"] = False
    return inner


@cache
def record_check(ref: str) -> Judge:
    """Which function says that a record is valid, and that each of its fields is known?"""
    return _judge(parse_ref(ref).schema, f"/definitions/{parse_ref(ref).shelf.record}")


@cache
def envelope_check(ref: str) -> Judge:
    """Which function says that of a document whose records were taken out?"""
    return _judge(validation.envelope_schema(parse_ref(ref)), "")


@cache
def document_check(ref: str) -> Judge:
    """Which function says that of a whole document?"""
    return _judge(parse_ref(ref).schema, "")


def _judge(schema: JSON, place: str) -> Judge:
    try:
        return engine.hasty_judge(engine.part(closed(schema), place))
    except Unsound:
        return lambda _: False
