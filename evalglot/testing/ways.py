"""Going from format to format in tests: what a law speaks of."""

from __future__ import annotations

from dataclasses import replace

from converter import chain
from converter.chain import Stage
from converter.crossing import Crossing
from converter.facts import Case, Run, Trial
from converter.form import Parts
from converter.formats import find
from converter.reading import Reading
from registry import gate


def sent(stage: Stage) -> Stage:
    """The document as it arrives, once written to a file and read again."""
    lines = stage.parts.shape.get("container") == "lines"
    return chain.stage(gate.load(gate.dump(stage.document())), stage.ref, lines=lines)


def in_hand(stage: Stage) -> Stage:
    """The same document with all its groups at hand, to be edited."""
    return replace(stage, parts=replace(stage.parts, groups=list(stage.parts.groups)))


def across(source: Stage, id_: str) -> Stage:
    """The document in another format, or in its own once more, by way of facts."""
    a, b = find(source.format), find(id_)
    crossing = Crossing(a, b, source.parts, Reading(a, source.parts, find))
    groups = list(crossing.groups())
    return Stage(id_, b.version, Parts(crossing.envelope(), groups, crossing.shape))


def native(stage: Stage) -> tuple[Run, list[tuple[Case, Trial]]]:
    """What a document says by itself, any carry left aside."""
    form = find(stage.format)
    said = [
        form.read(record, group.parent) for group in stage.parts.groups for record in group.records
    ]
    return form.read_run(stage.parts.envelope), said


def bag(stage: Stage) -> tuple[Run, list[str]]:
    """The same in no order."""
    run, said = native(stage)
    return run, sorted(map(repr, said))
