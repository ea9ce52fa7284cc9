"""The command `evalglot cases`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

EPILOG = """
\b
Example, so that git diff shows cases instead of JSON:
  echo 'results/*.json diff=evalglot' >> .gitattributes
  git config diff.evalglot.textconv 'evalglot cases --else-raw'

\b
Exit codes:
  0  the lines are written
  2  wrong usage, or a file that can't be read
"""


@click.command(epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("run")
@click.option("--from", "source", metavar="F[@V]", help="Format of the run. Found out if left out.")
@click.option("--else-raw", is_flag=True, help="Give a file that is no run as it is.")
def cases(run: str, source: str | None, else_raw: bool) -> None:
    """Tell a run case by case in plain lines, sorted, for git diff and grep."""
    from diffruns.listing import listing
    from registry.catalog import parse_ref
    from registry.errors import EvalglotError
    from registry.reports.harmless import harmless

    try:
        told = listing(run, parse_ref(source) if source else None)
    except EvalglotError as error:
        if not else_raw or not Path(run).is_file():
            click.echo(f"evalglot cases: {harmless(str(error))}", err=True)
            sys.exit(2)
        told = Path(run).read_bytes()
    sys.stdout.buffer.write(told)
