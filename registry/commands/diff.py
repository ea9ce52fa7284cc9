"""`evalglot registry diff`: what changed between two schemas, and what does it break?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

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


@click.command(epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("old")
@click.argument("new")
@click.option("--mode", type=click.Choice(_MODES), help="Exit 1 if a change breaks this promise.")
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Shape of the report.",
)
@click.option("-o", "--out", metavar="FILE", default="-", help="File for the report.")
def diff(old: str, new: str, mode: str | None, shape: str, out: str) -> None:
    """Say how two schemas differ, and what that does to documents of the other.

    OLD and NEW are versions, such as cbl@3, or schema files. Each change stands
    at its place in the document, with a verdict for old documents under the new
    schema (backward) and for new ones under the old (forward). What breaks is
    shown by a document that one schema accepts and the other refuses.
    """
    from registry.errors import EvalglotError
    from registry.reports.harmless import harmless

    try:
        sys.exit(_run(old, new, mode or "none", shape, out))
    except EvalglotError as error:
        click.echo(f"diff: {harmless(str(error))}", err=True)
        sys.exit(error.exit_code)


def _run(old: str, new: str, mode: str, shape: str, out: str) -> int:
    from registry import comparison, gate
    from registry.compat import MODES, compatibility

    found = compatibility(_schema(old), _schema(new))
    told = {
        "text": lambda: comparison.as_text(found, old, new).encode(),
        "json": lambda: gate.dump(comparison.as_json(found, old, new)) + b"\n",
    }
    _write(told[shape](), out)
    broken = [direction for direction in MODES[mode] if found.verdict(direction) == "breaks"]
    if broken:
        click.echo(f"{mode} does not hold: {' and '.join(broken)} breaks", err=True)
    return 1 if broken else 0


def _write(told: bytes, out: str) -> None:
    from registry.errors import OutputError

    if out == "-":
        click.echo(told, nl=False)
        return
    try:
        Path(out).write_bytes(told)
    except (OSError, ValueError) as error:
        raise OutputError(found=f"it can't be written: {_reason(error)}", file=out) from None


def _schema(named: str) -> JSON:
    """Which schema is named, a version's or a file's? Raises EvalglotError."""
    from registry import gate, keywords
    from registry.catalog import parse_ref
    from registry.errors import InputError

    if not _is_path(named):
        return parse_ref(named).schema
    try:
        data = Path(named).read_bytes()
    except (OSError, ValueError) as error:
        found = f"it can't be read: {_reason(error)}"
        raise InputError(found=found, expected="a schema file", file=named) from None
    schema = gate.load(data, file=named)
    keywords.check(schema, named)
    return schema


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _is_path(named: str) -> bool:
    return named.endswith(".json") or "/" in named or "\\" in named or Path(named).is_file()
