"""What may stop a pull request? Each gate says whether it holds, and names what trips it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from diffruns import naming
from diffruns.alignment import Pair
from diffruns.report import CaseRow, CaseSide, Comparable, Gate, Measures, Summary
from diffruns.transitions import APART, WORSE

FailOn: TypeAlias = Literal["regression", "new-failure", "error", "missing", "not-comparable"]
FAIL_ON: tuple[FailOn, ...] = (
    "regression",
    "new-failure",
    "error",
    "missing",
    "not-comparable",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which gates were asked for? `max_drop` and `max_fail_share` are shares from 0 to 1."""

    fail_on: tuple[FailOn, ...] = ()
    max_drop: float | None = None
    max_fail_share: float | None = None
    critical: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Was any gate asked for?"""
        return bool(self.fail_on or self.critical) or not (
            self.max_drop is None and self.max_fail_share is None
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """What do gates look at?"""

    comparable: Comparable
    summary: Summary
    cases: Sequence[CaseRow]
    pairs: Sequence[Pair]
    """of the cases, in their order"""


def gates(asked: Asked, seen: Evidence) -> tuple[Gate, ...]:
    """Which of the gates that were asked for are tripped?"""
    found = [_FAIL_ON[name](seen) for name in dict.fromkeys(asked.fail_on)]
    if asked.max_drop is not None:
        found.append(_max_drop(seen, asked.max_drop))
    if asked.max_fail_share is not None:
        found.append(_max_fail_share(seen, asked.max_fail_share))
    if asked.critical:
        found.append(_critical(seen, asked.critical))
    return tuple(found)


def _gate(name: str, says: str, cases: Sequence[CaseRow], *, tripped: bool | None = None) -> Gate:
    ids = tuple(dict.fromkeys(case.id for case in cases))
    return Gate(name, bool(cases) if tripped is None else tripped, says, ids)


def _regression(seen: Evidence) -> Gate:
    """Tripped where the paired test says that fewer pass, by more than noise."""
    delta = seen.summary.delta.get("rate")
    worse = [case for case in seen.cases if case.bucket in WORSE]
    if delta is None:
        return _gate("regression", "no case could be tested", [], tripped=False)
    says = f"pass rate {delta.value * 100:+.1f}pp, p={delta.p:.3g}, n={delta.n:,}"
    tripped = delta.finding == "worse"
    return _gate("regression", says, worse if tripped else [], tripped=tripped)


def _new_failure(seen: Evidence) -> Gate:
    """Tripped by a case that fails (some trials) now, and did not before or was not there."""
    failing = [case for case in seen.cases if _fails_newly(case)]
    return _gate("new-failure", f"{len(failing):,} newly failing", failing)


def _fails_newly(case: CaseRow) -> bool:
    """Before it passed, was not judged or not there; or it passed more often."""
    if case.bucket in APART:
        return False
    return case.bucket == "less-reliable" or (_fails(case.b) and not _fails(case.a))


def _fails(side: CaseSide | None) -> bool:
    return side is not None and side.verdict in ("failed", "flaky")


def _error(seen: Evidence) -> Gate:
    """Tripped by a case of which more could not be judged than before: some trial, or all."""
    errors = [
        case
        for case in seen.cases
        if case.bucket not in APART
        and _errors(case.b)
        and (case.bucket == "errored" or not _errors(case.a))
    ]
    return _gate("error", f"{len(errors):,} could not be judged this time", errors)


def _errors(side: CaseSide | None) -> bool:
    return side is not None and side.errors > 0


def _missing(seen: Evidence) -> Gate:
    removed = [case for case in seen.cases if case.bucket == "removed"]
    return _gate("missing", f"{len(removed):,} gone", removed)


def _not_comparable(seen: Evidence) -> Gate:
    fields = [one.field for one in seen.comparable.differences if one.effect != "notes"]
    says = f"the runs differ in {', '.join(fields)}" if fields else "the runs may be compared"
    return _gate("not-comparable", says, [], tripped=bool(fields))


_FAIL_ON: dict[FailOn, Callable[[Evidence], Gate]] = {
    "regression": _regression,
    "new-failure": _new_failure,
    "error": _error,
    "missing": _missing,
    "not-comparable": _not_comparable,
}


def _max_drop(seen: Evidence, limit: float) -> Gate:
    """Tripped where the pass rate over the cases of both sides fell by more than the limit.

    Where a file counts cases that it does not list, it is the rate of each whole run.
    """
    name, (rise, of) = f"max-drop {limit:.4g}", _rise(seen.summary)
    if rise is None:
        return _gate(name, "no case is judged on both sides", [], tripped=False)
    tripped = -rise > limit + ROUNDING
    worse = [case for case in seen.cases if case.bucket in WORSE or _fails_newly(case)]
    says = f"pass rate {rise * 100:+.1f}pp{of}"
    return _gate(name, says, worse if tripped else [], tripped=tripped)


def _rise(summary: Summary) -> tuple[float | None, str]:
    """By how much did the pass rate rise, and of what?"""
    delta = summary.delta.get("rate")
    if summary.a.whole_rate is None and summary.b.whole_rate is None:
        return None if delta is None else delta.value, ""
    before, after = _run_rate(summary.a), _run_rate(summary.b)
    rise = None if before is None or after is None else after - before
    return rise, ", unlisted cases counted in"


def _run_rate(side: Measures) -> float | None:
    """Which share of a run's cases passed, of all that its file lists or counts?"""
    if side.whole_rate is not None:
        return side.whole_rate
    return None if side.rate is None else side.rate.value


def _max_fail_share(seen: Evidence, limit: float) -> Gate:
    """Tripped where more than this share of B's cases failed, whatever A says."""
    name, rate = f"max-fail-share {limit:.4g}", _run_rate(seen.summary.b)
    if rate is None:
        return _gate(name, "no case of B was judged", [], tripped=True)
    tripped = 1 - rate > limit + ROUNDING
    failing = [case for case in seen.cases if _fails(case.b)] if tripped else []
    of = "B failed" if seen.summary.b.whole_rate is None else "B failed, unlisted cases counted in"
    return _gate(name, f"{1 - rate:.1%} of {of}", failing, tripped=tripped)


def _critical(seen: Evidence, names: Sequence[str]) -> Gate:
    """Tripped by a critical case that got worse or is gone: named by id or tag, or by its file."""
    watched = [
        case
        for case, pair in zip(seen.cases, seen.pairs, strict=True)
        if case.critical or _meant(pair, names)
    ]
    lost = ("removed", "undecided", "skipped")
    worse = [
        case
        for case in watched
        if case.bucket in WORSE or case.bucket in lost or _fails_newly(case)
    ]
    says = f"{len(worse):,} of {len(watched):,} critical cases got worse"
    return _gate(f"critical {', '.join(names)}", says, worse)


def _meant(pair: Pair, names: Sequence[str]) -> bool:
    sides = [side for side in (pair.a, pair.b) if side is not None]
    return any(naming.is_meant(side, name) for side in sides for name in names)


ROUNDING = 1e-12
"""a share that is its limit but for rounding is within it"""
