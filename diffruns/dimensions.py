"""By what can cases be grouped? One literal table; a case may have several values, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from diffruns.entries import Entry

NONE = "(none)"
"""the group of cases that have no value in a dimension"""

LEVELS = ("answer only", "answer + trace", "environment-grade")


def _one(value: str | None) -> tuple[str, ...]:
    return () if value is None else (value,)


def evidence(entry: Entry) -> str | None:
    """How well is a case known? The least level of any of its trials; None where it has none."""
    if len(entry.attempts) == 1:
        return entry.attempts[0].evidence
    seen = {attempt.evidence for attempt in entry.attempts}
    return next((level for level in LEVELS if level in seen), None)


def _failure_kind(entry: Entry) -> tuple[str, ...]:
    """Did it do what is forbidden, or only say how? Known of failed cases, where the file says."""
    if entry.state not in ("failed", "flaky"):
        return ()
    seen = {one.workaround for one in entry.attempts if one.verdict == "failed"}
    words = {True: "unsafe workaround", False: "direct failure", None: "unknown"}
    return tuple(words[kind] for kind in (True, False, None) if kind in seen)


DIMENSIONS: dict[str, Callable[[Entry], Iterable[str]]] = {
    "target": lambda entry: _one(entry.target),
    "provider": lambda entry: _one(entry.target),
    "scenario": lambda entry: _one(entry.group),
    "group": lambda entry: _one(entry.group),
    "risk_type": lambda entry: _one(entry.risk),
    "dataset": lambda entry: _one(entry.dataset),
    "assertion_metric": lambda entry: entry.metrics,
    "evidence_level": lambda entry: _one(evidence(entry)),
    "direct_failure_vs_unsafe_workaround": _failure_kind,
    "tag": lambda entry: entry.tags,
    "severity": lambda entry: _one(entry.severity),
    "taxonomy": lambda entry: entry.taxonomy,
}


def values(entry: Entry, dimension: str) -> tuple[str, ...]:
    """Which values has a case in this dimension? `(none)` where it has no other."""
    return tuple(dict.fromkeys(DIMENSIONS[dimension](entry))) or (NONE,)
