"""`evalglot registry list`: which formats and versions are there?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING

import click

from registry.asked import HELP, ended, shape_option, shelves, shelves_option
from registry.reports.harmless import harmless, harmless_json

if TYPE_CHECKING:
    from registry.library import Held, Library

EXAMPLES = """
\b
Examples:
  evalglot registry list                  formats, versions, status, release date
  evalglot registry list --format json
"""


@click.command(
    "list", epilog=EXAMPLES, short_help="List formats and versions.", context_settings=HELP
)
@shelves_option
@shape_option("text", "json")
def list_(*, folder: str | None, shape: str) -> None:
    """List formats and their versions, with status and release date."""
    from registry import gate, library

    with ended("list"):
        held = [library.read(shelves(folder)), *(library.brought() if folder is None else ())]
        if shape == "json":
            click.echo(harmless_json(gate.dump(_as_json(held), indent=2)))
        else:
            click.echo("\n".join(_lines(held)))


def _as_json(held: Sequence[Library]) -> object:
    import msgspec

    return {
        "$schema": "urn:evalglot:evalglot-registry-list:1",
        "version": 1,
        "schemas": [msgspec.to_builtins(one) for library in held for one in library.all],
    }


def _lines(held: Sequence[Library]) -> Iterator[str]:
    for title, group in groupby(
        chain.from_iterable(one.all for one in held), key=lambda one: one.title
    ):
        versions = list(group)
        yield harmless(title)
        yield from (_line(one) for one in versions)


def _line(one: Held) -> str:
    return f"  {one.ref:32}{one.status:10}{one.released or ''}".rstrip()
