"""`evalglot registry infer`: which schema do real files have, and what of them is not known yet?"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from registry.asked import HELP, ended, shape_option, write
from registry.reports.harmless import harmless_json

if TYPE_CHECKING:
    from registry.catalog import Version
    from registry.drafting import Layout
    from registry.unknowns import Drift
    from registry.values import JSON

EXAMPLES = """
\b
Examples:
  evalglot registry infer run.json -o schema.json
  evalglot registry infer --from cbl 'runs/*.json' -o schema.json
  evalglot registry infer --records /results new-tool.json -o schema.json
  evalglot registry infer runs -o schema.json --format json --report d.json

\b
Exit codes:
  0  done, whatever is not known
  2  wrong usage, or a file that can't be read
"""


@click.command(epilog=EXAMPLES, short_help="Draft a schema from real files.", context_settings=HELP)
@click.argument("samples", nargs=-1, required=True)
@click.option(
    "--from", "source", metavar="F[@V]", help="Format of the samples; found out if left out."
)
@click.option(
    "--records",
    metavar="POINTER",
    multiple=True,
    help="Where the list of records is (JSON Pointer); else as in --from. Repeatable.",
)
@click.option("-o", "--out", metavar="FILE", default="-", help="File for the schema.")
@click.option(
    "--report",
    metavar="FILE",
    help="File for what is not known; else shown, beside the schema on standard error.",
)
@shape_option("text", "json")
def infer(
    *,
    samples: Sequence[str],
    source: str | None,
    records: Sequence[str],
    out: str,
    report: str | None,
    shape: str,
) -> None:
    """Draft a schema from real files, and list what no known schema says.

    SAMPLES are files, folders, patterns, or - for standard input. The draft
    accepts all of them, and says of each field whether it was always there and
    ever null. Beside it comes what the newest known version of their format
    (that of --from) does not know: fields without a name, refused values.
    """
    from registry import drafting, gate, sampling, unknowns
    from registry.catalog import parse_ref

    with ended("infer"):
        known = parse_ref(source) if source else None
        read = sampling.read(samples)
        documents = [one.document for one in read]
        known = known or sampling.version(read)
        _require_lists(documents, records)
        schema = drafting.draft(documents, _layout(known, records))
        drift = unknowns.against(known.ref, read) if known else None
        files = [one.file for one in read]
        write(harmless_json(gate.dump(schema, indent=2)) + b"\n", out, files)
        _tell(drift, shape, report, [*files, out])
    sys.exit(0)


def _require_lists(documents: Sequence[JSON], records: Sequence[str]) -> None:
    """Raise InputError unless there is a list at each of these places, in any document."""
    from registry.drafting import list_at
    from registry.errors import InputError

    for place in records:
        if place and not place.startswith("/"):
            raise InputError(
                found=f"--records {place}", expected='a JSON Pointer, such as /results, or ""'
            )
        if all(list_at(document, place) is None for document in documents):
            raise InputError(
                found=f"no sample has a list at --records {place or 'the top'}",
                expected="the place of a list, below objects only",
            )


def _layout(known: Version | None, records: Sequence[str]) -> Layout:
    """What is the draft called, and where are the records?"""
    from registry.catalog import find
    from registry.drafting import Layout

    if known is None:
        return Layout(id="urn:evalglot:draft:1", title="Draft", places=records)
    format_ = find(known.format)
    number = int(format_.newest.version.partition(".")[0]) + 1
    return Layout(
        id=f"urn:evalglot:{format_.id}:{number}",
        title=f"{format_.title}, version {number}",
        places=records or known.containers,
        record=known.shelf.record,
        run_slot=format_.slot.run,
        record_slot=format_.slot.record,
    )


def _tell(drift: Drift | None, shape: str, report: str | None, files: Sequence[str]) -> None:
    """Write the drift report, to none of the files; beside a schema that is shown itself."""
    from registry import unknowns

    if drift is None:
        click.echo("infer: the samples are of no known format: nothing to compare with", err=True)
        return
    told = unknowns.as_json(drift) if shape == "json" else unknowns.as_text(drift)
    if report:
        write(told, report, files)
    else:
        click.echo(told, nl=False, err=files[-1] == "-")
