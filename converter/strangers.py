"""Which fields that a version does not know does the version beside it know?

Such a field may be of any kind, and its name means nothing here. Taken for what the other version
means by it, it would make a document of that version that breaks its schema; so it stays behind,
and is carried like all else that the other version can't say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache, cached_property
from typing import Any

from converter.form import Path, reach, replaced
from registry import engine
from registry.catalog import parse_ref
from registry.values import JSON, at

Part = tuple[JSON, Sequence[JSON]]
"""A schema, and the parts of it that a value may keep to."""


class Parting:
    """What stays behind of a value that keeps to one part of a schema and becomes another?"""

    def __init__(self, here: Part, there: Part) -> None:
        self._here, self._there = here, there

    def bare(self, value: Any) -> Any:
        """How does the value look without it?"""
        if isinstance(value, dict):
            inside, gone = self.inside, self._gone
            return {
                key: inside[key].bare(item) if key in inside else item
                for key, item in value.items()
                if key not in gone
            }
        if isinstance(value, list) and self.items is not None:
            return [self.items.bare(item) for item in value]
        return value

    @cached_property
    def _gone(self) -> frozenset[str]:
        return frozenset(_fields(self._there)) - frozenset(_fields(self._here))

    @cached_property
    def inside(self) -> dict[str, Parting]:
        """What stays behind of the value of each field that both know?"""
        here, there = _fields(self._here), _fields(self._there)
        return {
            key: Parting((self._here[0], parts), (self._there[0], there[key]))
            for key, parts in here.items()
            if key in there
        }

    @cached_property
    def items(self) -> Parting | None:
        """What stays behind of each item?"""
        here, there = _items(self._here), _items(self._there)
        return Parting(here, there) if here[1] and there[1] else None


@cache
def of_envelope(here: str, path: Path, there: str, other: Path) -> Parting:
    """What stays behind of what is at a path of an envelope and comes to another path?"""
    return Parting(_below(here, path), _below(there, other))


def bare_envelope(envelope: Any, here: str, path: Path, there: str, other: Path) -> Any:
    """How does an envelope look without it? Records lie at these paths."""
    if path == other or (len(path) > 1 and len(other) > 1):
        envelope = of_envelope(here, (), there, ()).bare(envelope)
    if path == other:
        return envelope
    inner = of_envelope(here, path[:-1], there, other[:-1]).bare(reach(envelope, path[:-1]))
    return envelope if inner is None else replaced(envelope, path[:-1], inner)


@cache
def of_record(here: str, kinds: frozenset[str], there: str, nested: str | None) -> Parting:
    """What stays behind of a record of these kinds, or of those that are nested in it?"""
    parting = Parting((parse_ref(here).schema, _named(kinds)), _record(there))
    if nested is None:
        return parting
    return parting.inside[nested].items or parting


def bare_record(record: Any, here: str, there: str, nested: str | None = None) -> Any:
    """How does a record look without it?"""
    return of_record(here, _kinds_of(record, here, nested), there, nested).bare(record)


def _kinds_of(record: Any, ref: str, nested: str | None) -> frozenset[str]:
    """As which kinds of records may it be taken, where there are several?"""
    kinds = _kinds(ref)
    if len(kinds) == 1 or nested is not None:
        return frozenset(kinds)
    fits = frozenset(kind for kind in kinds if _judge(ref, kind)(record))
    return fits or frozenset(kinds)


@cache
def _kinds(ref: str) -> tuple[str, ...]:
    """Which definitions may a record keep to?"""
    name = parse_ref(ref).shelf.record
    branches = parse_ref(ref).schema["definitions"][name].get("anyOf")
    if branches is None:
        return (name,)
    refs = [branch["$ref"] for branch in branches if "$ref" in branch]
    return tuple(ref.rpartition("/")[2] for ref in refs)


@cache
def _judge(ref: str, kind: str) -> engine.Judge:
    return engine.judge(engine.part(parse_ref(ref).schema, f"/definitions/{kind}"))


def _record(ref: str) -> Part:
    return parse_ref(ref).schema, _named(_kinds(ref))


def _named(kinds: Collection[str]) -> list[JSON]:
    return [{"$ref": f"#/definitions/{kind}"} for kind in sorted(kinds)]


def _below(ref: str, path: Path) -> Part:
    schema = parse_ref(ref).schema
    parts: Sequence[JSON] = [schema]
    for key in path:
        parts = _fields((schema, parts)).get(key, [])
    return schema, parts


def _fields(part: Part) -> dict[str, list[JSON]]:
    """Which fields are named, and what is said of each?"""
    fields: dict[str, list[JSON]] = {}
    for one in _plain(part):
        for key, inner in one.get("properties", {}).items():
            fields.setdefault(key, []).append(inner)
    return fields


def _items(part: Part) -> Part:
    return part[0], [one["items"] for one in _plain(part) if "items" in one]


def _plain(part: Part) -> Iterator[JSON]:
    """The parts, with those that they refer to, and each branch of their unions."""
    root, schemas = part
    for schema in schemas:
        plain = schema
        while "$ref" in plain:
            plain = at(root, plain["$ref"].removeprefix("#"))
        yield plain
        yield from _plain((root, plain.get("anyOf", ())))
