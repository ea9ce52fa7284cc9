"""The `diffruns` command."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable
from typing import Any

import click

from diffruns.gates import FAIL_ON
from registry import completing
from registry.asked import redact_option, redactor
from registry.choosing import Choice, near

EPILOG = """
\b
Examples:
  diffruns a.json b.json                          what changed from A to B
  diffruns --by risk_type --by tag a.json b.json  and where
  diffruns --case refund-17 a.json b.json         one case in full
  diffruns --only broke,fixed --all a.json b.json
  diffruns --fail-on regression --max-drop 2pp git:main:run.json run.json
  diffruns --output markdown=pr.md --output sarif=x.sarif a.json b.json
  diffruns --baseline dataset@last5 b.json        with the last five runs

\b
Inputs: a file, - for standard input, FOLDER/@latest for its newest file,
git:REVISION:PATH for a file as it was committed.

\b
Exit codes:
  0  no case got worse (with gates: none is tripped)
  1  a case got worse, or a gate is tripped
  2  wrong usage, or a file that can't be read
  3  the runs may not be compared
  4  nothing could be assessed
"""


def _dimensions() -> Iterable[str]:
    from diffruns.dimensions import DIMENSIONS

    return DIMENSIONS


def _buckets() -> Iterable[str]:
    from diffruns.transitions import WORDS

    return map(str, WORDS)


def _kinds() -> Iterable[str]:
    from diffruns.renderers import KINDS

    return KINDS


@click.command(
    epilog=EPILOG,
    short_help="Compare two runs case by case.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("a", metavar="A", shell_complete=completing.files)
@click.argument("b", metavar="B", required=False, shell_complete=completing.files)
@click.option(
    "--baseline", metavar="DIR@lastN", help="A is the last N runs of a dataset; give B alone."
)
@click.option(
    "--from",
    "sources",
    metavar="F[@V]",
    multiple=True,
    shell_complete=completing.refs,
    help="Format of the inputs; twice: of A, and of B. Found out if left out.",
)
@click.option(
    "--by",
    metavar="DIM",
    multiple=True,
    shell_complete=completing.words(_dimensions),
    help="Compare within each value of DIM, too.",
)
@click.option(
    "--cluster",
    metavar="DIM",
    shell_complete=completing.words(_dimensions),
    help="Cases of one value of DIM are not independent.",
)
@click.option("--key", metavar="EXPR", help="Facts that tell a case, such as case.id,case.group.")
@click.option("--map", "map_file", metavar="FILE", help='JSON object: {"id in A": "id in B"}.')
@click.option("--pair", "pairs", metavar="A=B", multiple=True, help="Targets to compare, by name.")
@click.option(
    "--only",
    metavar="BUCKETS",
    shell_complete=completing.words(_buckets),
    help="List these only, such as broke,fixed.",
)
@click.option("--all", is_flag=True, help="List everything, however long.")
@click.option("--case", metavar="ID", help="Show one case in full, side by side.")
@click.option("--ignore", metavar="FIELD", multiple=True, help="Do not look at FIELD.")
@click.option("--tolerance", metavar="score=X", multiple=True, help="How far a score may move.")
@click.option("--alpha", type=float, default=0.05, help="Level of the tests (default: 0.05).")
@click.option(
    "--correct",
    type=Choice(["holm", "bh", "none"]),
    default="holm",
    help="How a family of tests is corrected (default: holm).",
)
@click.option("--fail-on", type=Choice(FAIL_ON), multiple=True, help="Exit 1 only on this.")
@click.option("--max-drop", metavar="SHARE", help="Gate: largest drop of the pass rate: 2pp.")
@click.option("--max-fail-share", metavar="SHARE", help="Gate: largest share that fails: 0.2.")
@click.option("--critical", metavar="ID|TAG", multiple=True, help="Gate: these must not get worse.")
@click.option(
    "--nonfinite",
    type=Choice(["reject", "keep", "null"]),
    default="reject",
    help="What to do with bare NaN and Infinity in an input.",
)
@redact_option
@click.option(
    "--format",
    "kind",
    metavar="KIND",
    default="text",
    shell_complete=completing.words(_kinds),
    help="Shape of the report: text, json, html, markdown, junit, sarif, ctrf or github.",
)
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    default="-",
    shell_complete=completing.files,
    help="File for the report.",
)
@click.option("--output", metavar="KIND=FILE", multiple=True, help="A further report.")
def diffruns(a: str, b: str | None, **given: Any) -> None:
    """Compare run B with run A case by case, whichever tools wrote them."""
    from diffruns import command, renderers
    from registry.errors import EvalglotError
    from registry.reports.harmless import harmless

    if b is None and given["baseline"] is None:
        raise click.UsageError("Missing argument 'B'.")
    if b is not None and given["baseline"] is not None:
        raise click.UsageError("--baseline stands for A: give B alone")
    if given["baseline"] is not None and given["redact"]:
        raise click.UsageError("--redact masks files, not the dataset of a --baseline")
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)  # records come and go without cycles
    if given["kind"] not in renderers.KINDS:
        known = ", ".join(renderers.KINDS)
        hint = near(given["kind"], renderers.KINDS)
        raise click.BadParameter(
            f"{given['kind']!r} is not one of {known}. {hint}".strip(), param_hint="--format"
        )
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    width = _width()
    masking = None
    try:
        masking = redactor(asked=given.pop("redact"))
        asked = command.Asked(**given, width=width, colour=colour, redactor=masking)
        code = command.run(a, b, asked) if b is not None else command.run(None, a, asked)
    except EvalglotError as error:
        said = str(error) if masking is None else masking.text(str(error))
        click.echo(f"diffruns: {harmless(said)}", err=True)
        sys.exit(2 if error.exit_code == 1 else error.exit_code)  # an invalid input is no finding
    if masking is not None:
        click.echo(f"diffruns: {masking.line()}", err=True)
    sys.exit(code)


def _width() -> int:
    """How wide is the terminal? 80 columns where there is none."""
    import shutil

    return shutil.get_terminal_size((80, 24)).columns


def main() -> None:
    """Run `diffruns`: exit 0 nothing got worse, 1 it did, 2 usage, 3 not comparable, 4 nothing."""
    from registry import ending

    ending.run(diffruns)


if __name__ == "__main__":
    main()
