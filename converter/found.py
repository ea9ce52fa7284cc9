"""What is found out about all records while they go by, and needed when the last one has gone."""

from __future__ import annotations

from dataclasses import dataclass, field

from converter.form import Tally
from converter.slots import Delta, Lost


@dataclass(slots=True)
class Found:
    """Totals of both formats, deltas of the cases' own records, and records without a place."""

    mine: Tally
    theirs: Tally
    cases: dict[str, Delta] = field(default_factory=dict)
    lost: list[Lost] = field(default_factory=list)

    def join(self, later: Found) -> None:
        """Go on with what was found out about the records that follow."""
        self.mine.join(later.mine)
        self.theirs.join(later.theirs)
        self.cases |= later.cases
        self.lost += later.lost
