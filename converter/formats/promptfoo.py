"""promptfoo `eval -o` output, results version 3: JSON, or one row a line.

How awkward things are said here:

* an error: `failureReason` 2, `error` says why, `gradingResult` null;
* a failed row: `failureReason` 1, and `error` repeats the reason, as promptfoo itself does;
* an undecided or skipped trial: failed, and `metadata.verdict` says which;
* a soft invariant: a component result of weight 0, which never changes the outcome;
* kinds of checks that are promptfoo's own are named `promptfoo:…` elsewhere;
* an output that is no text is read as its JSON.

promptbeat runs promptfoo underneath, so both have the same words in a row's `metadata`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from converter.aggregates import plus
from converter.blanks import Blank
from converter.codecs import IDENTIFIER, STRINGS, TEXT, WHOLE, namespaced
from converter.facts import Case, Check, ModelUsage, Run, Trial, Verdict
from converter.form import Context, Format, Groups, Layout, Parts, Seat, reach, replaced
from converter.formats.promptfoo_carried import CARRIED
from converter.formats.promptfoo_totals import PROMPT_ID, EvalTally, named_scores, target_usage
from converter.rows import Record, Row, Table
from converter.slots import KEY

UNDECIDED = ("review", "skipped")
OVERRIDING = ("human", "guardrails")
"""kinds of checks that decide for all others"""
NO_FAILURE, ASSERTION_FAILED, ERROR = 0, 1, 2

RUN = Table(
    (
        Row("evalId", "run.id"),
        Row("results/version", ""),
        Row("results/timestamp", "run.started"),
        Row("results/prompts", ""),
        Row("results/results", ""),
        Row("results/stats/successes", ""),
        Row("results/stats/failures", ""),
        Row("results/stats/errors", ""),
        Row("results/stats/tokenUsage", ""),
        Row("results/stats/durationMs", "run.duration_ms"),
        Row("config", "", blank={}),
        Row("config/description", "run.suite"),
        Row("shareableUrl", "", blank=None),
        Row("metadata", "", blank={}),
        Row("metadata/evaluationCreatedAt", ""),
        Row("runtimeOptions/repeat", "run.k", WHOLE),
    ),
    "run",
)
NO_GRADING = (Row("gradingResult", "", blank=None),)
GRADING = (
    Row("gradingResult/pass", ""),
    Row("gradingResult/score", ""),
    Row("gradingResult/reason", "trial.reason"),
    Row("gradingResult/namedScores", ""),
    Row("gradingResult/componentResults", ""),
)


def _rows(grading: tuple[Row, ...]) -> tuple[Row, ...]:
    """Which rows has a row's record, with or without a grading?"""
    return (
        Row("cost", "trial.cost_usd"),
        Row("error", ""),
        *grading,
        Row("id", "trial.id"),
        Row("latencyMs", "trial.latency_ms"),
        Row("namedScores", ""),
        Row("prompt/raw", "case.input"),
        Row("prompt/label", ""),
        Row("promptId", ""),
        Row("promptIdx", ""),
        Row("provider/id", "trial.provider"),
        Row("provider/label", "trial.provider_label"),
        Row("response/output", "trial.output", TEXT),
        Row("response/cost", ""),
        Row("response/tokenUsage", ""),
        Row("score", "trial.score"),
        Row("success", ""),
        Row("testCase", "", blank={}),
        Row("testCase/description", "case.description"),
        Row("testCase/vars", "case.variables"),
        Row("testCase/assert", "case.assertions"),
        Row("testIdx", ""),
        Row("tokenUsage", ""),
        Row("vars", ""),
        Row("metadata", "", blank={}),
        Row("metadata/pluginId", "case.risk"),
        Row("metadata/strategyId", "case.strategy"),
        Row("metadata/scenarioId", "case.group", IDENTIFIER),
        Row("metadata/dataset", "case.dataset"),
        Row("metadata/recordId", "case.id", IDENTIFIER),
        Row("metadata/severity", "case.severity"),
        Row("metadata/tags", "case.tags", STRINGS),
        Row("metadata/codingAgentScenario", "case.scenario_name"),
        Row("metadata/codingAgentSafeBehavior", "case.expected"),
        Row("metadata/codingAgentForbiddenOutcome", "case.forbidden"),
        Row("metadata/taxonomy_refs", "case.taxonomy"),
        Row("metadata/compliance_refs", "case.compliance"),
        Row("metadata/sessionId", "trial.session_id"),
        Row("metadata/trace_evidence", "trial.evidence"),
        Row("metadata/unsafe_workaround", "trial.workaround"),
        Row("metadata/verdict", ""),
        Row("failureReason", ""),
    )


ROW = Table(_rows(GRADING), "case", "trial")
UNGRADED = Table(_rows(NO_GRADING), "case", "trial")
COMPONENT = Table(
    (
        Row("pass", "check.passed"),
        Row("score", "check.score"),
        Row("reason", "check.reason"),
        Row("assertion/type", "check.kind", namespaced("promptfoo")),
        Row("assertion/value", "check.value"),
        Row("assertion/metric", "check.id"),
        Row("assertion/threshold", "check.threshold"),
        Row("assertion/weight", "check.weight"),
    ),
    "check",
)
TOKENS = Table(
    (
        Row("prompt", "usage.input", WHOLE),
        Row("completion", "usage.output", WHOLE),
        Row("cached", "usage.cache_read", WHOLE),
        Row("total", ""),
        Row("numRequests", "usage.calls", WHOLE),
        Row("completionDetails/cacheCreationInputTokens", "usage.cache_write", WHOLE),
    ),
    "usage",
)


make_case = ROW.maker("case", Case)
make_trial = ROW.maker("trial", Trial, "verdict", "error", "checks", "usage")
make_check = COMPONENT.maker("check", Check, "hard")
make_usage = TOKENS.maker("usage", ModelUsage, "role")


class RowsLayout(Layout):
    """One JSON document, or a list of rows: from JSON Lines, or as an array by itself."""

    def split(self, document: Any, *, lines: bool = False) -> Parts:
        """Which envelope and groups does this document consist of?"""
        if lines or type(document) is not list:
            return Layout.split(self, document, lines=lines)
        return replace(self.lines(document), shape={"container": "array"})

    def lines(self, records: Sequence[Record]) -> Parts:
        """Which parts do the rows of a JSON Lines file make?"""
        envelope: Record = {"results": {"results": []}}
        return Parts(envelope, Groups(self, records), {"container": "lines"})

    def frame(self, envelope: Any, shape: Mapping[str, Any], records: Any) -> Any:
        """How does the document look around its rows?"""
        if "container" in shape:
            return records
        return replaced(envelope, self.records, records)


def read_run(envelope: Record) -> Run:
    """What does the file say of its run, leaving out all that is counted from its rows?"""
    said = RUN.read(envelope, "run")
    if said["started"] is None:
        said["started"] = reach(envelope, ("metadata", "evaluationCreatedAt"))
    return Run(**said)


def write_run(context: Context, tally: EvalTally | None) -> Record:
    """How is the run said, with totals counted by `tally`?"""
    run = context.run
    given: Record = {"results/version": 3, "results/results": []}
    if run.started is not None:
        given["metadata/evaluationCreatedAt"] = run.started
    if tally is not None:
        given["results/prompts"] = tally.prompts(run)
        given |= {f"results/stats/{key}": value for key, value in tally.stats(run).items()}
    return RUN.write(run, given=given)


def read_case(record: Record) -> Case:
    """What does a row say of its test?"""
    case: Case = make_case(record)
    if case.variables is not None or (variables := record.get("vars")) is None:
        return case
    return msgspec.structs.replace(case, variables=variables)


def read(record: Record, parent: Record | None) -> tuple[Case, Trial]:
    """What does a row say?"""
    del parent
    grading = record.get("gradingResult") or {}
    verdict, error = _verdict(record), record.get("error")
    if verdict != "error" and error == grading.get("reason"):
        error = None
    components = grading.get("componentResults") or ()
    decided = verdict != "passed" or not _may_differ(record, components)
    checks = tuple([_check(component, decided=decided) for component in components])
    trial = make_trial(record, verdict, error, checks, _read_usage(record))
    return read_case(record), trial


def _verdict(record: Record) -> Verdict:
    if record.get("failureReason") == ERROR:
        return "error"
    said: Verdict | None = (record.get("metadata") or {}).get("verdict")
    if said is not None and said in UNDECIDED:
        return said
    return "passed" if record["success"] else "failed"


def _may_differ(record: Record, components: Sequence[Record]) -> bool:
    """May a check fail in a row that passed, as a threshold, a function or a person decides?"""
    test = record.get("testCase") or {}
    if any(test.get(key) is not None for key in ("threshold", "assertScoringFunction")):
        return True
    return any(
        one.get("componentResults") or (one.get("assertion") or {}).get("type") in OVERRIDING
        for one in components
    )


def _check(component: Record, *, decided: bool) -> Check:
    """A check that failed and did not fail its row is a soft one, as in a set with a threshold."""
    weight = (component.get("assertion") or {}).get("weight")
    check: Check = make_check(component, weight != 0 and (decided or component["pass"]))
    return check


def _read_usage(record: Record) -> tuple[ModelUsage, ...] | None:
    usage = (record.get("response") or {}).get("tokenUsage") or record.get("tokenUsage")
    return (make_usage(usage, "agent"),) if usage else None


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    passed = trial.verdict == "passed"
    given: Record = {
        "provider/id": context.run.target,
        "prompt/raw": case.description,
        "prompt/label": seat and (case.input if case.input is not None else case.description),
        "promptIdx": seat and context.survey.target_number(trial.provider or context.run.target),
        "testIdx": seat and seat.test,
        "namedScores": named_scores(trial),
        "success": passed,
        "score": 1 if passed else 0,
        "vars": case.variables if case.variables is not None else {},
        "failureReason": NO_FAILURE if passed else ASSERTION_FAILED,
        "tokenUsage": _usage(trial),
    }
    if trial.output is not None:
        given |= {"response/cost": trial.cost_usd, "response/tokenUsage": given["tokenUsage"]}
    if trial.verdict == "error":
        given["failureReason"] = ERROR
        given["error"] = trial.error or trial.reason or "error"
        return UNGRADED.write(case, trial, given=given)
    if trial.verdict in UNDECIDED:
        given["metadata/verdict"] = trial.verdict
    given |= _grading(trial, passed=passed)
    given["gradingResult/namedScores"] = given["namedScores"]
    if not passed:
        given["error"] = trial.error or trial.reason or given["gradingResult/reason"]
    return ROW.write(case, trial, given=given)


def _grading(trial: Trial, *, passed: bool) -> Record:
    """What does a row's grading say, by path, where nothing else is known?"""
    components = [_component(check) for check in trial.checks or ()]
    failed = (one.get("reason") for one in components if one["pass"] is False)
    reason = next((reason for reason in failed if reason), None)
    if passed:
        reason = "All assertions passed" if components else "No assertions"
    return {
        "gradingResult/pass": passed,
        "gradingResult/score": trial.score if trial.score is not None else (1 if passed else 0),
        "gradingResult/reason": reason or trial.verdict or "failed",
        "gradingResult/componentResults": components or None,
    }


def _component(check: Check) -> Record:
    given = {"pass": False, "score": 1 if check.passed else 0, "reason": ""}
    if not check.hard:
        given["assertion/weight"] = 0
    return COMPONENT.write(check, given=given)


def _usage(trial: Trial) -> Record | None:
    usage = target_usage(trial)
    if usage is None:
        return None
    total = None
    if usage.input is not None and usage.output is not None:
        total = plus(usage.input, usage.output)
    return TOKENS.write(usage, given={"total": total})


PROMPTFOO = Format(
    id="promptfoo",
    version="3",
    layout=RowsLayout(("results", "results")),
    run_slot=("metadata", KEY),
    record_slot=("metadata", KEY),
    rows=(*RUN.rows, *ROW.rows),
    tables=(
        ("", RUN),
        ("results/results/*", ROW),
        ("results/results/*/gradingResult/componentResults/*", COMPONENT),
        ("results/results/*/tokenUsage", TOKENS),
    ),
    carried=CARRIED,
    run_blanks=(),
    record_blanks=(
        Blank("promptId", PROMPT_ID),
        Blank("prompt", {"raw": "", "label": ""}),
        Blank("provider", {"id": ""}),
        Blank("id", ""),
        Blank("latencyMs", 0),
    ),
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    read_case=read_case,
    glimpsed={"vars": Any},
    shares_tests=True,
    tally=EvalTally,
    shape=lambda survey: {},
)
