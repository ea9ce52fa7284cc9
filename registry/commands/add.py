"""`evalglot registry add`: how does a new version of a format come to the shelves?"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

import click

from registry.asked import HELP, ended, shelves, shelves_option
from registry.catalog import Compat
from registry.choosing import Choice

if TYPE_CHECKING:
    from registry.values import JSON

EXAMPLES = """
\b
Examples:
  evalglot registry add schema.json --to cbl@5 --source https://a.org
  evalglot registry add schema.json --to cbl@5 --sample run.json --dry-run
  evalglot registry add schema.json --to cbl@5 --compat none  it breaks
  evalglot registry add schema.json --to tool@1 --homepage https://example.org

\b
Exit codes:
  0  added, or would be (--dry-run)
  1  something speaks against it; nothing was written
  2  wrong usage, or files that can't be read or written; nothing was written
"""


@click.command(epilog=EXAMPLES, context_settings=HELP)
@click.argument("file")
@click.option("--to", "ref", metavar="F@V", required=True, help="Format and version it becomes.")
@click.option(
    "--compat",
    type=Choice(get_args(Compat)),
    metavar="MODE",
    help="What it promises: none, backward, forward or full, the last three also with"
    " -transitive; by default what its format does (a new one: backward).",
)
@click.option("--source", metavar="URL", help="Where is known from which releases write it?")
@click.option(
    "--sample",
    "samples",
    metavar="FILE",
    multiple=True,
    help="A real file, for the fixtures; the first is typical.json. Repeatable.",
)
@click.option(
    "--detect",
    metavar="RULE",
    help="How its files are told (JSON); by default as before, with what is newly required.",
)
@click.option(
    "--records", metavar="POINTER", help="Where the list of records is; by default as before."
)
@click.option("--title", help="Of a format that is new.")
@click.option("--homepage", metavar="URL", help="Of a format that is new.")
@click.option("--case-key", help="What tells cases apart, in a format that is new.")
@shelves_option
@click.option("--dry-run", is_flag=True, help="Say what would be, write nothing.")
def add(
    *,
    file: str,
    ref: str,
    compat: str | None,
    source: str | None,
    samples: Sequence[str],
    detect: str | None,
    records: str | None,
    title: str | None,
    homepage: str | None,
    case_key: str | None,
    folder: str | None,
    dry_run: bool,
) -> None:
    """Add a schema to the shelves as a new draft version.

    FILE is a schema, or - for standard input; its $id becomes that of the version.
    It must keep the rules of `registry lint`, be newer than all versions of its
    format, keep what is promised of it, and its detection rule may take no file
    of another version. Then schema, format.json, CHANGELOG.md, first fixtures and
    the generated files are written, all of them or none.
    """
    from registry import adding, announcing, sampling, telling
    from registry.placing import Request

    about = {"title": title, "homepage": homepage, "case_key": case_key}
    with ended("add"):
        request = Request(
            ref=ref,
            schema=_json(file),
            compat=compat,
            source=source,
            detect=_rule(detect),
            records=records,
            about={name: said for name, said in about.items() if said is not None},
        )
        given = sampling.read(samples)
        added = adding.add(shelves(folder), request, file=file, given=given, dry=dry_run)
        if added.since or not added.report.exit_code:
            click.echo(announcing.text(added), nl=False)
        click.echo(telling.told(added.report, "text"), nl=False)
        click.echo(f"add: {announcing.outcome(added)}", err=True)
    sys.exit(added.report.exit_code)


def _json(file: str) -> JSON:
    from registry import files, gate

    with files.opened(file) as data:
        return gate.load(data, file=file)


def _rule(detect: str | None) -> JSON:
    from registry import gate

    if detect is None:
        return None
    return gate.load(detect.encode("utf-8", "surrogatepass"), file="--detect")
