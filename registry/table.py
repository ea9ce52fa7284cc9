"""How are the fields of a schema shown in 80 columns?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from registry.fields import Field
from registry.reports.harmless import harmless
from registry.values import JSON

WIDTH = 80
WIDEST = 44
"""How wide the column of places is, at the most; a longer place has a line of its own."""

KIND = 16
NEEDED = 9


def text(ref: str, schema: JSON, fields: Sequence[Field]) -> str:
    """Which lines show it?"""
    return "\n".join(_lines(ref, schema, fields)) + "\n"


def _lines(ref: str, schema: JSON, fields: Sequence[Field]) -> Iterator[str]:
    yield from wrap(harmless(f"{ref}: {schema.get('title', '')}"), WIDTH)
    yield from wrap(harmless(schema.get("description", "")), WIDTH)
    yield ""
    place = min(WIDEST, max((len(harmless(one.pointer)) for one in fields), default=0) + 2)
    yield f"{'FIELD':{place}}{'TYPE':{KIND}}REQUIRED"
    for one in fields:
        yield from _field(one, place)


def _field(one: Field, width: int) -> Iterator[str]:
    place = harmless(one.pointer)
    if len(place) > width - 2:
        yield from wrap(place, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
        place = ""
    kinds = "|".join(sorted(one.types, key="null".__eq__)) or "any"
    if len(kinds) > KIND - 2:
        yield f"{place:{width}}{kinds}"[:WIDTH].rstrip()
        place, kinds = "", ""
    yield f"{place:{width}}{kinds:{KIND}}{one.required}"
    for said in (one.allowed, one.description):
        lines = wrap(harmless(said), WIDTH, initial_indent="    ", subsequent_indent="    ")
        yield from lines
