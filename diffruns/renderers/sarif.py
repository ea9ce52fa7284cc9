"""The report as SARIF 2.1.0: what is wrong in B, and whether that was so in A, by `baselineState`.

Rules are the buckets and gates; each case is a result. What passes on both sides is one of kind
`pass`, which services take in without an alert.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from diffruns.compare import Comparison
from diffruns.entries import State
from diffruns.renderers import View, outcomes
from diffruns.renderers.outcomes import HOLE, Result, told
from diffruns.report import CaseRow, Effect, Gate, Report
from diffruns.transitions import BETTER, WORDS, WORSE, Bucket
from registry.reports.paths import uri
from registry.reports.sarif import log, message
from registry.values import JSON

LOST: frozenset[Bucket] = frozenset(
    {"undecided", "skipped", "removed", "now-unlisted", "ambiguous", "input-changed"}
)
"""buckets of cases of which less is known than before"""

WRONG: frozenset[State] = frozenset({"failed", "flaky", "error", "review"})
"""states in which a case has something that is to be looked at"""

LEVELS: dict[Effect, str] = {"blocks": "error", "limits": "warning", "notes": "note"}

GATES = {
    "regression": "Fewer cases pass, by more than noise.",
    "new-failure": "A case fails that did not before.",
    "error": "A case could not be judged.",
    "missing": "A case is gone.",
    "not-comparable": "The runs differ in more than their target.",
    "max-drop": "The pass rate fell by more than is allowed.",
    "max-fail-share": "More fails than is allowed.",
    "critical": "A critical case got worse or is gone.",
}
"""What is wrong where a gate is tripped, by the first word of its name?"""

GATE = "gate-"


class Grade(NamedTuple):
    """Is it a finding, and how bad is it?"""

    kind: str
    level: str


def render(comparison: Comparison, view: View) -> bytes:
    """All cases, those of the buckets asked for if any were, and all gates."""
    report = comparison.report
    rules = _rules(report)
    places = {rule: place for place, rule in enumerate(rules)}
    file = uri(outcomes.path(report.b.file))
    location = {"artifactLocation": {"uri": file, "index": 0}}
    document = log(rules, report.exit_code, [HOLE])
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    driver["fullName"] = "evalglot diffruns"
    driver["rules"] = [_described(rule) for rule in driver["rules"]]
    run["automationDetails"] = {"id": "evalglot/diffruns/"}
    run["artifacts"] = [
        {
            "location": {"uri": file},
            "roles": ["analysisTarget"],
            "hashes": {"sha-256": report.b.sha256},
        }
    ]
    run["invocations"][0]["toolExecutionNotifications"] = list(_notifications(report))
    return outcomes.filled(document, _results(comparison, view, location, places))


def _rules(report: Report) -> dict[str, str]:
    """Which rules are there results of, and what does each say?"""
    rules = {
        str(name): f"{means[:1].upper()}{means[1:]}."
        for name, means in WORDS.items()
        if report.buckets[name]
    }
    return {**rules, **{_rule(gate): GATES[_first(gate)] for gate in report.gates}}


def _described(rule: JSON) -> JSON:
    """What code scanning services want to know of a rule, beside its sentence."""
    says, name = rule["shortDescription"], rule["id"].title().replace("-", "")
    helps = "diffruns A B lists the cases that trip a gate, --case ID shows one."
    if not rule["id"].startswith(GATE):
        name = f"Case{name}"
        helps = f"diffruns --only {rule['id']} A B lists these cases, --case ID shows one."
    return {**rule, "name": name, "fullDescription": says, "help": {"text": helps}}


def _rule(gate: Gate) -> str:
    return GATE + _first(gate)


def _first(gate: Gate) -> str:
    return gate.gate.partition(" ")[0]


def _notifications(report: Report) -> Iterator[JSON]:
    """What is to be known of the comparison as a whole?"""
    unassessed = outcomes.unassessed(report)
    if unassessed:
        yield _notification("error", unassessed)
    for one in report.comparable.differences:
        yield _notification(LEVELS[one.effect], told(f"{one.field}: {one.a} → {one.b}"))
    for note in report.notes:
        yield _notification("note", told(note))


def _notification(level: str, text: str) -> JSON:
    return {"level": level, "message": message(text)}


def _results(
    comparison: Comparison, view: View, location: JSON, places: dict[str, int]
) -> Iterator[JSON]:
    for result in outcomes.results(comparison, view):
        yield _result(result, location, places[result.case.bucket])
    for gate in comparison.report.gates:
        yield _gate(gate, location, places[_rule(gate)])


def _result(result: Result, location: JSON, rule: int) -> JSON:
    case = result.case
    grade = _grade(case)
    logical = {"name": result.name, "kind": "member"}
    if case.group is not None:
        logical["fullyQualifiedName"] = f"{told(case.group)}/{result.name}"
    return {
        "ruleId": case.bucket,
        "ruleIndex": rule,
        "kind": grade.kind,
        "level": grade.level,
        "message": message(f"{result.name}: {result.message}"),
        "locations": [{"physicalLocation": location, "logicalLocations": [logical]}],
        "partialFingerprints": {
            "caseIdentity/v1": result.identity,
            "primaryLocationLineHash": f"{result.identity}:1",  # the one that GitHub goes by
        },
        "baselineState": _baseline(case),
        "properties": {
            "rung": case.rung,
            "a": outcomes.side(case.a),
            "b": outcomes.side(case.b),
            "target": None if case.target is None else told(case.target),
            "critical": case.critical,
            "tags": [told(tag) for tag in dict.fromkeys(case.tags)],
        },
    }


def _grade(case: CaseRow) -> Grade:
    if case.bucket in WORSE:
        return Grade("fail", "error")
    if case.bucket in LOST:
        return Grade("fail", "warning")
    if case.bucket in BETTER:
        return Grade("fail", "note")
    if case.b is not None and case.b.verdict == "passed":
        return Grade("pass", "none")
    if case.b is not None and case.b.verdict == "skipped":
        return Grade("notApplicable", "none")
    return Grade("fail", "warning")


def _baseline(case: CaseRow) -> str:
    """Was it wrong in A, is it in B? What is wrong on neither side is there, or moved, as well."""
    if case.a is None:
        return "new"
    if case.b is None:
        return "absent"
    before, after = (side.verdict in WRONG for side in (case.a, case.b))
    if before != after:
        return "new" if after else "absent"
    return "unchanged" if case.bucket == "unchanged" else "updated"


def _gate(gate: Gate, location: JSON, rule: int) -> JSON:
    grade = Grade("fail", "error") if gate.tripped else Grade("pass", "none")
    return {
        "ruleId": _rule(gate),
        "ruleIndex": rule,
        "kind": grade.kind,
        "level": grade.level,
        "message": message(told(f"gate {gate.gate}: ") + outcomes.gate_message(gate)),
        "locations": [{"physicalLocation": location}],
        "baselineState": "new" if gate.tripped else "unchanged",
        "properties": {"gate": told(gate.gate), "tripped": gate.tripped},
    }
