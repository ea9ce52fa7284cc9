"""The command `evalglot query`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from registry.asked import HELP, ended

KINDS = ("table", "json", "csv", "parquet")

EPILOG = """
\b
Examples:
  evalglot query dataset "SELECT tool, count(*) FROM runs GROUP BY ALL"
  evalglot query dataset "FROM errors"
  evalglot query dataset --format csv -o trials.csv "FROM trials LIMIT 1000"

\b
Tables: runs, cases, trials, checks, files, errors. docs/dataset.md lists their
columns; every row names its file by `digest`, every case by `case_key`.

\b
Exit codes:
  0  there is an answer
  2  wrong usage, or a query or dataset that can't be read
  4  the answer has no row
"""


@click.command(epilog=EPILOG, context_settings=HELP)
@click.argument("folder", metavar="DIR")
@click.argument("sql", metavar="SQL")
@click.option(
    "--format", "kind", type=click.Choice(KINDS), default="table", help="Shape of the answer."
)
@click.option("--all", "every", is_flag=True, help="Show all rows of a table, however many.")
@click.option("-o", "--out", metavar="FILE", default="-", help="File for the answer.")
def query(*, folder: str, sql: str, kind: str, every: bool, out: str) -> None:
    """Ask a dataset of runs in SQL. DuckDB answers; it sees the tables and no file."""
    from evalglot.dataset.needed import need

    with ended("evalglot query"):
        need("pyarrow", "duckdb", "fsspec")
        from evalglot.dataset import asking, shown

        with asking.opened(folder) as dataset:
            answer = dataset.ask(spoken(sql))
        put(shown.render(kind, answer, every=every), kind, out, folder)
    sys.exit(0 if answer.num_rows else 4)


def spoken(text: str) -> str:
    """The text as columns have it: what was no text on the command line is an escape."""
    return text.encode("utf-8", "backslashreplace").decode()


def put(told: bytes, kind: str, out: str, folder: str) -> None:
    """Write what is told: to no terminal that can't show it, and to no part of the dataset."""
    from evalglot.dataset import places
    from registry.asked import write
    from registry.errors import OutputError

    if kind == "parquet" and out == "-" and sys.stdout.isatty():
        raise OutputError(
            found="Parquet for a terminal", expected="-o FILE, such as -o answer.parquet"
        )
    inside = out != "-" and not places.is_url(folder)
    if inside and Path(folder).resolve() in Path(out).resolve().parents:
        raise OutputError(found="a file in the dataset", expected="another folder", file=out)
    write(told, out)
