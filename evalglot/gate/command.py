"""The command `evalglot gate`."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from diffruns.gates import FAIL_ON
from registry import completing
from registry.asked import HELP, ended, write
from registry.choosing import Choice

EPILOG = """
\b
Examples:
  evalglot gate --base origin/main results/       valid, and no case got worse?
  evalglot gate --base main --fail-on regression results/*.json
  evalglot gate --base main --output markdown=pr.md --output sarif=x.sarif results/

\b
Exit codes:
  0  all files are valid, and no case got worse (with gates: none is tripped)
  1  a file is invalid, a case got worse, a file is gone, or a gate is tripped
  2  wrong usage, a file that can't be read, or a base that git does not know
  3  two versions of a file may not be compared
  4  nothing could be assessed in a file
"""

SHAPES = ("text", "markdown", "github", "sarif", "junit")


@click.command(
    epilog=EPILOG, short_help="Check files, and compare with a branch.", context_settings=HELP
)
@click.argument(
    "paths", nargs=-1, required=True, metavar="PATHS...", shell_complete=completing.files
)
@click.option("--base", metavar="REV", help="Compare with the files in this revision of git.")
@click.option(
    "--from",
    "source",
    metavar="F[@V]",
    shell_complete=completing.refs,
    help="Format of the files; found out if left out.",
)
@click.option("--strict", is_flag=True, help="Fail on unknown fields and on all other warnings.")
@click.option("--ignore-unknown", is_flag=True, help="Skip files of no known format.")
@click.option("--by", metavar="DIM", multiple=True, help="Compare within each value of DIM, too.")
@click.option("--fail-on", type=Choice(FAIL_ON), multiple=True, help="Exit 1 only on this.")
@click.option("--max-drop", metavar="SHARE", help="Gate: largest drop of the pass rate: 2pp.")
@click.option("--max-fail-share", metavar="SHARE", help="Gate: largest share that fails: 0.2.")
@click.option(
    "--format",
    "kind",
    type=Choice(SHAPES),
    default="text",
    help="Shape of the report (default: text).",
)
@click.option("-o", "--out", metavar="FILE", default="-", help="File for the report.")
@click.option("--output", "more", metavar="KIND=FILE", multiple=True, help="A further report.")
def gate(paths: Sequence[str], **given: Any) -> None:
    """Check result files, and compare each with itself on the branch it is to be merged into.

    PATHS are files, folders or patterns, as for `evalglot validate`. A file that git does not know
    in REV is only checked, one that did not change is not compared.
    """
    from evalglot.gate import gating, telling
    from registry import whole

    gc.freeze()
    gc.set_threshold(100_000, 50, 50)  # records come and go without cycles
    with ended("evalglot gate"):
        outputs = [(given["kind"], given["out"]), *map(_wanted, given["more"])]
        asked = _asked(given)
        view = _view()
        with gating.gated(paths, asked) as found:
            inputs = [one.file for one in found.checked.files]
            whole.refuse_overwriting(inputs, [file for _, file in outputs])
            for kind, file in outputs:
                write(telling.KINDS[kind](found, view), file)
    sys.exit(found.exit_code)


def _asked(given: dict[str, Any]) -> Any:
    from diffruns import command
    from evalglot.gate import gating
    from registry import checking
    from registry.catalog import parse_ref

    source = given["source"]
    check = checking.Asked(
        version=parse_ref(source) if source else None,
        strictness="strict" if given["strict"] else "lenient",
        ignore_unknown=given["ignore_unknown"],
        bar=True,
    )
    diff = command.Asked(
        sources=(source,) if source else (),
        by=given["by"],
        fail_on=given["fail_on"],
        max_drop=given["max_drop"],
        max_fail_share=given["max_fail_share"],
    )
    return gating.Asked(check=check, diff=diff, base=given["base"])


def _wanted(given: str) -> tuple[str, str]:
    """Which shape and which file does KIND=FILE name?"""
    from registry.errors import OutputError

    kind, _, file = given.partition("=")
    if kind in SHAPES and file:
        return kind, file
    raise OutputError(
        found=f"--output {given}", expected=f"KIND=FILE, where KIND is one of {', '.join(SHAPES)}"
    )


def _view() -> Any:
    import shutil

    from diffruns.renderers import View

    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return View(width=shutil.get_terminal_size((80, 24)).columns, colour=colour)
