"""The `validate` command."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from registry import completing, reports
from registry.asked import HELP, ended, redact_option, redactor, write
from registry.choosing import Choice
from registry.errors import OutputError

if TYPE_CHECKING:
    from registry.lexemes import Nonfinite

EPILOG = """
\b
Examples:
  evalglot validate run.json                  which format it has is found out
  evalglot validate --from cbl@4 run.json     is it a file of this version?
  evalglot validate --refuse-drift runs/      fields that no schema names fail, too
  evalglot validate --strict runs/            and all other warnings
  evalglot validate --ignore cbl/unlisted .   without one of the rules beyond shape
  evalglot validate --format sarif -o v.sarif runs/
  cat rows.jsonl | evalglot validate -

\b
Exit codes:
  0  nothing wrong (there may be warnings)
  1  a file is not JSON, of no known format, breaks its schema or contradicts itself
  2  wrong usage, or a file that can't be read
"""


def _rules() -> Iterable[str]:
    from registry.rules import ALL

    return ALL


@click.command(epilog=EPILOG, short_help="Check result files.", context_settings=HELP)
@click.argument("paths", nargs=-1, metavar="[PATHS]...", shell_complete=completing.files)
@click.option(
    "--from",
    "source",
    metavar="F[@V]",
    shell_complete=completing.refs,
    help="Format of the files; found out if left out.",
)
@click.option("--refuse-drift", is_flag=True, help="Fail on unknown fields.")
@click.option("--strict", is_flag=True, help="Fail on unknown fields and on all other warnings.")
@click.option(
    "--select",
    metavar="RULE",
    multiple=True,
    shell_complete=completing.words(_rules),
    help="Rules beyond shape to hold files to: an id, or a format for all of its rules (default: "
    "all; `evalglot rules` lists them).",
)
@click.option(
    "--ignore",
    metavar="RULE",
    multiple=True,
    shell_complete=completing.words(_rules),
    help="Rules to leave out.",
)
@click.option("--ignore-unknown", is_flag=True, help="Skip files of no known format.")
@click.option(
    "--nonfinite",
    type=Choice(["reject", "keep", "null"]),
    default="reject",
    help="What to do with bare NaN and Infinity in a file.",
)
@click.option(
    "--format",
    "kind",
    type=Choice(reports.KINDS),
    default="text",
    help="Shape of the report (default: text).",
)
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    default="-",
    shell_complete=completing.files,
    help="File for the report.",
)
@click.option("--output", "more", metavar="KIND=FILE", multiple=True, help="A further report.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes for a big file, or many; one for each core if left out.",
)
@redact_option
@click.option("-q", "--quiet", is_flag=True, help="No summary on standard error.")
def validate(
    *,
    paths: Sequence[str],
    source: str | None,
    refuse_drift: bool,
    strict: bool,
    select: Sequence[str],
    ignore: Sequence[str],
    ignore_unknown: bool,
    nonfinite: Nonfinite,
    kind: str,
    out: str,
    more: Sequence[str],
    jobs: int | None,
    redact: bool,
    quiet: bool,
) -> None:
    """Check result files: their JSON, their schema, their fields and their counts.

    PATHS are files, folders (searched for .json, .jsonl, .ndjson and .eval), patterns such as
    'runs/**/*.json', or - for standard input, which is read when none is given.
    """
    from registry import checking, helping, rules, whole
    from registry.catalog import parse_ref

    gc.freeze()
    gc.set_threshold(100_000, 50, 50)  # records come and go without cycles
    with ended("validate"):
        wanted = [_wanted(one) for one in more]
        asked = checking.Asked(
            version=parse_ref(source) if source else None,
            nonfinite=nonfinite,
            strictness="strict" if strict else "drift" if refuse_drift else "lenient",
            ignore_unknown=ignore_unknown,
            rules=rules.selected(select, ignore),
            jobs=1 if redact else helping.jobs(jobs),  # one process counts what is masked
            bar=not quiet,
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
