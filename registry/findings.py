"""What was found in files that were checked, told so that every report can be made from it?

A finding stands for all of its kind: the first one in full, and how many are like it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec

Severity = Literal["error", "warning"]
Outcome = Literal["valid", "invalid", "skipped", "unreadable"]

Strictness = Literal["lenient", "drift", "strict"]
"""Which findings are errors besides errors: none, fields that no schema names, or all?"""

UNKNOWN_FIELD = "unknown-field"
"""The rule of those fields."""

SEVERITIES: tuple[Severity, ...] = ("error", "warning")
OUTCOMES: tuple[Outcome, ...] = ("invalid", "unreadable", "skipped", "valid")

MOST_KINDS = 200
"""How many kinds of errors, and of warnings, are kept of one file."""

LONGEST_POINTER = 300
"""How many characters of a pointer are kept: keys are the file's, and may be of any length."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong at a place, and how often is the same wrong elsewhere in the file?

    `rule` is `file`, `json`, `format`, `unknown-field`, `schema/` and a keyword, or the id of a
    recount rule. `count` includes the place that is named. `line` and `column` count from 1.
    """

    rule: str
    severity: Severity
    found: str
    expected: str = ""
    note: str = ""
    pointer: str | None = None
    line: int | None = None
    column: int | None = None
    count: int = 1

    @property
    def message(self) -> str:
        """What is said of it, without the place?"""
        said = f"found {self.found}" if self.expected else self.found
        if self.expected:
            said += f", expected {self.expected}"
        if self.count > 1:
            said += f" (… and {self.count - 1:,} more like it)"
        return f"{said}. {self.note}" if self.note else said


class FileReport(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one file? `further` findings are of kinds that are not listed."""

    file: str
    outcome: Outcome
    format: str | None = None
    records: int | None = None
    findings: tuple[Finding, ...] = ()
    further: int = 0

    def having(self, severity: Severity) -> int:
        """How many findings of this severity are there?"""
        return sum(one.count for one in self.findings if one.severity == severity)


class Report(msgspec.Struct, frozen=True):
    """What became of all files?"""

    files: tuple[FileReport, ...]

    @property
    def exit_code(self) -> int:
        """0 nothing wrong, 1 a file has errors, 2 a file can't be read."""
        outcomes = {one.outcome for one in self.files}
        return 2 if "unreadable" in outcomes else int("invalid" in outcomes)

    def count(self, outcome: Outcome) -> int:
        """How many files came out so?"""
        return sum(one.outcome == outcome for one in self.files)

    def having(self, severity: Severity) -> int:
        """How many findings of this severity are there in all files?"""
        return sum(one.having(severity) for one in self.files)


@dataclass(slots=True)
class Tally:
    """Findings as they come, gathered by kind. `strictness` makes errors of warnings."""

    strictness: Strictness = "lenient"
    first: dict[tuple[str, ...], Finding] = field(default_factory=dict)
    counts: dict[tuple[str, ...], int] = field(default_factory=dict)
    kinds: Counter[Severity] = field(default_factory=Counter)
    further: int = 0

    def add(self, finding: Finding, *told: str) -> bool:
        """Count a finding with its kind: one rule, at like places, and what else is `told`.

        Is it the first of its kind that is kept?
        """
        kind = (finding.rule, starred(finding.pointer or ""), *told)
        if kind in self.counts:
            self.counts[kind] += 1
            return False
        if self.kinds[finding.severity] == MOST_KINDS:
            self.further += 1
            return False
        self.kinds[finding.severity] += 1
        self.counts[kind] = 1
        self.first[kind] = finding
        return True

    def findings(self, positions: Mapping[str, tuple[int, int]]) -> tuple[Finding, ...]:
        """Which findings are there, errors first, each placed where `positions` has its pointer?"""
        told = [
            _told(one, self.counts[kind], positions, self.strictness)
            for kind, one in self.first.items()
        ]
        return in_order(told)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The same findings, errors first, and then as they stand in the file."""
    return tuple(sorted(findings, key=_order))


def _order(finding: Finding) -> tuple[bool, int, int]:
    return finding.severity != "error", finding.line or 0, finding.column or 0


def _told(
    finding: Finding,
    count: int,
    positions: Mapping[str, tuple[int, int]],
    strictness: Strictness,
) -> Finding:
    line, column = finding.line, finding.column
    if line is None and finding.pointer is not None:
        line, column = positions.get(finding.pointer, (None, None))
    return msgspec.structs.replace(
        finding,
        severity="error" if _is_refused(finding, strictness) else finding.severity,
        pointer=finding.pointer and shortened(finding.pointer),
        line=line,
        column=column,
        count=count,
    )


def _is_refused(finding: Finding, strictness: Strictness) -> bool:
    return strictness == "strict" or (strictness == "drift" and finding.rule == UNKNOWN_FIELD)


def starred(place: str) -> str:
    """A JSON Pointer with its positions forgotten, so that like places look alike."""
    return "/".join("*" if token.isdecimal() else token for token in place.split("/"))


def shortened(place: str) -> str:
    """A JSON Pointer that is no longer than is good to read."""
    if len(place) <= LONGEST_POINTER:
        return place
    half = LONGEST_POINTER // 2
    return f"{place[:half]}…{place[1 - half :]}"


def worst(findings: Sequence[Finding]) -> Outcome:
    """What came out for a file that was read?"""
    return "invalid" if any(one.severity == "error" for one in findings) else "valid"
