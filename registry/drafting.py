"""Which schema do these documents keep to, as a draft for somebody to look over?

genson says which types were seen where; records are drafted apart from the documents that hold
them, as the shelves do it. Only what was always there is required, and every object is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from registry.errors import InputError
from registry.keywords import DEEPEST, DRAFT, inside
from registry.sightings import Path, Sightings
from registry.values import JSON, pointer, unescape

if TYPE_CHECKING:
    from genson import SchemaBuilder

SLOT: JSON = {"title": "slot", "type": "object"}
"""What a schema says of the place where foreign data goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What is a draft called, where are the records, and where does foreign data go?

    `places` are JSON Pointers of lists of records, of which documents may have any; the slots are
    JSON Pointers in a document and in a record.
    """

    id: str
    title: str
    places: Sequence[str] = ()
    record: str = "record"
    run_slot: str = "/x-evalglot"
    record_slot: str = "/x-evalglot"


def draft(documents: Sequence[JSON], layout: Layout) -> JSON:
    """Which schema of the registry's subset do all of these documents keep to?

    Raises InputError when genson is not installed.
    """
    envelopes, records, held = _parted(documents, layout.places)
    named = {
        "$schema": DRAFT,
        "$id": layout.id,
        "title": layout.title,
        "description": f"{_counted(documents, records if held else None)}; not looked over yet.",
    }
    schema = {**named, **_drafted(envelopes, layout.run_slot)}
    if not held:
        return schema
    reference = {"$ref": f"#{pointer(['definitions', layout.record])}"}
    for place in held:
        _form_at(schema, _tokens(place), "array")["items"] = reference
    return {**schema, "definitions": {layout.record: _drafted(records, layout.record_slot)}}


def _counted(documents: Sequence[JSON], records: Sequence[JSON] | None) -> str:
    said = f"Drafted from {len(documents):,} document{'s'[: len(documents) != 1]}"
    if records is None:
        return said
    return f"{said} with {len(records):,} record{'s'[: len(records) != 1]}"


def _parted(
    documents: Sequence[JSON], places: Sequence[str]
) -> tuple[list[JSON], list[JSON], list[str]]:
    """What are the documents without their records, the records, and the places that had any?"""
    envelopes: list[JSON] = []
    records: list[JSON] = []
    held: dict[str, None] = {}
    for document in documents:
        envelope = document
        for place in places:
            found = list_at(envelope, place)
            if found is not None:
                held[place] = None
                records += found
                envelope = _emptied(envelope, _tokens(place))
        envelopes.append(envelope)
    return envelopes, records, list(held)


def list_at(document: JSON, place: str) -> list[JSON] | None:
    """Which records are at a place that only objects lead to? None when there is no list."""
    value = document
    for token in _tokens(place):
        if not isinstance(value, dict) or token not in value:
            return None
        value = value[token]
    return value if isinstance(value, list) else None


def _tokens(place: str) -> list[str]:
    return [unescape(token) for token in place.split("/")[1:]]


def _emptied(document: JSON, tokens: Sequence[str]) -> JSON:
    """How does a document look without its records? It is not changed itself."""
    if not tokens:
        return []
    return {**document, tokens[0]: _emptied(document[tokens[0]], tokens[1:])}


def _drafted(values: Sequence[JSON], slot: str) -> JSON:
    """Which schema do these values keep to? An object where there are none."""
    builder, seen = _builder(), Sightings()
    for value in values:
        builder.add_object(value)
        seen.add(value)
    schema = _finished(builder.to_schema(), (), seen, 0) if values else {"type": "object"}
    *around, name = _tokens(slot)
    _give_slot(schema, around, name)
    return schema


def _builder() -> SchemaBuilder:
    try:
        from genson import SchemaBuilder
    except ImportError:
        raise InputError(
            found="genson is not installed, which infer needs",
            expected="the extra infer",
            hint="Install it: pip install 'evalglot[infer]'",
        ) from None
    return SchemaBuilder(None)


def _finished(schema: JSON, path: Path, seen: Sightings, depth: int) -> JSON:
    """How does genson's schema look with what was seen, open, and no deeper than engines go?"""
    if depth == DEEPEST and any(inside(schema)):
        return {"type": schema["type"]} if "type" in schema else {}
    told = {**schema}
    if "anyOf" in schema:
        told["anyOf"] = [_finished(one, path, seen, depth + 1) for one in schema["anyOf"]]
    if "items" in schema:
        told["items"] = _finished(schema["items"], (*path, None), seen, depth + 1)
    if "properties" in schema:
        told.pop("required", None)
        told["properties"] = {
            key: {
                **_finished(inner, (*path, key), seen, depth + 1),
                "description": seen.told((*path, key)),
            }
            for key, inner in schema["properties"].items()
        }
        needed = [key for key in schema["properties"] if key in schema.get("required", ())]
        told |= {"required": needed} if needed else {}
        told["additionalProperties"] = True
    return told


def _give_slot(schema: JSON, around: Sequence[str], name: str) -> None:
    """Name the slot in a draft, unless there is no object for it, or something else in its place.

    What was seen in the slot came from evalglot, and is of no interest.
    """
    try:
        holder = _form_at(schema, around, "object")
    except LookupError:
        return
    fields = holder.setdefault("properties", {})
    if name not in fields or fields[name].get("type") == "object":
        fields[name] = {**SLOT}
        holder["required"] = [one for one in holder.get("required", ()) if one != name]
        if not holder["required"]:
            del holder["required"]
    holder["additionalProperties"] = True


def _form_at(schema: JSON, tokens: Sequence[str], kind: str) -> JSON:
    """Which part of a draft speaks of values of this type at a place? Raises LookupError."""
    for token in tokens:
        schema = _form(schema, "object").get("properties", {})[token]
    return _form(schema, kind)


def _form(schema: JSON, kind: str) -> JSON:
    for one in (schema, *schema.get("anyOf", ())):
        said = one.get("type", ())
        if kind in ([said] if isinstance(said, str) else said):
            return one
    raise KeyError(kind)
