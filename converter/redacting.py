"""How does a document look with its secrets masked, and a note that they were?

The way home then leads to the masked document. What a file carries is sealed by digests of what it
says, which would tell of secrets, so a file that carries what it came from is taken home first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from converter import chain, slots, source
from converter.formats import find
from converter.runs import with_sidecar
from registry import gate, validation
from registry.errors import BadCarry, OutputError

if TYPE_CHECKING:
    from converter.chain import Flow, Stage
    from registry.catalog import Version
    from registry.redaction import Redactor
    from registry.scan import Nonfinite
    from registry.text import Buffer


def read(
    data: Buffer,
    file: str,
    version: Version | None,
    nonfinite: Nonfinite,
    redactor: Redactor,
    *,
    ignore_carry: bool,
) -> Stage:
    """Which document do these bytes hold, with masks for its secrets? See `source.read`."""
    before = redactor.masked
    stage = source.read(redactor.data(data, file=file), file, version, nonfinite)
    if ignore_carry:
        return _marked(source.without_carry(stage), redactor.masked - before)
    if with_sidecar(stage, file, redactor).slot is None:
        return _marked(stage, redactor.masked - before)
    redactor.masked = before
    whole = with_sidecar(source.read(data, file, version, nonfinite), file)
    return _masked(_origin(whole), redactor)


def _origin(stage: Stage) -> Stage:
    """What was this document first? Raises BadCarry where it is no more what was made of that."""
    origin = slots.chain_of(stage.slot)[-1]
    format_, _, version = origin.partition("@")
    before = chain.known(stage, format_, version)
    if before is None:
        raise BadCarry(
            found=f"it was made from {origin}, and was edited since",
            expected="a file as it was converted, whose secrets are masked where they came from",
            hint=f"Convert it to {origin} and mask that, or give --ignore-carry.",
        )
    return before


def _masked(stage: Stage, redactor: Redactor) -> Stage:
    before = redactor.masked
    masked = redactor.data(gate.dump(stage.document()))
    document = gate.load(masked, nonfinite="keep")
    lines = stage.parts.shape.get("container") == "lines"
    if not lines:
        validation.check(document, stage.ref)
    return _marked(chain.stage(document, stage.ref, lines=lines), redactor.masked - before)


def _marked(stage: Stage, count: int) -> Stage:
    path = find(stage.format).run_slot
    count += slots.redactions(stage.parts.envelope, path) or 0
    envelope = slots.marked(stage.parts.envelope, path, count)
    return replace(stage, parts=replace(stage.parts, envelope=envelope))


def refuse_unmarked(flow: Flow, *, beside: bool) -> None:
    """Raise OutputError where the result has no place to say that secrets were masked."""
    if not beside and type(flow.layout.frame({slots.KEY: {}}, flow.shape, [])) is list:
        raise OutputError(
            found="a list of records has no place to say that secrets were masked",
            expected="an object around it, or a carry beside it",
            hint="Leave out --no-carry, give --carry sidecar, or convert to another format.",
        )
