"""Do the figures of a Promptbeat report that lists no case contradict each other?

`total_cases` counts passed, failed and errored cases, each once; a case has one risk type and one
provider, so no group, nor all of them, can hold more than the run. Whether a group counts errors
among `failed` is not said, so its rate may be of all its cases or of those that were judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from registry.findings import Finding
from registry.recounts import is_number, share, shown, told, within_digits
from registry.values import JSON, pointer

PARTS = ("passed", "failed", "errors")
GROUPS = ("by_risk_type", "by_provider")


def contradictions(envelope: JSON, because: str) -> Iterator[Finding]:
    """Which figures can't be right together, whatever the cases were?"""
    counts = {key: count for key in PARTS if (count := _count(envelope, key)) is not None}
    total, sum_ = int(envelope["total_cases"]), sum(counts.values())
    exact = len(counts) == len(PARTS)
    if sum_ != total if exact else sum_ > total:
        wanted = f"{'' if exact else 'no less than '}{shown(sum_)}, the sum of {', '.join(counts)}"
        yield told("promptbeat/totals", "/total_cases", shown(total), wanted, because)
        return
    passed = counts.get("passed")
    most = {
        "passed": total if passed is None else passed,
        "failed": total - (passed or 0),
        "errors": counts.get("errors", total),
        "total": total,
    }
    for key in GROUPS:
        yield from _beyond(key, envelope.get(key) or {}, most, because)


def _count(of: JSON, key: str) -> int | None:
    stated = of.get(key)
    return int(stated) if is_number(stated) else None


def _beyond(key: str, groups: JSON, most: dict[str, int], because: str) -> Iterator[Finding]:
    """Do the groups hold more than there is, or has one another rate than its counts?"""
    for part, limit in most.items():
        sum_ = sum(_count(group, part) or 0 for group in groups.values())
        if sum_ > limit:
            found = f"{shown(sum_)} in the sum of {part}"
            wanted = f"no more than {shown(limit)}, as in the run"
            yield told("promptbeat/groups", f"/{key}", found, wanted, because)
            return
    for name, group in groups.items():
        stated, rates = group.get("pass_rate"), _rates(group, most["errors"])
        if is_number(stated) and rates and not _is_within(stated, rates):
            wanted = f"{shown(max(rates))}, by its own counts"
            place = pointer((key, name, "pass_rate"))
            yield told("promptbeat/groups", place, shown(stated), wanted, because)


def _rates(group: JSON, errors: int) -> list[float]:
    """Between which rates may that of a group be: with all errors of the run among it, or none?"""
    passed, failed = _count(group, "passed"), _count(group, "failed")
    if passed is None or failed is None:
        return []
    sums: Iterable[int] = (passed + failed + errors, passed + failed)
    return [rate for sum_ in sums if (rate := share(passed, sum_)) is not None]


def _is_within(stated: float, rates: list[float]) -> bool:
    between = min(rates) <= stated <= max(rates)
    return between or any(within_digits(stated, rate) for rate in rates)
