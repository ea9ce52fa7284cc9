"""What a trend comes to: the model that every shape of its report reads.

Field names are those of the JSON report, whose schema is `evalglot-trend-report` in the registry.
Shares are from 0 to 1, costs in US dollars, times in UTC; null means "not said", never zero.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

By: TypeAlias = Literal["case", "tag", "check"]
Per: TypeAlias = Literal["day", "week", "month"]

REPORT_VERSION = 1


class Point(msgspec.Struct, frozen=True):
    """One run: which file, when, and how its trials came out."""

    digest: str
    path: str | None
    run_id: str | None
    tool: str
    ran_at: str
    judged: int
    passes: int
    errors: int
    rate: float | None


class Shift(msgspec.Struct, frozen=True):
    """The rate changed with this run: from what, to what, over how many runs on either side?"""

    first: Point
    before: float
    after: float
    runs_before: int
    runs_after: int
    p: float


class Period(msgspec.Struct, frozen=True):
    """What did one period come to?

    `flaky` is the share of judged cases, run by run, that passed some of their trials and failed
    others; `flips` the share that came out otherwise than in the run before. `pass_hat` is pass^k
    over the period's trials of each case; `cost_per_pass` is of the trials that say what they cost.
    """

    period: str
    runs: int
    cases: int
    trials: int
    judged: int
    passes: int
    errors: int
    rate: float | None
    low: float | None
    high: float | None
    flaky: float | None
    flips: float | None
    pass_hat: float | None
    cost_usd: float | None
    cost_per_pass: float | None


class Target(msgspec.Struct, frozen=True):
    """How did one target fare? A run fails where one of its judged trials does.

    `failing_since` is the first run of those, up to the last, that all fail; null if the last
    passed.
    """

    target: str | None
    runs: int
    first: Point
    last: Point
    first_failing: Point | None
    failing_since: Point | None
    last_passing: Point | None
    shifts: tuple[Shift, ...]
    periods: tuple[Period, ...]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked, and how did each target fare?"""

    version: int = REPORT_VERSION
    by: By
    subject: str
    per: Per
    k: int
    alpha: float
    test: str
    targets: tuple[Target, ...]
    notes: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """1 where the last shift of some target is for the worse, 4 where nothing was judged."""
        if not any(period.judged for one in self.targets for period in one.periods):
            return 4
        return int(any(one.shifts and _fell(one.shifts[-1]) for one in self.targets))


def _fell(shift: Shift) -> bool:
    return shift.after < shift.before
