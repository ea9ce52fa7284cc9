"""The command `evalglot report`."""

from __future__ import annotations

import gc
import hashlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from registry import completing
from registry.asked import redact_option, redactor
from registry.choosing import Choice

if TYPE_CHECKING:
    from registry.redaction import Redactor

EPILOG = """
\b
Examples:
  evalglot report run.json -o run.html
  evalglot report --by risk_type runs/@latest > run.html

\b
Inputs: a file, - for standard input, FOLDER/@latest for its newest file,
git:REVISION:PATH for a file as it was committed.

\b
Exit codes:
  0  the page is written
  2  wrong usage, or a file that can't be read
  4  the page is written, and nothing in the run could be assessed
"""

ASSESSED = ("passed", "failed", "flaky")


@click.command(
    epilog=EPILOG,
    short_help="Make an HTML page of a run.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("run", shell_complete=completing.files)
@click.option(
    "--from",
    "source",
    metavar="F[@V]",
    shell_complete=completing.refs,
    help="Format of the run. Found out if left out.",
)
@click.option("--by", metavar="DIM", multiple=True, help="Show each value of DIM, too.")
@click.option(
    "--nonfinite",
    type=Choice(["reject", "keep", "null"]),
    default="reject",
    help="What to do with bare NaN and Infinity in the run.",
)
@redact_option
@click.option("-o", "--out", metavar="FILE", default="-", help="File for the page.")
def report(
    *, run: str, source: str | None, by: Sequence[str], nonfinite: str, redact: bool, out: str
) -> None:
    """Make one self-contained HTML page of a run, whichever tool wrote it."""
    from registry.errors import EvalglotError
    from registry.reports.harmless import harmless

    gc.freeze()
    gc.set_threshold(100_000, 50, 50)  # records come and go without cycles
    masking = None
    try:
        masking = redactor(asked=redact)
        code = write(run, source, by, nonfinite, out, masking=masking)
    except EvalglotError as error:
        said = str(error) if masking is None else masking.text(str(error))
        click.echo(f"evalglot report: {harmless(said)}", err=True)
        sys.exit(2)
    if masking is not None:
        click.echo(f"evalglot report: {masking.line()}", err=True)
    sys.exit(code)


def write(
    run: str,
    source: str | None,
    by: Sequence[str],
    nonfinite: str,
    out: str,
    *,
    masking: Redactor | None = None,
) -> int:
    """Write the page; which exit code is that? Raises EvalglotError."""
    from converter import runs, sidecar, target
    from diffruns import inputs
    from diffruns.command import Usage
    from diffruns.dimensions import DIMENSIONS
    from diffruns.sides import side
    from evalglot.report.page import render
    from registry import catalog, whole
    from registry.edges import original

    unknown = next((name for name in by if name not in DIMENSIONS), None)
    if unknown is not None:
        raise Usage(f"--by {unknown}", expected=f"one of {', '.join(DIMENSIONS)}")
    if out == target.STDOUT and sys.stdout.isatty():
        raise Usage("a page for a terminal", expected="-o FILE, such as -o report.html")
    with inputs.opened(run) as (data, file):
        whole.refuse_overwriting((file, file + sidecar.SUFFIX), [out])
        version = catalog.parse_ref(source) if source else None
        read = runs.read(data, file, version, nonfinite, masking)  # type: ignore[arg-type]
        held = side(read, file, hashlib.sha256(original(data)).hexdigest())
        told = render(held, by)
    if out == target.STDOUT:
        sys.stdout.buffer.write(told)
    else:
        with target.replacing(out) as stream:
            stream.write(told)
    return 0 if any(entry.state in ASSESSED for entry in held.entries) else 4
