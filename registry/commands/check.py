"""`evalglot registry check`: are the shelves in order?"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from registry.asked import HELP, ended, shape_option, shelves, shelves_option, write

EXAMPLES = """
\b
Examples:
  evalglot registry check
  evalglot registry check --base origin/main     nothing released vanished since
  evalglot registry check --format github        as annotations

\b
Exit codes:
  0  in order
  1  something is out of order
  2  wrong usage, or shelves or a revision that can't be read
"""


@click.command(epilog=EXAMPLES, context_settings=HELP)
@click.option("--base", metavar="REV", help="Git revision whose released entries must still stand.")
@shelves_option
@click.option(
    "--fixtures", metavar="DIR", help="Sample files; by default those beside the shelves."
)
@shape_option("text", "json", "github")
@click.option("-o", "--out", metavar="FILE", default="-", help="File for the report.")
@click.pass_obj
def check(
    generators: Sequence[str] | None,
    *,
    base: str | None,
    folder: str | None,
    fixtures: str | None,
    shape: str,
    out: str,
) -> None:
    """Check the shelves: locked, linked, compatible, fresh.

    Every released schema has the digest that the lock has, and no entry of the
    lock at --base vanished or changed. Each version names the one before. What a
    format promises of its versions holds by the rule table, and for the sample
    files. Generated files are as they would be generated now.
    """
    from pathlib import Path

    from registry import auditing, history, telling

    with ended("check"):
        root = shelves(folder)
        if fixtures is not None:
            _require_folder(fixtures)
        report = auditing.audit(
            auditing.Asked(
                root=root,
                fixtures=Path(fixtures) if fixtures is not None else root.parent / "fixtures",
                earlier=history.lock_at(root, base) if base is not None else None,
                generators=generators or (),
            )
        )
        write(telling.told(report, shape), out)
        click.echo(telling.summary(report, "check"), err=True)
    sys.exit(report.exit_code)


def _require_folder(fixtures: str) -> None:
    """Raise InputError unless there is such a folder: without samples, less would be checked."""
    from registry.errors import InputError

    if not os.path.isdir(fixtures):  # noqa: PTH112 - no error for any name
        raise InputError(found="no such folder", expected="a folder of sample files", file=fixtures)
