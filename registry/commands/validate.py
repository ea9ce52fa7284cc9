"""The `validate` command."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from registry import reports
from registry.asked import HELP, ended, redact_option, redactor, write
from registry.errors import OutputError

if TYPE_CHECKING:
    from registry.lexemes import Nonfinite

EPILOG = """
\b
Examples:
  evalglot validate run.json                  which format it has is found out
  evalglot validate --from cbl@4 run.json     is it a file of this version?
  evalglot validate --strict runs/            unknown fields and warnings fail, too
  evalglot validate --ignore cbl/unlisted .   without one of the rules beyond shape
  evalglot validate --format sarif -o v.sarif runs/
  cat rows.jsonl | evalglot validate -

\b
Exit codes:
  0  nothing wrong (there may be warnings)
  1  a file is not JSON, of no known format, breaks its schema or contradicts itself
  2  wrong usage, or a file that can't be read
"""


@click.command(epilog=EPILOG, context_settings=HELP)
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option(
    "--from", "source", metavar="F[@V]", help="Format of the files; found out if left out."
)
@click.option("--strict", is_flag=True, help="Fail on unknown fields and on all other warnings.")
@click.option(
    "--select",
    metavar="RULE",
    multiple=True,
    help="Rules beyond shape to hold files to: an id, or a format for all of its rules (default: "
    "all; `evalglot rules` lists them).",
)
@click.option("--ignore", metavar="RULE", multiple=True, help="Rules to leave out.")
@click.option("--ignore-unknown", is_flag=True, help="Skip files of no known format.")
@click.option(
    "--nonfinite",
    type=click.Choice(["reject", "keep", "null"]),
    default="reject",
    help="What to do with bare NaN and Infinity in a file.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(reports.KINDS),
    default="text",
    help="Shape of the report (default: text).",
)
@click.option("-o", "--out", metavar="FILE", default="-", help="File for the report.")
@click.option("--output", "more", metavar="KIND=FILE", multiple=True, help="A further report.")
@redact_option
@click.option("-q", "--quiet", is_flag=True, help="No summary on standard error.")
def validate(
    *,
    paths: Sequence[str],
    source: str | None,
    strict: bool,
    select: Sequence[str],
    ignore: Sequence[str],
    ignore_unknown: bool,
    nonfinite: Nonfinite,
    kind: str,
    out: str,
    more: Sequence[str],
    redact: bool,
    quiet: bool,
) -> None:
    """Check result files: their JSON, their schema, their fields and their counts.

    PATHS are files, folders (searched for .json, .jsonl and .ndjson), patterns such as
    'runs/**/*.json', or - for standard input, which is read when none is given.
    """
    from registry import checking, rules, whole
    from registry.catalog import parse_ref

    gc.freeze()
    gc.set_threshold(100_000, 50, 50)  # records come and go without cycles
    with ended("validate"):
        wanted = [_wanted(one) for one in more]
        asked = checking.Asked(
            version=parse_ref(source) if source else None,
            nonfinite=nonfinite,
            strict=strict,
            ignore_unknown=ignore_unknown,
            rules=rules.selected(select, ignore),
            redactor=redactor(asked=redact),
        )
        report = checking.check(paths or ("-",), asked)
        whole.refuse_overwriting(
            [one.file for one in report.files], [out, *(file for _, file in wanted)]
        )
        for shape, file in ((kind, out), *wanted):
            write(reports.render(shape, report), file)
    if not quiet:
        from registry.reports.text import summary

        click.echo(summary(report), err=True)
        if asked.redactor is not None:
            click.echo(asked.redactor.line(), err=True)
    sys.exit(report.exit_code)


def _wanted(given: str) -> tuple[str, str]:
    """Which shape and which file does KIND=FILE name?"""
    kind, _, file = given.partition("=")
    if kind not in reports.KINDS or not file:
        raise OutputError(
            found=f"--output {given}",
            expected=f"KIND=FILE, where KIND is one of {', '.join(reports.KINDS)}",
        )
    return kind, file
