"""Which totals would the way back count, if nothing had been carried?

A conversion counts the source's own cases, since those come home. What the target says by itself
is less: a total by risk is lost where the risk is. And where counting the source's own cases does
not give its totals, source and totals disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from converter.delta import diff
from converter.facts import Case, Run, Trial
from converter.form import Context, Format, Seat, Survey
from converter.leaves import changed
from converter.rows import Record
from converter.versioned import NOBODY
from registry.values import at

NUMBERS = (int, float)


class Recount:
    """Watches a format write what comes back, and counts that instead of what was there."""

    def __init__(self, form: Format, envelope: Record) -> None:
        self._real, self._envelope = form, envelope
        self._tally = form.tally()
        self._back: list[Trial] = []
        self.disagreements: tuple[str, ...] = ()
        self.form = replace(
            form,
            write=self._write,
            write_run=self._write_run,
            write_case=self._write_case if form.write_case else None,
        )

    def _write(self, case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
        if trial is not NOBODY[1]:
            if self._real.write_case is None:
                self._tally.add(case, [trial])
            else:
                self._back.append(trial)
        return self._real.write(case, trial, seat, context)

    def _write_case(self, case: Case, trials: Sequence[Trial]) -> Record:
        """The case's own record as it comes back; the trials as they were are not asked."""
        assert self._real.write_case is not None
        del trials
        written = self._real.write_case(case, self._back)
        self._tally.add(self._real.read_case(written), self._back)
        self._back = []
        return written

    def _write_run(self, context: Context, tally: Any) -> Record:
        counted = self._real.write_run(context, tally)
        totals = _totals(self._real)
        self.disagreements = tuple(
            place
            for place, new in changed(diff(counted, self._envelope))
            if not new
            and f"{place}/".startswith(totals)
            and type(at(self._envelope, place)) in NUMBERS
        )
        return self._real.write_run(context, self._tally)


def _totals(form: Format) -> tuple[str, ...]:
    """Where does the format keep what is counted from its records? Pointers that end in `/`."""
    context = Context(Run(), shape=form.shape(Survey()) if form.shape else {})
    bare = form.write_run(context, None)
    counted = form.write_run(context, form.tally())
    return tuple(f"{place}/" for place, _ in changed(diff(bare, counted)))
