"""The `verify` command: is a file what its statement says, and does it carry what it came from?"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import click

from registry import pairs
from registry.edges import original
from registry.errors import EvalglotError, InputError
from registry.reports.harmless import harmless

if TYPE_CHECKING:
    from registry.values import JSON

EPILOG = """
\b
Examples:
  convert --provenance --to sandtable run.json -o out.json
  evalglot verify out.json
  evalglot verify out.json --source run.json

\b
Exit codes:
  0  all of it holds
  1  something does not
  2  wrong usage, or a file that can't be read
"""


@click.command(epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file")
@click.option("--source", metavar="FILE", help="The file that it should have been made from.")
@click.option("--statement", metavar="FILE", help="The statement, if it is not FILE.intoto.")
@click.option("-q", "--quiet", is_flag=True, help="No summary on standard error.")
def verify(file: str, source: str | None, statement: str | None, quiet: bool) -> None:
    """Check a converted FILE against the statement that `convert --provenance` wrote beside it.

    The digests of the file, of the carry beside it, and of the source if it is given. A file that
    carries what it was made from is brought home, and must be that still. The statement is not
    signed: it tells of accidents, and of who changes a file without it.
    """
    from converter.jobs import PROVENANCE

    beside = statement if statement is not None else file + PROVENANCE
    try:
        told = read(beside)
        findings = [*differing(file, told, source)]
    except EvalglotError as error:
        click.echo(harmless(f"verify: {error}"), err=True)
        sys.exit(2)
    for finding in findings:
        click.echo(harmless(f"{file}: {finding}"))
    if not quiet and not findings:
        click.echo(harmless(f"{file}: {_summary(told, source)}"), err=True)
    sys.exit(1 if findings else 0)


def _summary(told: JSON, source: str | None) -> str:
    asked = _parameters(told)
    said = f"as it was written, from {asked['source']} to {asked['target']}"
    if asked["carries"]:
        said += "; carries what it was made from"
    if "redacted" in asked:
        count = asked["redacted"]
        said += f", with {count:,} secret{'s' * (count != 1)} masked"
    return said + (f"; {source} is its source" if source is not None else "")


def _parameters(told: JSON) -> Any:
    return told["predicate"]["buildDefinition"]["externalParameters"]


def read(file: str) -> JSON:
    """What does this statement say? Raises InputError where it is none of `convert`'s."""
    from converter.provenance import SCHEMA
    from registry import engine, files, gate
    from registry.explanation import explain
    from registry.shelves import versions_root

    with files.opened(file) as data:
        told = gate.load(data, file=file)
    schema = gate.load((versions_root() / SCHEMA).read_bytes())
    if not engine.judge(schema)(told):
        first = explain(schema, told)[0]
        raise InputError(
            found=f"found {first.found}",
            expected=f"{first.expected}, as in a statement of `convert --provenance`",
            file=file,
            pointer=first.pointer,
        )
    definition = told["predicate"]["buildDefinition"]
    if len(told["subject"]) not in (1, 2, 3) or len(definition["resolvedDependencies"]) != 1:
        raise InputError(
            found="a statement of other files",
            expected="one output, with rows or a carry beside it if there are any, and one source",
            file=file,
        )
    return told


def differing(file: str, told: JSON, source: str | None) -> Iterator[str]:
    """What of a statement does not hold for this file? Raises EvalglotError for what is no file."""
    from converter.sidecar import SUFFIX

    first, *others = told["subject"]
    yield from _changed(file, first, "the file")
    for other in others:
        rows = pairs.beside(file)
        if rows is not None and other["name"].endswith(pairs.ROWS):
            yield from _changed(rows, other, "the file of rows beside it")
        else:
            yield from _changed(file + SUFFIX, other, "the carry beside it")
    if source is not None:
        (origin,) = told["predicate"]["buildDefinition"]["resolvedDependencies"]
        yield from _changed(source, origin, f"the source {source}")
    if _parameters(told)["carries"]:
        yield from _lost(file, told, beside=bool(others))


def _changed(file: str, resource: JSON, what: str) -> Iterator[str]:
    from registry import files

    with files.opened(file) as data:
        found = sha256(original(data)).hexdigest()
    expected = resource["digest"]["sha256"]
    if found != expected:
        yield f"{what} was changed: its sha256 is {found[:12]}…, and was {expected[:12]}…"


def _lost(file: str, told: JSON, *, beside: bool) -> Iterator[str]:
    """Does the file no more carry what it was made from?"""
    from converter import provenance, runs, source
    from registry import catalog, files

    (origin,) = told["predicate"]["buildDefinition"]["resolvedDependencies"]
    asked = _parameters(told)
    try:
        with files.opened(file) as data:
            stage = source.read(data, file, catalog.parse_ref(asked["target"]), "keep")
        if beside:
            stage = runs.with_sidecar(stage, file)
        value = provenance.home_value(stage, asked["source"])
    except EvalglotError as error:
        yield f"can't be brought home: {error}"
        return
    if value is None:
        yield f"carries no way home to {asked['source']}"
    elif f"sha256:{value}" != origin["annotations"]["value"]:
        yield f"what it carries home is not what it was made from ({origin['name']})"
