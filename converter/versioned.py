"""How would a format speak if an older version were its newest?

Conversions go version by version and carry at each. To say what the two ends of such a way can't
tell each other, the steps are put inside the format: it reads over the steps up, and writes over
the steps down, and nothing is carried in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from converter.blanks import Blank
from converter.facts import Case, Run, Trial
from converter.form import Context, Format, Seat, Survey
from converter.formats import age, find, steps
from converter.rows import Record
from converter.stepping import Hop, RunTurn, Shape, Step

UNLISTED = "\0unlisted"
"""a key that no file has: the older version does not list this record"""

NOBODY = (Case(), Trial())
"""what is read from a record that is not there"""


def versioned(id_: str, version: str) -> Format:
    """How does this version of the format say facts, and understand them?

    UnknownVersion if no step leads there.
    """
    form = find(id_)
    for step in reversed(steps(id_)[age(id_, version) :]):
        form = _lowered(form, step)
    return form


def _lowered(form: Format, step: Step) -> Format:
    lower, up = step.lower, Hop(step, up=True)

    def read_run(envelope: Record) -> Run:
        return form.read_run(up.run(envelope, {}))

    def write_run(context: Context, tally: Any) -> Record:
        return lower.run(form.write_run(_above(context, step), tally), context.shape)

    def read(record: Record, parent: Record | None) -> tuple[Case, Trial]:
        if UNLISTED in record:
            return NOBODY
        above = parent and up.case(parent, {})
        return form.read(up.record(record, {}) or {}, above)

    def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
        written = form.write(case, trial, seat, _above(context, step))
        below = None if UNLISTED in written else lower.record(written, context.shape)
        return {UNLISTED: True} if below is None else below

    def read_case(record: Record) -> Case:
        if UNLISTED in record:
            return NOBODY[0]
        turn = up.record if form.write_case is None else up.case
        return form.read_case(turn(record, {}) or {})

    def write_case(case: Case, trials: Sequence[Trial]) -> Record:
        assert form.write_case is not None
        return lower.case(form.write_case(case, trials), {})

    def shape(survey: Survey) -> Shape:
        return lower.shape(form.shape(survey) if form.shape else {})

    return replace(
        form,
        version=lower.version,
        layout=lower.layout,
        run_blanks=_kept(form.run_blanks, lower.run) + lower.run_blanks,
        record_blanks=_kept(form.record_blanks, lower.case) + lower.record_blanks,
        read_run=read_run,
        write_run=write_run,
        read=read,
        write=write,
        read_case=read_case,
        write_case=write_case if form.write_case else None,
        shape=shape,
    )


def _above(context: Context, step: Step) -> Context:
    return msgspec.structs.replace(context, shape=step.upper.shape(context.shape))


def _kept(blanks: Sequence[Blank], turn: RunTurn) -> tuple[Blank, ...]:
    """Which of the upper version's blanks has the lower one too?"""
    return tuple(blank for blank in blanks if blank.key in turn({blank.key: blank.value}, {}))
