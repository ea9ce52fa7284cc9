"""The command `evalglot trend`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from evalglot.dataset.commands.query import KINDS, put, spoken
from registry.asked import HELP, ended

if TYPE_CHECKING:
    from evalglot.dataset.trend import Per

EPILOG = """
\b
Examples:
  evalglot trend dataset --case refund-17     since when does it fail, and where?
  evalglot trend dataset --tag billing --per week
  evalglot trend dataset --check Politeness --format csv -o politeness.csv

\b
A case is named by its id, else its name, description or the start of its input,
or by its `case_key`. Each target is told apart.

\b
Exit codes:
  0  nothing fell
  1  the last shift of a target's pass rate is for the worse
  2  wrong usage, or a dataset that can't be read
  4  no run has it, or none of its trials was judged
"""


@click.command(epilog=EPILOG, context_settings=HELP)
@click.argument("folder", metavar="DIR")
@click.option("--case", metavar="ID", help="The trend of one case.")
@click.option("--tag", metavar="TAG", help="The trend of all cases with a tag.")
@click.option("--check", metavar="NAME", help="The trend of one check over all cases.")
@click.option(
    "--per", type=click.Choice(["day", "week", "month"]), default="month", help="Periods."
)
@click.option(
    "--k", type=click.IntRange(1, 32), default=3, help="Trials that all have to pass in pass^k."
)
@click.option("--alpha", type=float, default=0.05, help="Level of the tests (default: 0.05).")
@click.option(
    "--format", "kind", type=click.Choice(KINDS), default="table", help="Shape of the report."
)
@click.option("-o", "--out", metavar="FILE", default="-", help="File for the report.")
def trend(
    *,
    folder: str,
    case: str | None,
    tag: str | None,
    check: str | None,
    per: Per,
    k: int,
    alpha: float,
    kind: str,
    out: str,
) -> None:
    """Say since when a case, a tag or a check fails, on which target, and how sure that is.

    First failing run, shifts of the pass rate with their test, and by period: pass
    rate, flakiness, pass^k and cost per pass.
    """
    from evalglot.dataset.needed import need

    given = [(by, said) for by, said in (("case", case), ("tag", tag), ("check", check)) if said]
    if len(given) != 1:
        raise click.UsageError("give one of --case, --tag and --check")
    if not 0 < alpha < 1:
        raise click.UsageError(f"--alpha {alpha}: expected a number between 0 and 1")
    by, said = given[0]
    with ended("evalglot trend"):
        need("pyarrow", "duckdb", "fsspec")
        from evalglot.dataset import asking, trending, trendshown
        from evalglot.dataset.counting import Asked

        asked = Asked(by=by, subject=spoken(said), per=per, k=k, alpha=alpha)  # type: ignore[arg-type]
        with asking.opened(folder) as dataset:
            report = trending.trend(dataset, asked)
        put(trendshown.render(kind, report), kind, out, folder)
    sys.exit(report.exit_code)
