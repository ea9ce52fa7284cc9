"""The command `evalglot collect`."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from registry.asked import HELP, ended

if TYPE_CHECKING:
    from registry.lexemes import Nonfinite

EPILOG = """
\b
Examples:
  evalglot collect runs/ --into dataset          all result files of a folder
  evalglot collect 's3://evals/**/*.json' --into s3://evals-dataset
  evalglot collect runs/ --into dataset          again: what is new or changed
  evalglot collect s3://evals --into s3://evals-dataset --scheduler tcp://host:8786

\b
Exit codes:
  0  all files are in the dataset
  1  some were set aside: evalglot query DIR "FROM error"
  2  wrong usage, or a folder that can't be reached or written; what was done is kept
  4  there was no file
"""


@click.command(epilog=EPILOG, context_settings=HELP)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCES...")
@click.option("--into", required=True, metavar="DIR", help="Folder or URL of the dataset.")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Work on the cluster of this Dask scheduler: tcp://…"
)
@click.option(
    "--jobs", metavar="N", type=click.IntRange(1), help="Processes here (default: one a core)."
)
@click.option(
    "--nonfinite",
    type=click.Choice(["reject", "keep", "null"]),
    default="reject",
    help="What to do with bare NaN and Infinity in a file.",
)
@click.option("-q", "--quiet", is_flag=True, help="No summary on standard error.")
def collect(
    *,
    sources: Sequence[str],
    into: str,
    scheduler: str | None,
    jobs: int | None,
    nonfinite: Nonfinite,
    quiet: bool,
) -> None:
    """Collect result files of any formats into a dataset of Parquet tables.

    SOURCES are files, folders, patterns, or URLs of them (s3://, gs://, https://).
    A content is taken once, a changed file replaced, a bad one set aside.
    """
    from evalglot.dataset.needed import need

    gc.freeze()
    gc.set_threshold(100_000, 50, 50)  # records come and go without cycles
    with ended("evalglot collect"):
        need("pyarrow", "fsspec")
        from evalglot.dataset import collecting, engine

        asked = collecting.Asked(nonfinite=nonfinite, scheduler=scheduler, jobs=engine.jobs(jobs))
        outcome = collecting.collect(sources, into, asked)
    if not quiet:
        click.echo(_summary(outcome.counts, into), err=True)
    sys.exit(4 if not outcome.files else 1 if outcome.counts["set aside"] else 0)


def _summary(counts: dict[str, int], into: str) -> str:
    """What came of it, in one line?"""
    from registry.reports.harmless import harmless

    total = sum(counts.values())
    told = ", ".join(f"{counts[one]:,} {one}" for one in ("taken", "known", "set aside"))
    return harmless(f"{into}: {total:,} file{'s'[: total != 1]}: {told}")
