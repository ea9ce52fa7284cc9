"""`evalglot rules`: what are result files held to beyond their shape?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from registry.asked import HELP, ended, shape_option

if TYPE_CHECKING:
    from registry.rules import Rule

WIDTH = 80

EXAMPLES = """
\b
Examples:
  evalglot rules                  every rule
  evalglot rules sandtable        those of a format
  evalglot rules --format json
"""


@click.command(
    "rules", epilog=EXAMPLES, short_help="List the rules beyond shape.", context_settings=HELP
)
@click.argument("names", nargs=-1, metavar="[RULES]...")
@shape_option("text", "json")
def rules(*, names: Sequence[str], shape: str) -> None:
    """List the rules beyond shape that `evalglot validate` holds files to.

    RULES are ids, or formats for all of their rules. Where a format knows an
    exception, what breaks a rule by it is a warning that says so.
    """
    from registry.rules import RULES, selected

    with ended("rules"):
        asked = selected(names)
        listed = [one for one in RULES if one.id in asked]
        if shape == "json":
            from registry.reports.json import spelled

            click.echo(spelled(_as_json(listed)), nl=False)
        else:
            click.echo("\n".join(_lines(listed)))


def _as_json(listed: Sequence[Rule]) -> object:
    from msgspec.structs import asdict

    return {
        "$schema": "urn:evalglot:evalglot-rules:1",
        "version": 1,
        "rules": [asdict(one) for one in listed],
    }


def _lines(listed: Sequence[Rule]) -> Iterator[str]:
    from textwrap import wrap

    for one in listed:
        yield f"{one.id:32}{one.severity}"
        yield from wrap(one.sentence, WIDTH, initial_indent="  ", subsequent_indent="  ")
