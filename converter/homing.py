"""The way home record by record, for files that are too big to be taken home as a whole.

It is open to files whose records stand as they were written: where trials of a nested source were
torn apart since, or something has to be mended at the document as a whole, `returning` does it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice, pairwise
from typing import TypeAlias

from converter.form import Format, Group, Parts, Tally
from converter.ordering import Order
from converter.returning import Home, Return
from converter.rows import Record
from converter.slots import RunSlot

Check: TypeAlias = Callable[[Record, int], None]


@dataclass(slots=True)
class Counted:
    """What the groups that have gone by come to, and where the carry gave way to an edit."""

    tally: Tally
    stale: list[str] = field(default_factory=list)

    def join(self, later: Counted) -> None:
        """Go on with what was counted in the part that follows."""
        self.tally.join(later.tally)
        self.stale += later.stale


class Homing:
    """One file on its way home from format `b` to format `a`, group by group.

    Each record that comes home is checked. Go through `groups()`, or through `parts()` in several
    processes, then ask for `envelope()`.
    """

    def __init__(
        self, a: Format, b: Format, slot: RunSlot, source: Parts, order: Order, *, check: Check
    ) -> None:
        self._a, self._slot, self._source = a, slot, source
        self._order, self._check = order, check
        self._back = Return(a, b, slot, source)
        self._counted = Counted(a.tally())

    @property
    def stale(self) -> Sequence[str]:
        """Where did the carry give way to an edit? To be asked in the end."""
        return [*self._counted.stale, *self._back.stale]

    def parts(self, count: int) -> Sequence[Iterator[Group]]:
        """Which parts of the source's groups may be made at the same time?"""
        turns, starts = self._order.turns, self._order.starts
        if turns is not None or self._slot.lost or self._a.write_case is not None:
            return [self.groups()]
        size = len(self._source.groups)
        bounds = [size * at // count for at in range(count + 1)]
        return [
            self._counting(self._flat(range(start, stop)), starts[start] if start < size else 0)
            for start, stop in pairwise(bounds)
        ]

    def found(self) -> Counted:
        """What has this process found out?"""
        return Counted(self._counted.tally, list(self.stale))

    def join(self, later: Counted) -> None:
        """Go on with what was found out in the part that follows."""
        self._counted.join(later)

    def groups(self) -> Iterator[Group]:
        """Which groups did the source hold?"""
        numbers = range(len(self._source.groups))
        groups = self._nested(numbers) if self._a.write_case else self._flat(numbers)
        return self._counting(self._with_lost(groups), 0)

    def envelope(self) -> Record:
        """Which envelope did the source have? To be asked after all groups."""
        return self._back.totalled(self._counted.tally)

    def _counting(self, groups: Iterator[Group], number: int) -> Iterator[Group]:
        for group in groups:
            for record in self._a.layout.records_of([group], self._slot.shape):
                self._check(record, number)
                number += 1
            self._back.count(self._counted.tally, group)
            yield group

    def _flat(self, numbers: Sequence[int]) -> Iterator[Group]:
        return (Group(None, [home.record]) for home in self._homes(numbers))

    def _nested(self, numbers: Sequence[int]) -> Iterator[Group]:
        for _, members in groupby(self._homes(numbers), lambda home: home.slot.case):
            homes = list(members)
            yield Group(self._back.parent_of(homes), [home.record for home in homes])

    def _homes(self, numbers: Sequence[int]) -> Iterator[Home]:
        groups = self._source.groups
        if self._order.turns is None:
            for number in numbers:
                group = groups[number]
                yield from (self._back.record(record, group.parent) for record in group.records)
            return
        for number, at in self._order.turns:
            group = groups[number]
            yield self._back.record(group.records[at], group.parent)

    def _with_lost(self, groups: Iterator[Group]) -> Iterator[Group]:
        """The groups, with what the target had no place for where it stood."""
        gone = 0
        for lost in self._slot.lost:
            for group in islice(groups, min(max(lost.at - gone, 0), sys.maxsize)):
                gone += 1
                yield group
            gone += 1
            yield self._back.lost(lost)
        yield from groups
