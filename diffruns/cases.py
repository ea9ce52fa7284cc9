"""The command `evalglot cases`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from registry import completing
from registry.errors import EvalglotError

if TYPE_CHECKING:
    from registry.catalog import Version

EPILOG = """
\b
Examples:
  evalglot cases run.json | grep failed
  evalglot cases git:main:run.json

\b
So that git diff shows cases instead of JSON:
  echo 'results/*.json diff=evalglot' >> .gitattributes
  git config diff.evalglot.textconv 'evalglot cases --else-raw'

\b
Exit codes:
  0  the lines are written
  2  wrong usage, or a file that can't be read
"""


@click.command(
    epilog=EPILOG,
    short_help="Tell a run in lines, for git diff.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("run", shell_complete=completing.files)
@click.option("--from", "source", metavar="F[@V]", help="Format of the run. Found out if left out.")
@click.option("--else-raw", is_flag=True, help="Give a file that is no run as it is.")
def cases(run: str, source: str | None, else_raw: bool) -> None:
    """Tell a run case by case in plain lines, sorted, for git diff and grep."""
    from registry.catalog import parse_ref
    from registry.reports.harmless import harmless

    try:
        told = _told(run, parse_ref(source) if source else None, else_raw=else_raw)
    except EvalglotError as error:
        click.echo(f"evalglot cases: {harmless(str(error))}", err=True)
        sys.exit(2)
    sys.stdout.buffer.write(told)


def _told(run: str, version: Version | None, *, else_raw: bool) -> bytes:
    """Which lines tell this run? Raises EvalglotError."""
    from diffruns.listing import listing
    from registry import files, names, whole

    whole.refuse_overwriting([run], [whole.STDOUT])
    try:
        return listing(run, version)
    except EvalglotError:
        if not else_raw or not names.is_file(run):
            raise
    with files.opened(run) as data:
        return bytes(data)
