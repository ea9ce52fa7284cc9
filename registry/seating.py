"""Where in a schema are lists of records, and what is one record called there?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from registry.keywords import target
from registry.shapes import UNIONS
from registry.values import JSON, escape, unescape

DEEPEST = 3
"""How many objects may lie around a list of records that is looked for."""

_PREFIX = "#/definitions/"


def parts(schema: JSON, place: str) -> Iterator[JSON]:
    """Which parts of a schema speak of the value at a JSON Pointer into its documents?"""
    yield from _parts(schema, schema, [unescape(token) for token in place.split("/")[1:]])


def _parts(root: JSON, schema: JSON, tokens: Sequence[str]) -> Iterator[JSON]:
    if "$ref" in schema:
        yield from _parts(root, target(root, schema["$ref"]), tokens)
        return
    for union in UNIONS:
        for branch in schema.get(union, ()):
            yield from _parts(root, branch, tokens)
    if not tokens:
        yield schema
    elif tokens[0] in schema.get("properties", {}):
        yield from _parts(root, schema["properties"][tokens[0]], tokens[1:])


def record_at(schema: JSON, place: str) -> str | None:
    """Which definition describes the records of a list at this place? None when there is none."""
    for part in parts(schema, place):
        reference = part.get("items", {}).get("$ref", "")
        if reference.startswith(_PREFIX) and "/" not in reference.removeprefix(_PREFIX):
            return unescape(reference.removeprefix(_PREFIX))
    return None


def seats(schema: JSON) -> list[str]:
    """At which places, not too deep, may a list of records be? JSON Pointers."""
    return list(dict.fromkeys(_seats(schema, "", 0)))


def _seats(schema: JSON, place: str, depth: int) -> Iterator[str]:
    if record_at(schema, place):
        yield place
    if depth < DEEPEST:
        for part in parts(schema, place):
            for name in part.get("properties", ()):
                yield from _seats(schema, f"{place}/{escape(name)}", depth + 1)
