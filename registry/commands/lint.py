"""`evalglot registry lint`: do schemas keep to what the registry asks of each?"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from registry.asked import HELP, ended, shape_option, shelves, shelves_option, write

EXAMPLES = """
\b
Examples:
  evalglot registry lint                  every schema on the shelves
  evalglot registry lint draft.json       a schema before it is added
  evalglot registry lint --format github

\b
Exit codes:
  0  nothing wrong
  1  a schema breaks a rule
  2  wrong usage, or a file that can't be read
"""


@click.command(epilog=EXAMPLES, context_settings=HELP)
@click.argument("files", nargs=-1, metavar="[FILES]...")
@shelves_option
@shape_option("text", "json", "github")
@click.option("-o", "--out", metavar="FILE", default="-", help="File for the report.")
def lint(*, files: Sequence[str], folder: str | None, shape: str, out: str) -> None:
    """Hold schemas to the registry's rules.

    Draft-07, only keywords of the subset that every engine reads alike, only
    references into the schema itself, an $id of urn:evalglot:FORMAT:VERSION,
    objects that say whether further fields may be there, and patterns that
    match in short time.
    """
    from registry import linting, telling
    from registry.findings import Report

    with ended("lint"):
        paths = [Path(file) for file in files] or sorted(shelves(folder).glob("*/*/schema.json"))
        report = Report(linting.lint(paths))
        write(telling.told(report, shape), out, map(str, paths))
        click.echo(telling.summary(report, "lint"), err=True)
    sys.exit(report.exit_code)
