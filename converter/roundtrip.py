"""The `roundtrip` command: does a file come back from every other format as it was?"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from registry import completing
from registry.errors import EvalglotError
from registry.reports.harmless import harmless

if TYPE_CHECKING:
    from converter.chain import Stage
    from registry.values import JSON

SHOWN = 3
"""How many places are named that did not come back as they were?"""


EPILOG = """
\b
Examples:
  evalglot roundtrip run.json
  evalglot roundtrip --ignore-unknown results/*.json

\b
Exit codes:
  0  every file came back from every format
  1  one did not, or breaks its schema
  2  one can't be read
"""


@click.command(
    epilog=EPILOG,
    short_help="Convert files there and back.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument(
    "files", nargs=-1, required=True, metavar="FILES...", shell_complete=completing.files
)
@click.option("--ignore-unknown", is_flag=True, help="Skip files of no known format.")
def roundtrip(files: Sequence[str], ignore_unknown: bool) -> None:
    """Convert each file to every other format and back; it must be the same again.

    Nothing is written.
    """
    worst = 0
    for file in files:
        if ignore_unknown and _is_unrelated(file):
            continue
        try:
            for told in lost(file):
                click.echo(harmless(f"{file}: {told}"))
                worst = max(worst, 1)
        except EvalglotError as error:
            click.echo(harmless(f"roundtrip: {error}"), err=True)
            worst = max(worst, error.exit_code)
    sys.exit(worst)


def _is_unrelated(file: str) -> bool:
    """Is this none of our files at all, by the rules of `validate`?"""
    from registry import checking

    return checking.check_file(file, checking.Asked(ignore_unknown=True)).outcome == "skipped"


def lost(file: str) -> Iterator[str]:
    """From which formats does this file not come back as it was, and where not?

    Raises EvalglotError when it can't be read, or converted.
    """
    from converter import source
    from converter.formats import usable

    with source.opened(file) as data:
        stage = source.read(data, file, None, "reject")
        before = stage.document()
    for id_ in usable():
        if id_ != stage.format and (places := differing(before, _there_and_back(stage, id_))):
            shown = ", ".join(place or "the document" for place in places[:SHOWN])
            more = f" and {len(places) - SHOWN:,} more" if len(places) > SHOWN else ""
            yield f"does not come back from {id_} as it was at {shown}{more}"


def _there_and_back(stage: Stage, id_: str) -> JSON:
    """Which document comes back from that format, by way of a file's bytes?"""
    from converter import chain
    from registry import gate

    there = chain.convert(stage, id_)
    read = chain.stage(gate.load(gate.dump(there.document())), there.ref)
    return chain.convert(read, stage.format, stage.version).document()


def differing(before: JSON, after: JSON) -> list[str]:
    """At which JSON Pointers do two documents differ? Key order counts, at the document."""
    from registry.values import at, leaves, same

    if same(before, after):
        return []
    places = []
    for place, value in leaves(before):
        try:
            kept = same(at(after, place), value)
        except KeyError:
            kept = False
        if not kept:
            places.append(place)
    return places or [""]
