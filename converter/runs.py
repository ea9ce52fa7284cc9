"""What does a result file say, read record by record, whichever tool wrote it?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from converter import chain, sidecar, source
from converter.chain import Stage
from converter.facts import Case, Run, identity
from converter.formats import find
from converter.reading import Reading
from registry import gate, names

if TYPE_CHECKING:
    from converter.bundling import Said
    from registry.catalog import Version
    from registry.redaction import Redactor
    from registry.scan import Nonfinite
    from registry.text import Buffer


@dataclass(frozen=True, slots=True)
class RunFile:
    """One result file's facts. A converted file says what its origin said.

    `ref` is the version that the file has, such as cbl@4; `size` how many groups it has, each the
    trials of one case or, in flat formats, one trial.
    """

    ref: str
    run: Run
    size: int
    nested: bool
    reading: Reading
    stage: Stage

    def group(self, number: int) -> tuple[Case, Sequence[Said]]:
        """What does group `number` say: its case, and each of its trials?"""
        group = self.stage.parts.groups[number]
        said = self.reading.group(group)
        return (said[0][0] if said else self.reading.case(group)), said

    def groups(self) -> Iterator[tuple[Case, Sequence[Said]]]:
        """What do all groups say, in the file's order?"""
        for number, said in enumerate(self.reading.groups()):
            yield (said[0][0], said) if said else self.group(number)

    def key(self, number: int, case: Case) -> object:
        """Groups of one key are trials of one case."""
        return number if self.nested else identity(case)


def read(
    data: Buffer,
    file: str,
    version: Version | None,
    nonfinite: Nonfinite,
    redactor: Redactor | None = None,
) -> RunFile:
    """Which facts do these bytes hold? See `converter.source.read` for the errors.

    A carry in a file of its own beside the file is read too. With a redactor, secrets are masked.
    """
    if redactor is not None:
        data = redactor.data(data, file=file)
    return run_file(with_sidecar(source.read(data, file, version, nonfinite), file, redactor))


def run_file(stage: Stage) -> RunFile:
    """Which facts does this document hold?"""
    top = stage
    if stage.version != chain.newest(stage.format):
        top = chain.convert(stage, stage.format, chain.newest(stage.format))
    form = find(top.format)
    reading = Reading(form, top.parts, find)
    nested = form.write_case is not None
    return RunFile(stage.ref, reading.run(), len(top.parts.groups), nested, reading, top)


def with_sidecar(stage: Stage, file: str, redactor: Redactor | None = None) -> Stage:
    """The document with the carry from the file beside it, if there is one."""
    beside = file + sidecar.SUFFIX
    if file == source.STDIN or not names.is_file(beside):
        return stage
    with source.opened(beside) as data:
        held = data if redactor is None else redactor.data(data, file=beside)
        carry = sidecar.heard(gate.load(held, file=beside), beside)
    stage = replace(stage, version=sidecar.version_of(carry, stage))
    parts = sidecar.rejoined(stage.format, stage.version, stage.parts, carry, beside)
    return replace(stage, parts=parts)
