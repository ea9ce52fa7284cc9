"""What `convert` does with its inputs: read, convert, write, and give an account."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import IO, TYPE_CHECKING

import click

from converter import chain, pairing, sidecar, slots, source, target
from converter.account import Losses, Told, named, told_by
from converter.formats import find
from converter.jobs import PROVENANCE, Job, Options, Usage, jobs
from converter.runs import with_sidecar
from converter.sidecar import Sidecar
from converter.watching import shown
from registry import catalog, detection, edges, gate, helping, names, pairs, whole
from registry.errors import EvalglotError, LossRefused, OutputError, SelfCheckFailed
from registry.progress import LONG_BYTES
from registry.values import same

if TYPE_CHECKING:
    from converter.chain import Flow, Stage
    from converter.provenance import Source
    from registry.catalog import Version
    from registry.redaction import Redactor
    from registry.text import Buffer

CHECKED_BYTES = 4 << 20
"""inputs up to this size are always brought home again before the output is kept"""

SHARED_BYTES = 8 << 20
"""inputs from this size are worth a helper for every core"""


def run(inputs: Sequence[str], options: Options) -> int:
    """Which exit code does `convert` end with? Errors are told on standard error."""
    try:
        if options.lists:
            return _list()
        if options.plan:
            return _plan(options)
        return _convert_all(inputs, options)
    except EvalglotError as error:
        _tell(error)
        return error.exit_code


def _tell(error: EvalglotError, redactor: Redactor | None = None) -> None:
    said = str(error) if redactor is None else redactor.text(str(error))
    click.echo(f"convert: {said}", err=True)


def _list() -> int:
    for format_ in catalog.formats():
        versions = ", ".join(shelf.version for shelf in format_.versions)
        click.echo(f"{format_.id:21}{versions:20}{format_.summary}")
    return 0


def _plan(options: Options) -> int:
    from converter.plan import plan

    if options.source is None or options.target is None:
        raise Usage("--plan needs --from and --to")
    made = plan(catalog.parse_ref(options.source).ref, catalog.parse_ref(options.target).ref)
    for line in made.lines():
        click.echo(line)
    return 0


def _convert_all(inputs: Sequence[str], options: Options) -> int:
    worst = 0
    for job in jobs(inputs, options):
        try:
            _convert(job, options)
        except EvalglotError as error:
            _tell(error, options.redactor)
            worst = max(worst, error.exit_code)
    return worst


def _convert(job: Job, options: Options) -> None:
    """Convert one file; nothing is left behind unless all of it went well."""
    whole.refuse_overwriting(
        (*_pair(job.file), job.file + sidecar.SUFFIX),
        (
            *pairing.outputs(job.out, job.format),
            *(job.out + suffix for suffix in (sidecar.SUFFIX, PROVENANCE)),
            options.report or target.STDOUT,
        ),
    )
    given = catalog.parse_ref(options.source) if options.source else None
    try:
        with source.opened(job.file) as data:
            stage = _read(data, job.file, given, options)
            if options.out_dir is not None:
                target.make_folder(job.out)
            account = _convert_stage(stage, job, options, data)
    except EvalglotError as error:
        error.file = error.file or job.file
        raise
    if not options.quiet:
        click.echo(account, err=True)


def _pair(file: str) -> tuple[str, ...]:
    """Of which files may an input be?"""
    rows = pairs.beside(file)
    return (file,) if rows is None else (file, rows)


def _read(data: Buffer, file: str, given: Version | None, options: Options) -> Stage:
    """Which document is to be converted?"""
    if options.redactor is None:
        stage = source.read(data, file, given, options.nonfinite)
        return source.without_carry(stage) if options.ignore_carry else with_sidecar(stage, file)
    from converter import redacting

    return redacting.read(
        data, file, given, options.nonfinite, options.redactor, ignore_carry=options.ignore_carry
    )


def _convert_stage(stage: Stage, job: Job, options: Options, data: Buffer) -> str:
    size = len(data)
    carry = not options.no_carry
    small = size <= CHECKED_BYTES
    losses = Losses() if carry or options.strict or small else None
    flow = chain.flow(stage, job.format, job.version, losses, carry=carry, check=small)
    flow = _in_lines(flow, job.out)
    if size >= LONG_BYTES and not options.quiet and sys.stderr.isatty():
        flow = shown(flow, len(stage.parts.groups))
    beside = _beside(flow, job.out, options)
    if beside is None and job.out != target.STDOUT:
        _refuse_leaving(job.out + sidecar.SUFFIX)
    masked = slots.redactions(stage.parts.envelope, find(stage.format).run_slot)
    if masked:
        from converter import redacting

        redacting.refuse_unmarked(flow, beside=beside is not None)
    with pairing.replacing(job.out, job.format) as stream:
        written = flow if beside is None else beside.flow(flow)
        count = target.write(
            written, stream, _jobs(options, size), edges.edge_for(job.out, job.format)
        )
        told = None if losses is None else _told(stage, flow, losses, carry=carry)
        if options.strict and told:
            told.refuse(stage.ref, flow.ref)
        unkept = _unkept(stage, job) if flow.returned and small else ()
        if options.strict and unkept:
            raise LossRefused(
                found=f"edits of {named(unkept)}, which do not come home",
                hint="They have no place there, or none in a format on the way.",
            )
        if options.verify and carry and not flow.returned:
            _verify(stage, flow, stream, beside)
        if beside is not None:
            with target.replacing(job.out + sidecar.SUFFIX) as other:
                other.write(gate.dump(beside.document()) + b"\n")
        if options.provenance:
            from converter.provenance import Source

            origin = Source(job.file, sha256(edges.original(data)).hexdigest(), stage)
            statement = _provenance(origin, flow, job.out, stream, beside)
            with target.replacing(job.out + PROVENANCE) as other:
                other.write(statement)
        if options.report is not None:
            with target.replacing(options.report) as other:
                other.write(_report(stage, job, carry=carry))
    account = _account(stage, flow, told, count, carry=carry)
    if beside is not None:
        account += f"; its carry is in {job.out}{sidecar.SUFFIX}"
    if unkept:
        account += f"; edits of {named(unkept)} did not, having no place there or on the way"
    return account + _of_secrets(masked, options)


def _unkept(stage: Stage, job: Job) -> tuple[str, ...]:
    """Which fields were edited, and are not in what comes home?"""
    from converter import edits

    back = chain.homeward(stage, job.format, job.version)
    return () if back is None else edits.unkept(stage, back)


def _account(stage: Stage, flow: Flow, told: Told | None, count: int, *, carry: bool) -> str:
    """What became of the file, in one line?"""
    if flow.returned:
        return _homecoming(stage, flow, count)
    if told is None:
        return f"{stage.ref} → {flow.ref}: {count:,} records; --report FILE lists what was dropped"
    return told.line(stage.ref, flow.ref, count, carry=carry)


def _told(stage: Stage, flow: Flow, losses: Losses, *, carry: bool) -> Told:
    """Which fields does the result not say, or only roughly?"""
    if flow.returned or chain.hops(stage.ref, flow.ref) <= 1:
        return losses.told()
    from converter.examining import examine

    return told_by(examine(stage, flow.format, flow.version, carry=carry))


def _of_secrets(masked: int | None, options: Options) -> str:
    """What is said of secrets, where any were masked, now or before?"""
    if masked:
        exact = "" if options.no_carry else ", and what comes home is masked, too"
        return f"; {masked:,} secret{'s' * (masked != 1)} masked{exact}"
    return "; no secrets found" if options.redactor is not None else ""


def _jobs(options: Options, size: int) -> int:
    """How many processes convert a file of this size?"""
    return 1 if size < SHARED_BYTES else helping.jobs(options.jobs)


def _report(stage: Stage, job: Job, *, carry: bool) -> bytes:
    """The account of every value, as JSON."""
    from converter.examining import examine

    return examine(stage, job.format, job.version, carry=carry, pointers=True, file=job.file).json()


def _homecoming(stage: Stage, flow: Flow, count: int) -> str:
    records = f"{count:,} record{'s' * (count != 1)}"
    account = f"{stage.ref} → {flow.ref}: {records}, come home through the carry"
    if flow.stale:
        count = len(flow.stale)
        account += f"; {count:,} value{'s' * (count != 1)} edited since, and kept as edited"
    return account


def _in_lines(flow: Flow, out: str) -> Flow:
    """The flow as JSON Lines where the name of the output asks for them."""
    if not out.endswith(source.LINE_SUFFIXES) or not flow.layout.has_lines:
        return flow
    return replace(flow, shape={**flow.shape, "container": "lines"})


def _beside(flow: Flow, out: str, options: Options) -> Sidecar | None:
    """What takes the carry into a file of its own, where it was asked for or has to be?

    JSON Lines have no place for the run's part of it.
    """
    lines = flow.shape.get("container") == "lines"
    if options.no_carry or not (lines or options.carry == "sidecar") or flow.returned:
        return None
    if out == target.STDOUT:
        raise Usage(
            "a carry in a file of its own, and no name for it",
            expected="-o FILE",
            hint="The carry is written to FILE.carry.json. Give --no-carry to do without.",
        )
    records = options.carry == "sidecar"
    return Sidecar(flow.format, flow.version, records=records, lines=lines)


def _refuse_leaving(carry: str) -> None:
    """Raise OutputError where a carry lies there that would be taken for the new file's."""
    if names.is_file(carry):
        raise OutputError(
            found="a carry that would be taken for that of the new file",
            hint="Delete it, or give --carry sidecar.",
            file=carry,
        )


def _provenance(
    origin: Source, flow: Flow, out: str, stream: IO[bytes], beside: Sidecar | None
) -> bytes:
    """What tells where the output comes from?"""
    from converter import provenance

    held = _read_again(stream)
    outputs = (
        pairing.parted(held, out) if len(pairing.outputs(out, flow.format)) > 1 else {out: held}
    )
    if beside is not None:
        outputs[out + sidecar.SUFFIX] = gate.dump(beside.document()) + b"\n"
    lines = flow.shape.get("container") == "lines"
    carry = None if beside is None else beside.held()
    data = edges.turned(held, out)
    there = provenance.written(data, flow.format, flow.version, lines=lines, beside=carry)
    form = find(origin.stage.format)
    redacted = slots.redactions(origin.stage.parts.envelope, form.run_slot)
    return provenance.statement(origin, there, outputs, redacted)


def _read_again(stream: IO[bytes]) -> bytes:
    """What was written so far?"""
    stream.flush()
    stream.seek(0)
    return stream.read()


def _verify(stage: Stage, flow: Flow, stream: IO[bytes], beside: Sidecar | None) -> None:
    """Raise SelfCheckFailed unless the result, read again, comes home as it was.

    What has come home itself carries nothing, and has no way back that could be held to anything.
    """
    written = edges.turned(_read_again(stream), "")
    lines = flow.shape.get("container") == "lines"
    nonfinite = detection.accepted(catalog.parse_ref(flow.ref), "reject")
    load = gate.load_lines if lines else gate.load
    values = load(written, nonfinite=nonfinite)
    again = chain.stage(values, flow.ref, lines=lines)
    if beside is not None:
        parts = sidecar.rejoined(flow.format, flow.version, again.parts, beside.held())
        again = replace(again, parts=parts)
    home = chain.convert(again, stage.format, stage.version)
    if not same(home.document(), stage.document()):
        raise SelfCheckFailed(
            found="the result does not come home as it was",
            hint="Nothing was written. Please report this, with the file if you can.",
        )
