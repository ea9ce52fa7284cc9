"""Promptbeat `evaluation_result.json`, version 1.

How awkward things are said here:

* a case that could not be judged: `error` says why, `passed` is false, `score` null;
* an undecided or skipped case: `passed` false, `score` null, `metadata.verdict` says which;
* a verdict without a score: 1.0 passed, 0.0 failed;
* a reason that belongs to no assertion: an assertion of type `verdict`;
* a check whose kind is not known: type `unknown`;
* soft invariants, which never fail a case, are no assertions: all assertions must pass here, so
  neither is a check of a passed case that says nothing.

`case_id` is unique within its run only: it names the trial. Those that other tools name alike get
numbers (`#1`), and one that has no name that of what was asked. `metadata.recordId` with `dataset`
is the case's stable id.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec

from converter.aggregates import plus, rate
from converter.blanks import Blank
from converter.codecs import IDENTIFIER, STRINGS, Codec, fitting
from converter.facts import Case, Check, Run, Trial, Verdict, fingerprint
from converter.form import Context, Format, Layout, Seat
from converter.rows import Record, Row, Table
from converter.slots import KEY

VERDICT = "verdict"
UNKNOWN = "unknown"
UNDECIDED = ("review", "skipped")

RUN = Table(
    (
        Row("eval_id", "run.id"),
        Row("status", "run.status"),
        Row("total_cases", ""),
        Row("passed", ""),
        Row("failed", ""),
        Row("errors", ""),
        Row("pass_rate", ""),
        Row("by_risk_type", ""),
        Row("by_provider", ""),
        Row("cases", ""),
        Row("started_at", "run.started"),
        Row("completed_at", "run.completed"),
        Row("duration_ms", "run.duration_ms"),
        Row("metadata", "", blank={}),
        Row("metadata/target", "run.target"),
    ),
    "run",
)


def _metadata(key: str) -> Codec:
    """A key of a case's metadata whose value has a shape of its own here."""
    return fitting("promptbeat@1", f"/definitions/case_metadata/properties/{key}")


METADATA = (
    Row("metadata/strategy_id", "case.strategy"),
    Row("metadata/dataset", "case.dataset"),
    Row("metadata/recordId", "case.id", IDENTIFIER),
    Row("metadata/severity", "case.severity"),
    Row("metadata/tags", "case.tags", STRINGS),
    Row("metadata/codingAgentScenario", "case.scenario_name"),
    Row("metadata/codingAgentSafeBehavior", "case.expected"),
    Row("metadata/codingAgentForbiddenOutcome", "case.forbidden"),
    Row("metadata/taxonomy_refs", "case.taxonomy", _metadata("taxonomy_refs")),
    Row("metadata/compliance_refs", "case.compliance", _metadata("compliance_refs")),
    Row("metadata/sessionId", "trial.session_id"),
    Row("metadata/trace_evidence", "trial.evidence", _metadata("trace_evidence")),
    Row("metadata/unsafe_workaround", "trial.workaround", _metadata("unsafe_workaround")),
)
CASE = Table(
    (
        Row("case_id", "trial.id"),
        Row("scenario_id", "case.group"),
        Row("risk_type", "case.risk"),
        Row("content", "case.input"),
        Row("provider", "trial.provider"),
        Row("response", "trial.output"),
        Row("passed", ""),
        Row("score", "trial.score", blank=None),
        Row("error", "trial.error", blank=None),
        Row("latency_ms", "trial.latency_ms"),
        Row("assertions", ""),
        Row("metadata", "", blank={}),
        *METADATA,
        Row("metadata/verdict", ""),
    ),
    "case",
    "trial",
)
ASSERTION = Table(
    (
        Row("type", "check.kind"),
        Row("passed", "check.passed"),
        Row("score", "check.score"),
        Row("reason", "check.reason"),
        Row("metric", "check.id"),
    ),
    "check",
)

CARRIED = {
    "output_dir": "a path on the machine that ran it",
    "promptfoo_output_path": "a path on the machine that ran it",
    "cases/*/metadata/pluginId": "says again what risk_type says; read where that is missing",
    "cases/*/metadata/riskPlugin": "says again what risk_type says; read where that is missing",
    "cases/*/metadata/risk_category": "a coarser risk beside risk_type, in Promptbeat's own terms",
    "cases/*/metadata/risk_subtype": "a finer risk beside risk_type, in Promptbeat's own terms",
    "cases/*/metadata/technique": "how the probe attacks, in Promptbeat's own terms",
    "cases/*/metadata/quality_tier": "how good the probe is; no other tool grades its cases",
    "cases/*/metadata/evidence_level": "how strong trace_evidence is, in a word of its own",
    "cases/*/metadata/conversation": "what the judge was shown; it need not be all that was said",
}


class CaseTally:
    """Counts cases by verdict, risk and provider."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.risks: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.providers: defaultdict[str | None, Counter[str]] = defaultdict(Counter)

    def add(self, case: Case, trials: Sequence[Trial]) -> None:
        """Count one case in: each of its trials is a case here."""
        for trial in trials:
            verdict = trial.verdict or "failed"
            self.verdicts[verdict] += 1
            if case.risk is not None:
                self.risks[case.risk][verdict] += 1
            self.providers[trial.provider][verdict] += 1

    def join(self, later: CaseTally) -> None:
        """Count in what was counted of the cases that follow."""
        self.verdicts.update(later.verdicts)
        for risk, counts in later.risks.items():
            self.risks[risk].update(counts)
        for provider, counts in later.providers.items():
            self.providers[provider].update(counts)

    def totals(self, run: Run) -> Record:
        """What does the report say of all its cases, unlisted ones among them?"""
        passed = self.verdicts["passed"] + (run.unlisted_passed or 0)
        errors = self.verdicts["error"]
        listed = plus(self.verdicts.total(), run.unlisted_passed or 0)
        total = plus(listed, run.unlisted_failed or 0)
        return {
            "total_cases": total,
            "passed": passed,
            "failed": total - passed - errors,
            "errors": errors,
            "pass_rate": rate(passed, total),
            "by_risk_type": {risk: _group(counts) for risk, counts in self.risks.items()},
            "by_provider": self._by_provider(run.target),
        }

    def _by_provider(self, target: str | None) -> Record:
        """Cases that name no provider ran against the run's target, if that is known."""
        named: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for name, counts in self.providers.items():
            provider = target if name is None else name
            if provider is not None:
                named[provider] += counts
        return {name: _group(counts) for name, counts in named.items()}


def _group(verdicts: Counter[str]) -> Record:
    passed, total = verdicts["passed"], verdicts.total()
    return {
        "passed": passed,
        "failed": total - passed - verdicts["error"],
        "pass_rate": rate(passed, total),
    }


read_check = ASSERTION.maker("check", Check)
make_case = CASE.maker("case", Case)
make_trial = CASE.maker("trial", Trial, "verdict", "reason", "checks")


def read_run(envelope: Record) -> Run:
    """What does the report say, leaving out all that is counted from its cases?"""
    return Run(**RUN.read(envelope, "run"))


def write_run(context: Context, tally: CaseTally | None) -> Record:
    """How is the run said, with totals counted by `tally`?"""
    totals = {} if tally is None else tally.totals(context.run)
    return RUN.write(context.run, given={"cases": [], "status": "completed", **totals})


def read_case(record: Record) -> Case:
    """What does a case record say of what was asked?"""
    case = make_case(record)
    if case.risk is not None or not (metadata := record.get("metadata")):
        return case
    risk = metadata.get("pluginId") or metadata.get("riskPlugin")
    return case if risk is None else msgspec.structs.replace(case, risk=risk)


def read(record: Record, parent: Record | None) -> tuple[Case, Trial]:
    """What does a case record say?"""
    del parent
    reason = None
    checks = []
    for assertion in record.get("assertions") or ():
        if assertion["type"] == VERDICT:
            reason = assertion.get("reason")
        else:
            checks.append(read_check(assertion))
    trial = make_trial(record, verdict=_verdict(record), reason=reason, checks=tuple(checks))
    return read_case(record), trial


def _verdict(record: Record) -> Verdict:
    if record.get("error") is not None:
        return "error"
    said: Verdict | None = (record.get("metadata") or {}).get("verdict")
    if said is not None and said in UNDECIDED:
        return said
    return "passed" if record["passed"] else "failed"


def _name(said: tuple[Case, Trial]) -> str:
    """By what is a trial told, as long as no other is told by the same?"""
    case, trial = said
    if trial.id is not None:
        return trial.id
    return case.id if case.id is not None else fingerprint(case.input or case.description or "")


def _numbered(name: str, number: int) -> str:
    return f"{name}#{number}" if number else name


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    passed = trial.verdict == "passed"
    if trial.error is not None and trial.verdict != "error":
        trial = msgspec.structs.replace(trial, error=None)  # here, an error is a verdict
    given: Record = {
        "passed": passed,
        "provider": context.run.target,
        "content": case.description,
        "assertions": _assertions(trial),
    }
    if seat and (seat.trial or trial.id is None):
        trial = msgspec.structs.replace(trial, id=_numbered(_name((case, trial)), seat.trial))
    elif case.id is not None:
        given["case_id"] = _numbered(case.id, trial.index or 0)
    if trial.verdict == "error":
        given["error"] = trial.reason or "error"
    elif trial.verdict in UNDECIDED:
        given["metadata/verdict"] = trial.verdict
    else:
        given["score"] = 1.0 if passed else 0.0
    return CASE.write(case, trial, given=given)


def _assertions(trial: Trial) -> list[Record]:
    blank, passed = {"type": UNKNOWN, "passed": False}, trial.verdict == "passed"
    written = [
        ASSERTION.write(check, given=blank)
        for check in trial.checks or ()
        if check.hard and not (passed and check.passed is None)
    ]
    if written or trial.reason is None or trial.verdict == "error":
        return written
    return [ASSERTION.write(Check(kind=VERDICT, passed=passed, reason=trial.reason))]


PROMPTBEAT = Format(
    id="promptbeat",
    version="1",
    layout=Layout(("cases",)),
    run_slot=("metadata", KEY),
    record_slot=("metadata", KEY),
    rows=(*RUN.rows, *CASE.rows),
    tables=(("", RUN), ("cases/*", CASE), ("cases/*/assertions/*", ASSERTION)),
    carried=CARRIED,
    run_blanks=(Blank("eval_id", ""),),
    record_blanks=(Blank("case_id", ""), Blank("content", "")),
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    read_case=read_case,
    numbered_by=_name,
    tally=CaseTally,
)
