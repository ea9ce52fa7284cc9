"""Do the figures of a Promptbeat report agree with a recount?

From the report schema's reference page: `total_cases` counts passed, failed and errored cases;
`pass_rate` is the fraction of cases that passed; `case_id` is unique within the run; `passed` is
true if all assertions passed and false if any failed; the groups hold pass and fail counts by risk
type and by provider, and may be empty. Not said there: whether a group's rate and `failed` count
what could not be judged. Both ways are right. The page's own sample lists no cases: its figures are
held to each other (`promptbeat_totals`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from registry.findings import Finding
from registry.recounts import (
    Frame,
    Recounter,
    counted,
    is_number,
    share,
    shown,
    told,
    within_digits,
)
from registry.recounts.promptbeat_totals import contradictions
from registry.values import JSON, pointer

PASSED, FAILED, ERRORS = range(3)
Counts = list[int]
"""How many cases passed, failed, and could not be judged?"""

UNDECIDED = ("review", "skipped")
"""Verdicts in a case's metadata that are neither passed nor failed; conversions write them."""

NOT_LISTED = "The report lists no case"
PARTIAL = "The run was not completed"
UNJUDGED = "Whether a case that has an error can have passed is not known"
ERRORS_LEFT_OUT = "It is right among the cases that could be judged"


def recounter(frame: Frame) -> Recounter:
    """What recounts a report?"""
    return _Cases(frame)


class _Cases:
    """Recounts a report."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.cells: dict[tuple[str | None, str | None, int], int] = {}
        """How many cases of a risk and a provider came out so?"""
        self.hinted: dict[str, Counts] = {}
        """Cases that name their risk in their metadata only."""
        self.ids: dict[str, int] = {}

    def record(self, record: JSON, number: int) -> Iterable[Finding]:
        """Does its verdict agree with its assertions, and has it an id of its own?"""
        get = record.get
        passed = record["passed"]
        error = get("error") is not None
        verdict = ERRORS if error else PASSED if passed else FAILED
        cell = (get("risk_type"), get("provider"), verdict)
        try:
            self.cells[cell] += 1
        except KeyError:
            self.cells[cell] = 1
        if cell[0] is None:
            self._hint(record, verdict)
        agrees = not (error and passed)
        if not error and (assertions := get("assertions")):
            for assertion in assertions:
                if not assertion["passed"]:
                    agrees = not passed
                    break
            else:
                agrees = passed
        id_ = record["case_id"]
        if agrees and self.ids.setdefault(id_, number) == number:
            return ()
        return self._odd(record, number, agrees=agrees)

    def _hint(self, record: JSON, verdict: int) -> None:
        metadata = record.get("metadata") or {}
        risk = metadata.get("pluginId") or metadata.get("riskPlugin")
        if risk is not None:
            self.hinted.setdefault(risk, [0, 0, 0])[verdict] += 1

    def _odd(self, record: JSON, number: int, *, agrees: bool) -> Iterator[Finding]:
        place = f"{self.frame.place}/{number}"
        undecided = (record.get("metadata") or {}).get("verdict") in UNDECIDED
        if not agrees and not (undecided and not record["passed"]):
            yield _misjudged(record, f"{place}/passed")
        id_ = record["case_id"]
        first = self.ids.setdefault(id_, number)
        if first != number and not (self.frame.converted and not id_):
            because = "" if id_ else "It names no case"
            found = f"{shown(id_)}, as at {self.frame.place}/{first}"
            wanted = "an id of its own"
            yield told("promptbeat/case-ids", f"{place}/case_id", found, wanted, because)

    def end(self) -> Iterator[Finding]:
        """Do the totals, the rate and the groups agree with the cases, or with each other?"""
        odd = [] if any(self.counts) else [*contradictions(self.frame.envelope, self.partial)]
        yield from odd or self._totals()
        yield from self._rate()
        if any(self.counts):
            target = (self.frame.envelope.get("metadata") or {}).get("target")
            risks, providers = self._by(provider=False), self._by(provider=True)
            unnamed = providers.get(None)
            loose = {target: unnamed} if unnamed and isinstance(target, str) else {}
            yield from self._groups("by_risk_type", risks, self.hinted)
            yield from self._groups("by_provider", providers, loose)

    def _by(self, *, provider: bool) -> dict[str | None, Counts]:
        """How did the cases of each risk, or of each provider, come out?"""
        counts: dict[str | None, Counts] = {}
        for (risk, by, verdict), count in self.cells.items():
            counts.setdefault(by if provider else risk, [0, 0, 0])[verdict] += count
        return counts

    @cached_property
    def counts(self) -> Counts:
        """How did all cases come out?"""
        sums = [0, 0, 0]
        for (_, _, verdict), count in self.cells.items():
            sums[verdict] += count
        return sums

    def _totals(self) -> Iterator[Finding]:
        envelope = self.frame.envelope
        passed, failed, errors = self.counts
        fits = {
            "total_cases": (passed + failed + errors,),
            "passed": (passed,),
            "failed": (failed,) if "errors" in envelope else (failed, failed + errors),
            "errors": (errors,),
        }
        for key, counts in fits.items():
            stated = envelope.get(key)
            if is_number(stated) and stated not in counts:
                wanted = f"{counts[0]}, as are listed"
                yield told("promptbeat/totals", f"/{key}", shown(stated), wanted, self.because)

    @property
    def because(self) -> str:
        """Why may a figure be another than is recounted?"""
        return self.partial if any(self.counts) else NOT_LISTED

    @property
    def partial(self) -> str:
        """Why may the figures of a run be others than those of its cases?"""
        return "" if self.frame.envelope.get("status") == "completed" else PARTIAL

    def _rate(self) -> Iterator[Finding]:
        """Is the rate that of the file's own totals?"""
        envelope = self.frame.envelope
        passed, total = envelope.get("passed", self.counts[PASSED]), envelope["total_cases"]
        if "passed" not in envelope and not any(self.counts):
            return
        exact = share(passed, total)
        stated = envelope["pass_rate"]
        right = share(self.counts[PASSED], sum(self.counts))
        if exact is None or any(
            within_digits(stated, one) for one in (exact, right) if one is not None
        ):
            return  # or the totals are wrong, which is told
        errors = envelope.get("errors", self.counts[ERRORS])
        judged = share(passed, total - errors)
        without = bool(errors) and judged is not None and within_digits(stated, judged)
        wanted = f"{shown(exact)}, which is {shown(passed)} / {shown(total)}"
        because = ERRORS_LEFT_OUT if without else ""
        yield told("promptbeat/pass-rate", "/pass_rate", shown(stated), wanted, because)

    def _groups(
        self, key: str, named: Mapping[str | None, Counts], loose: Mapping[str, Counts]
    ) -> Iterator[Finding]:
        """Is each group what is counted of its cases, with or without those that hint at it?"""
        groups = self.frame.envelope.get(key)
        if not groups:
            return
        for name, group in groups.items():
            counts = named.get(name, [0, 0, 0])
            ways = [counts]
            if name in loose:
                hinted = zip(counts, loose[name], strict=True)
                ways.append([one + other for one, other in hinted])
            found = [list(_miscounts(group, way)) for way in ways]
            if all(found):
                for field, stated, wanted in found[0]:
                    place = pointer((key, name, field))
                    yield told("promptbeat/groups", place, shown(stated), wanted, self.because)
        for name, counts in named.items():
            if name is not None and name not in groups and any(counts[:ERRORS]):
                found_ = f"no group for {shown(name)}"
                wanted = f"one, as {counted(sum(counts), 'case')} name it"
                yield told("promptbeat/groups", f"/{key}", found_, wanted, self.because)


def _misjudged(record: JSON, place: str) -> Finding:
    """What is told of a case that says to have passed, or not, and shows otherwise?"""
    passed = record["passed"]
    failed = any(not one["passed"] for one in record.get("assertions") or ())
    errored = passed and not failed
    wanted = f"{shown(not passed)}, by its {'error' if errored else 'assertions'}"
    because = UNJUDGED if errored else ""
    return told("promptbeat/passed", place, shown(passed), wanted, because)


def _miscounts(group: JSON, counts: Counts) -> Iterator[tuple[str, JSON, str]]:
    """Which fields of a group are none of what the counts may come to, and what is expected?"""
    passed, failed, errors = counts
    fits = {
        "passed": (passed,),
        "failed": (failed, failed + errors),
        "errors": (errors,),
        "total": (passed + failed + errors, passed + failed),
    }
    for key, figures in fits.items():
        stated = group.get(key)
        if is_number(stated) and stated not in figures:
            yield key, stated, f"{figures[0]}, as are listed"
    rates = [share(passed, total) for total in fits["total"]]
    stated = group.get("pass_rate")
    if is_number(stated) and rates[0] is not None:
        exact = [rate for rate in rates if rate is not None]
        if not any(within_digits(stated, rate) for rate in exact):
            yield "pass_rate", stated, f"{shown(exact[0])}, of those that are listed"
