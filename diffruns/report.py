"""What a comparison of two runs comes to: the one model that every renderer reads.

Field names are those of the JSON report, whose schema is `evalglot-diff-report` in the registry.
Shares are from 0 to 1, times in milliseconds, costs in US dollars; null means "not said by the
files", never zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from converter.frames import Columns, Kind, Tabular, fields
from diffruns.entries import State
from diffruns.transitions import Bucket

REPORT_VERSION = 1

Effect: TypeAlias = Literal["blocks", "limits", "notes"]
Finding: TypeAlias = Literal["better", "worse", "~", "differs"]


class RunHead(msgspec.Struct, frozen=True):
    """Which run is it?"""

    file: str
    format: str
    version: str
    sha256: str
    run_id: str | None
    suite: str | None
    targets: tuple[str, ...]
    started: str | None


class Difference(msgspec.Struct, frozen=True):
    """In what do the runs differ, beside their targets?

    `blocks` leaves nothing to compare, `limits` leaves differences that can't be put down to the
    target alone, `notes` is worth knowing.
    """

    field: str
    a: str
    b: str
    effect: Effect


class Comparable(msgspec.Struct, frozen=True):
    """May the two runs be compared?"""

    verdict: Literal["comparable", "limited", "not comparable"]
    differences: tuple[Difference, ...]


class Rate(msgspec.Struct, frozen=True):
    """Which share passed?

    `policy` says of what; `bracket` is the share with errors as failures, and with errors left out.
    """

    value: float
    low: float
    high: float
    n: int
    policy: str
    bracket: tuple[float, float]


class Mean(msgspec.Struct, frozen=True):
    """What is the mean, with its 95 % interval? No interval of a single value."""

    value: float
    low: float | None
    high: float | None
    n: int


class Spread(msgspec.Struct, frozen=True):
    """How are latencies spread? Percentiles by nearest rank."""

    p50: float
    p95: float
    n: int


class Total(msgspec.Struct, frozen=True):
    """What do they come to, over the n trials that say it? `missing` trials don't."""

    value: float
    n: int
    missing: int


class Measures(msgspec.Struct, frozen=True):
    """What do the cases of one side come to?"""

    cases: int
    trials: int
    verdicts: dict[str, int]
    """cases by state"""
    rate: Rate | None
    """of the cases that the file lists"""
    whole_rate: float | None
    """share of passed cases where the file counts others that it does not list, with these"""
    pass_hat: dict[str, float]
    """pass^j: how likely all of j trials pass, by j"""
    pass_at: dict[str, float]
    """pass@j: how likely one of j trials passes at least, by j"""
    score: Mean | None
    latency_ms: Spread | None
    tokens: Total | None
    cost_usd: Total | None


class Delta(msgspec.Struct, frozen=True):
    """By how much does B differ from A, over the n cases that both have?

    `p` is that of `test`, `corrected` the same with its family corrected for; `finding` is `~`
    unless the test rejects. `detectable` is the least difference that this n would have shown with
    power 0.8.
    """

    value: float
    low: float | None
    high: float | None
    n: int
    test: str
    p: float
    exact_p: float | None
    corrected: float | None
    finding: Finding
    detectable: float | None
    note: str | None


class Compared(msgspec.Struct, frozen=True):
    """What do both sides come to, and by how much do they differ, by measure?"""

    a: Measures
    b: Measures
    delta: dict[str, Delta]


class Group(msgspec.Struct, frozen=True):
    """The same for the cases that have one value in a dimension."""

    value: str
    a: Measures
    b: Measures
    delta: dict[str, Delta]


class Mode(msgspec.Struct, frozen=True):
    """How often did one check fail, or one soft invariant break? Counted in trials and cases."""

    check: str
    hard: bool
    a_trials: int
    b_trials: int
    a_cases: int
    b_cases: int
    change: Literal["appeared", "vanished", "more", "fewer", "same"]
    p: float | None
    corrected: float | None


class CaseSide(msgspec.Struct, frozen=True, gc=False):
    """What did one case come to on one side? `score` is the mean over trials that have one.

    `judged` trials passed or failed, `errors` could not be judged; the rest is undecided or was
    skipped.
    """

    verdict: State
    passes: int
    judged: int
    errors: int
    trials: int
    score: float | None


class Change(msgspec.Struct, frozen=True, gc=False):
    """What in a case is not the same? Values are told short; null where there is none."""

    field: str
    a: Any
    b: Any


class CaseRow(msgspec.Struct, frozen=True, gc=False):
    """One case: what it is called, by what its sides were told to be one, what became of it."""

    id: str
    group: str | None
    target: str | None
    rung: str
    a: CaseSide | None
    b: CaseSide | None
    bucket: Bucket
    critical: bool
    tags: tuple[str, ...]
    changes: tuple[Change, ...]


class Gate(msgspec.Struct, frozen=True):
    """What was asked for, does it hold, and which cases trip it?"""

    gate: str
    tripped: bool
    says: str
    cases: tuple[str, ...]


class Summary(msgspec.Struct, frozen=True):
    """What do the runs come to as a whole? `tests` are the names of what was tested, and found."""

    a: Measures
    b: Measures
    delta: dict[str, Delta]
    transitions: tuple[Transition, ...]
    compared: int
    """cases in the statistics: on both sides, of one input, judged on both"""


class Transition(msgspec.Struct, frozen=True):
    """How many cases went from one state to another? A cell of the full matrix."""

    a: State
    b: State
    cases: int


class Report(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """What a comparison comes to."""

    version: int = REPORT_VERSION
    a: RunHead
    b: RunHead
    comparable: Comparable
    summary: Summary
    buckets: dict[str, int]
    rungs: dict[str, int]
    cases: Sequence[CaseRow]
    by: dict[str, tuple[Group, ...]]
    failure_modes: tuple[Mode, ...]
    gates: tuple[Gate, ...]
    notes: tuple[str, ...]
    exit_code: int

    def columns(self) -> Columns:
        """Which columns has the table of cases? Those of a side are named `a.` and `b.`."""
        sides = {
            name: fields(CaseSide, name, [getattr(case, name) for case in self.cases])
            for name in ("a", "b")
        }
        kinds: dict[str, Kind] = {
            "id": "text",
            "group": "text",
            "target": "text",
            "bucket": "text",
            "rung": "text",
            "critical": "boolean",
            "tags": "texts",
            "changes": "json",
        }
        own = {
            name: (kind, [getattr(one, name) for one in self.cases]) for name, kind in kinds.items()
        }
        return {**own, **sides["a"], **sides["b"]}

    def _repr_html_(self) -> str:
        """How does a notebook show the comparison?"""
        from diffruns.renderers.notebook import shown

        return shown(self)
