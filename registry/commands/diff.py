"""`evalglot registry diff`: what changed between two schemas, and what does it break?"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from registry.asked import HELP, ended, shape_option, shelves, shelves_option, write
from registry.choosing import Choice
from registry.reports.harmless import harmless_json

if TYPE_CHECKING:
    from registry.values import JSON

_MODES = ("none", "backward", "forward", "full")

EXAMPLES = """
\b
Examples:
  evalglot registry diff cbl@3 cbl@4
  evalglot registry diff cbl@3 cbl@4 --mode backward   exit 1 if that breaks
  evalglot registry diff old.json new.json             two schema files
  evalglot registry diff cbl@3 cbl@4 --format json     with whole witnesses

\b
Exit codes:
  0  done, whatever differs
  1  --mode was given, and does not hold
  2  wrong usage, or a schema that can't be read or compared
"""


@click.command(epilog=EXAMPLES, short_help="Say how two schemas differ.", context_settings=HELP)
@click.argument("old")
@click.argument("new")
@click.option("--mode", type=Choice(_MODES), help="Exit 1 if a change breaks this promise.")
@shelves_option
@shape_option("text", "json")
@click.option("-o", "--out", metavar="FILE", default="-", help="File for the report.")
def diff(*, old: str, new: str, mode: str | None, folder: str | None, shape: str, out: str) -> None:
    """Say how two schemas differ, and what that does to documents of the other.

    OLD and NEW are versions, such as cbl@3, or schema files. Each change stands
    at its place in the document, with a verdict for old documents under the new
    schema (backward) and for new ones under the old (forward). What breaks is
    shown by a document that one schema accepts and the other refuses.
    """
    from registry import comparison, gate
    from registry.compat import MODES, compatibility

    with ended("diff"):
        found = compatibility(_schema(old, folder), _schema(new, folder))
        told = {
            "text": lambda: comparison.as_text(found, old, new).encode(),
            "json": lambda: harmless_json(gate.dump(comparison.as_json(found, old, new))) + b"\n",
        }
        write(told[shape](), out, (old, new))
        broken = [one for one in MODES[mode or "none"] if found.verdict(one) == "breaks"]
        if broken:
            click.echo(f"{mode} does not hold: {' and '.join(broken)} breaks", err=True)
    sys.exit(1 if broken else 0)


def _schema(named: str, folder: str | None) -> JSON:
    """Which schema is named, a version's or a file's? Raises EvalglotError."""
    from registry import keywords, library

    if not _is_path(named):
        held = library.read(shelves(folder))
        return held.schema(held.find(named))
    path = Path(named)
    schema = library.read_schema(path)
    keywords.check(schema, named)
    return schema


def _is_path(named: str) -> bool:
    return named.endswith(".json") or "/" in named or "\\" in named or os.path.isfile(named)  # noqa: PTH113 - no error for any name
