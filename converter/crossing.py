"""From one format to another through facts, losing nothing.

    facts = read_A(a)
    b0    = write_B(facts)
    back  = write_A(read_B(b0))            what would come back without help
    b     = b0 with delta(back -> a)       what it would get wrong, in B's slots

and home again (see `returning`):

    a     = apply(delta, write_A(read_B(b0)))

All of it happens record by record: memory stays flat, and each record can be edited, moved or
deleted by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

import msgspec

from converter import slots
from converter.blanks import fill
from converter.bundling import Said, bundled, plan
from converter.delta import Node, diff
from converter.faces import marked
from converter.facts import Case, Trial
from converter.form import Context, Format, Group, Parts
from converter.formats import find
from converter.found import Found
from converter.leaves import changed
from converter.numbering import Seating
from converter.reading import Reading
from converter.returning import with_facts
from converter.rows import Record
from converter.slots import RunSlot


class Listener(Protocol):
    """Who wants to hear what the target could not say?"""

    def record(self, number: int, record: Record, delta: Node | None) -> None:
        """Hear of record `number` of the source, in its order."""

    def case(self, number: int, parent: Record, delta: Node | None) -> None:
        """Hear of the own record of case `number`."""

    def lost(self, number: int, parent: Record) -> None:
        """Hear of a case that the target has no place for."""

    def run(self, envelope: Record, delta: Node | None, derived: Sequence[str]) -> None:
        """Hear of the envelope, last."""


@runtime_checkable
class Joining(Protocol):
    """Who can take in what another of its kind has heard of the records that follow?"""

    def join(self, later: Any) -> None:
        """Take it in."""


class Crossing:
    """One document on its way from format `a` to format `b`.

    Go through `groups()` first, then ask for `envelope()`: totals are known at the end. Without
    `states`, what only a slot can state is left out: totals are those of the records there are.
    """

    def __init__(
        self,
        a: Format,
        b: Format,
        source: Parts,
        reading: Reading,
        listener: Listener | None = None,
        *,
        carry: bool = True,
        states: bool = True,
    ) -> None:
        self._a, self._b, self._source = a, b, source
        self._mute = find(a.id)
        """`a`, where nobody counts what it writes"""
        self._listener, self._carry = listener, carry
        self._compares = carry or listener is not None
        self._reading = reading
        self._plan = plan(a, b, source, reading)
        survey = self._plan.survey
        self.shape = b.shape(survey) if b.shape else {}
        run = reading.run() if states else slots.unstated(reading.run(), b.rows)
        self._context = Context(run, survey, self.shape)
        self._back = self._seen_from(b.write_run(self._context, None))
        self._found = Found(a.tally(), b.tally())
        self._first = Case()
        self._seating = Seating(b, survey.targets)

    def _seen_from(self, envelope: Record) -> Context:
        """What is known around records on the way back from this envelope?"""
        run = self._b.read_run(envelope)
        facts = slots.stated(self._context.run, self._b.rows)
        return Context(msgspec.structs.replace(run, **facts), shape=self._source.shape)

    def parts(self, count: int) -> Sequence[Iterator[Group]]:
        """Which parts of the target's groups may be made at the same time, by as many helpers?

        What each has found out when it is done is joined in the order of the parts.
        """
        joining = self._listener is None or isinstance(self._listener, Joining)
        if self._a.write_case is not None or self._seating.counts or not joining:
            return [self.groups()]
        order = self._plan.order
        size = len(self._source.groups if order is None else order)
        bounds = [size * at // count for at in range(count + 1)]
        return [self._groups(*bound) for bound in pairwise(bounds)]

    def found(self) -> tuple[Found, Listener | None]:
        """What has been found out so far?"""
        return self._found, self._listener

    def join(self, later: tuple[Found, Any]) -> None:
        """Go on with what was found out in the part that follows."""
        found, listener = later
        self._found.join(found)
        if isinstance(self._listener, Joining):
            self._listener.join(listener)

    def groups(self) -> Iterator[Group]:
        """Which groups does the target hold?"""
        return self._groups(0, None)

    def _groups(self, start: int, stop: int | None) -> Iterator[Group]:
        row = start if self._plan.order is None else self._plan.order.starts[start]
        bundles = bundled(self._source.groups, self._plan, start, stop)
        for number, (group, numbers) in enumerate(bundles, start):
            said = self._reading.group(group)
            case = said[0][0] if said else self._reading.case(group)
            own_case, own = self._own(group, case, said)
            self._found.mine.add(own_case, own)
            if not said:
                self._lose(number, group)
                continue
            yield from self._written(number, row, group, numbers, said)
            if self._compares and group.parent is not None and self._a.write_case is not None:
                self._note(number, group.parent, own)
            row += len(said)

    def _own(self, group: Group, case: Case, said: Sequence[Said]) -> tuple[Case, list[Trial]]:
        """What does the source itself say, its carry left aside?"""
        if self._reading.carries and said:
            group = self._reading.speakable(group)
            said = [self._a.read(record, group.parent) for record in group.records]
            case = said[0][0]
        return case, [trial for _, trial in said]

    def _lose(self, number: int, group: Group) -> None:
        whole = next(self._a.layout.records_of([group], self._source.shape))
        self._found.lost.append(slots.lost(number, whole, unspeakable=self._source.unspeakable))
        if self._listener:
            self._listener.lost(number, whole)

    def _written(
        self, number: int, row: int, group: Group, numbers: Sequence[int], said: Sequence[Said]
    ) -> Iterator[Group]:
        a, b, moved = self._a, self._b, self._plan.moved
        case, trials = said[0][0], [trial for _, trial in said]
        parent = b.write_case(case, trials) if b.write_case else None
        self._found.theirs.add(b.read_case(parent) if parent else case, trials)
        records = []
        for at, record in enumerate(group.records):
            seat = self._seating.seat(row + at, number, said, at)
            written = b.write(*said[at], seat, self._context)
            if not self._compares:
                records.append(fill(written, b.record_blanks, seat.test)[0])
                continue
            back = b.read(written, parent)
            if at == 0:
                self._first = back[0]
            delta = diff(a.write(*back, None, self._back), record)
            source_row = numbers[at] if moved else row + at
            if self._listener:
                self._listener.record(source_row, record, delta)
            delta, facts = self._stated(said[at][1], back, record, delta)
            slot: Record = {} if self._a.write_case is None else {"case": number}
            if moved:
                slot["at"] = source_row
            if facts:
                slot["facts"] = facts
            records.append(self._attached(written, delta, slot, seat.test))
        if parent is None:
            yield from (Group(None, [record]) for record in records)
        else:
            yield Group(parent, records)

    def _note(self, number: int, parent: Record, trials: Sequence[Trial]) -> None:
        """Keep what the way back would get wrong in a case's own record."""
        assert self._a.write_case is not None
        delta = diff(self._a.write_case(self._first, trials), parent)
        if delta is not None:
            said = slots.spoken(delta, unspeakable=self._source.unspeakable)
            self._found.cases[str(number)] = said
        if self._listener:
            self._listener.case(number, parent, delta)

    def _stated(
        self, trial: Trial, back: Said, record: Record, delta: Node | None
    ) -> tuple[Node | None, Record]:
        """With which delta and facts does a record come home whose verdict the target can't say?

        A verdict is stated where nothing else has to be carried for it.
        """
        facts = slots.verdict(trial, back[1]) if self._carry else {}
        if not facts:
            return delta, {}
        home = self._mute.write(*with_facts(back, facts), None, self._back)
        stated = diff(home, record)
        less = {place for place, _ in changed(stated)} <= {place for place, _ in changed(delta)}
        return (stated, facts) if less else (delta, {})

    def _attached(self, record: Record, delta: Node | None, more: Record, test: int) -> Record:
        """The record with what is needed on the way home: the delta, and what `more` there is."""
        filled, derived = fill(record, self._b.record_blanks, test)
        if not self._carry:
            return filled
        said = slots.spoken(delta, unspeakable=self._source.unspeakable)
        slot: Record = more if said is None else {"delta": said, **more}
        if derived:
            slot["derived"] = derived
        return slots.put(filled, self._b.record_slot, slot)

    def envelope(self) -> Record:
        """Which envelope does the target get? To be asked after all groups."""
        a, b = self._a, self._b
        found = self._found
        written = b.write_run(self._context, found.theirs)
        seen = self._seen_from(written)
        home = a.write_run(seen, found.mine)
        carried = delta = diff(home, self._source.envelope)
        filled, derived = fill(written, b.run_blanks)
        if self._listener:
            k = b.read_run(written).k
            if k != seen.run.k:  # stated in the slot, which is carried as well
                run = msgspec.structs.replace(seen.run, k=k)
                said = a.write_run(Context(run, shape=seen.shape), found.mine)
                delta = diff(said, self._source.envelope)
            self._listener.run(self._source.envelope, delta, derived)
        redacted = slots.redactions(self._source.envelope, a.run_slot)
        if not self._carry:
            return slots.marked(filled, b.run_slot, redacted)
        slot = RunSlot(
            evalglot=slots.CARRY_VERSION,
            source=a.ref,
            target=b.ref,
            shape=dict(self._source.shape),
            run=slots.spoken(marked(carried, home), unspeakable=self._source.unspeakable),
            cases=found.cases,
            lost=found.lost,
            derived=derived,
            unspeakable=self._source.unspeakable,
            facts=slots.stated(self._context.run, b.rows),
            redacted=redacted,
            chain=slots.chain_of(slots.of_run(self._source.envelope, a.run_slot)),
        )
        return slots.put(filled, b.run_slot, slot)
