"""`evalglot registry show`: which fields does a version have?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from registry.asked import HELP, ended, shape_option, shelves, shelves_option
from registry.reports.harmless import harmless_json

if TYPE_CHECKING:
    from registry.values import JSON

EXAMPLES = """
\b
Examples:
  evalglot registry show cbl@4
  evalglot registry show cbl               its newest version
  evalglot registry show cbl@4 --format json
"""


@click.command(epilog=EXAMPLES, short_help="Show the fields of a version.", context_settings=HELP)
@click.argument("version", metavar="F[@V]")
@shelves_option
@shape_option("text", "json")
def show(*, version: str, folder: str | None, shape: str) -> None:
    """Show the fields of a version: place, type, and whether it is always there.

    In a place, * is every entry of a list and every field without a name. A field
    that is required in some forms of its object only says "some".
    """
    from registry import fields, gate, library, table

    with ended("show"):
        libraries = [library.read(shelves(folder)), *(library.brought() if folder is None else ())]
        held = library.having(version, libraries)
        one = held.find(version)
        schema = held.sound(one)
        found = fields.fields(schema)
        if shape == "json":
            click.echo(harmless_json(gate.dump(_as_json(one.ref, schema, found), indent=2)))
        else:
            click.echo(table.text(one.ref, schema, found), nl=False)


def _as_json(ref: str, schema: JSON, found: tuple[object, ...]) -> JSON:
    import msgspec

    return {
        "$schema": "urn:evalglot:evalglot-registry-fields:1",
        "version": 1,
        "ref": ref,
        "title": schema.get("title", ""),
        "description": schema.get("description", ""),
        "fields": msgspec.to_builtins(found),
    }
