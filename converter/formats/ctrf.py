"""CTRF reports (Common Test Report Format), version 0.

How awkward things are said here:

* a test is a case; its attempts are the trials, of which the test itself tells of the last (see
  `ctrf_layout`): so `status` is that of the last trial, and `flaky` says that one before it failed;
* an error: `failed` with `rawStatus` "error"; undecided: `pending` with `rawStatus` "review"; a
  report's own `pending` was not run, and its `other` is undecided;
* attempts have no `rawStatus` and no `steps`: theirs are in `extra`;
* `message` is the error of a trial that has one for a verdict, else its reason; the other of the
  two is in `extra`; where there is no message, `trace` is read;
* checks are steps; `other` is a check that is neither passed nor failed; a step that did not pass,
  and did not keep its test from passing, is soft;
* `name` is the description; it may not be empty, and is made from id or input where there is none;
* `parameters` are the variables, and the input under `input`;
* times are whole milliseconds; 0 as start or stop says nothing; a trial of which only its latency
  is known took as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from converter.blanks import Blank
from converter.codecs import ORDINAL, STRINGS
from converter.facts import Case, Check, Run, Trial, Verdict
from converter.form import Context, Format, Seat
from converter.formats.ctrf_carried import CARRIED
from converter.formats.ctrf_layout import ATTEMPT, ATTEMPTS, CtrfLayout
from converter.formats.ctrf_totals import TestTally, is_flaky, status_of
from converter.formats.ctrf_words import (
    MILLISECONDS,
    MOMENT,
    PASSED,
    SOME,
    STATUS,
    SUITE,
    parameters,
    title,
    variables_of,
    verdict_of,
    whole,
)
from converter.loose import COUNT, FIELDS, FLAG, NUMBER, WORD, WORDS
from converter.loose import STATUS as ENDED
from converter.rows import Record, Row, Table
from converter.slots import KEY

TESTS = "results/tests/*"
RUN = Table(
    (
        Row("reportFormat", ""),
        Row("specVersion", ""),
        Row("runId", "run.id", SOME),
        Row("results/tool/name", ""),
        Row("results/summary/tests", ""),
        Row("results/summary/passed", ""),
        Row("results/summary/failed", ""),
        Row("results/summary/skipped", ""),
        Row("results/summary/pending", ""),
        Row("results/summary/other", ""),
        Row("results/summary/flaky", ""),
        Row("results/summary/start", "run.started", MOMENT),
        Row("results/summary/stop", "run.completed", MOMENT),
        Row("results/summary/duration", "run.duration_ms", MILLISECONDS),
        Row("results/tests", ""),
        Row("results/environment/reportName", "run.suite"),
        Row("results/environment/appName", "run.target"),
        Row("results/extra/status", "run.status", ENDED),
        Row("results/extra/judge", "run.judge", WORD),
        Row("results/extra/user", "run.user", WORD),
        Row("results/extra/k", "run.k", COUNT),
        Row("results/extra/threshold", "run.threshold", NUMBER),
        Row("results/extra/inputs", "run.inputs_digest", WORD),
        Row("results/extra/groups", "run.groups", WORDS),
        Row("results/extra/metadata", "run.metadata", FIELDS),
    ),
    "run",
)
CASE = Table(
    (
        Row("testId", "case.id", SOME),
        Row("name", "case.description", SOME),
        Row("suite", "case.group", SUITE),
        Row("tags", "case.tags", STRINGS),
        Row("labels/name", "case.name", WORD),
        Row("labels/dataset", "case.dataset", WORD),
        Row("labels/risk", "case.risk", WORD),
        Row("labels/severity", "case.severity", WORD),
        Row("labels/critical", "case.critical", FLAG),
        Row("labels/expected", "case.expected", WORD),
        Row("labels/forbidden", "case.forbidden", WORD),
        Row("labels/strategy", "case.strategy", WORD),
        Row("labels/scenario", "case.scenario_name", WORD),
        Row("retries", ""),
        Row("flaky", ""),
        Row("parameters", ""),
    ),
    "case",
)
EXTRA = (
    Row("extra/reason", ""),
    Row("extra/error", ""),
    Row("extra/provider", "trial.provider", WORD),
    Row("extra/output", "trial.output", WORD),
    Row("extra/score", "trial.score", NUMBER),
    Row("extra/latency", "trial.latency_ms", NUMBER),
    Row("extra/turns", "trial.turns", COUNT),
    Row("extra/cost", "trial.cost_usd", NUMBER),
    Row("extra/session", "trial.session_id", WORD),
)
LAST = Table(
    (
        Row("executionId", "trial.id", SOME),
        Row("status", ""),
        Row("duration", "trial.duration_ms", MILLISECONDS),
        Row("message", ""),
        Row("rawStatus", ""),
        Row("steps", ""),
        *EXTRA,
    ),
    "trial",
)
EARLIER = Table(
    (
        Row(ATTEMPT, "trial.index", ORDINAL),
        Row("attemptId", "trial.id", SOME),
        Row("status", ""),
        Row("duration", "trial.duration_ms", MILLISECONDS),
        Row("message", ""),
        Row("extra/rawStatus", ""),
        Row("extra/steps", ""),
        *EXTRA,
    ),
    "trial",
)
STEP = Table(
    (
        Row("name", "check.id"),
        Row("status", ""),
        Row("extra/kind", "check.kind", WORD),
        Row("extra/score", "check.score", NUMBER),
        Row("extra/threshold", "check.threshold", NUMBER),
        Row("extra/weight", "check.weight", NUMBER),
        Row("extra/hard", ""),
        Row("extra/reason", "check.reason", WORD),
        Row("extra/value", "check.value"),
        Row("extra/parts", "check.parts"),
    ),
    "check",
)

make_case = CASE.maker("case", Case, "input", "variables")
MORE = ("verdict", "reason", "error", "checks")
make_last = LAST.maker("trial", Trial, *MORE)
make_earlier = EARLIER.maker("trial", Trial, *MORE)
make_check = STEP.maker("check", Check, "passed", "hard")


def read_run(envelope: Record) -> Run:
    """What does the report say, leaving out all that is counted from its tests?"""
    return Run(**RUN.read(envelope, "run"))


def write_run(context: Context, tally: TestTally | None) -> Record:
    """How is the run said, with totals counted by `tally`?"""
    run, survey = context.run, context.survey
    given: Record = {
        "reportFormat": "CTRF",
        "specVersion": "0.0.0",
        "results/tool/name": "evalglot",
        "results/summary/start": 0,
        "results/summary/stop": 0,
        "results/tests": [],
    }
    if len(survey.targets) == 1:
        given["results/environment/appName"] = survey.targets[0]
    return RUN.write(run, given=given if tally is None else given | tally.totals(run))


def read_case(record: Record) -> Case:
    """What does a test say of its case?"""
    asked, variables = variables_of(record.get("parameters"))
    case: Case = make_case(record, asked, variables)
    if case.id is not None or "id" not in record:
        return case
    return msgspec.structs.replace(case, id=record["id"])


def write_case(case: Case, trials: Sequence[Trial]) -> Record:
    """How is a case with these trials said, its trials left out?"""
    given: Record = {"name": title(case), "parameters": parameters(case)}
    if len(trials) > 1:
        given["retries"] = len(trials) - 1
    if is_flaky(trials):
        given["flaky"] = True
    return CASE.write(case, given=given)


def read(record: Record, test: Record | None) -> tuple[Case, Trial]:
    """What does an attempt at this test say?"""
    extra = record.get("extra") or {}
    make, beside = (make_earlier, extra) if ATTEMPT in record else (make_last, record)
    verdict = verdict_of(record["status"], beside.get("rawStatus"))
    message = record.get("message", record.get("trace"))
    other = extra.get("reason" if verdict == "error" else "error")
    said = (message, other if isinstance(other, str) else None)
    error, reason = said if verdict == "error" else said[::-1]
    trial = make(record, verdict, reason, error, _checks(beside.get("steps"), verdict))
    return read_case(test or {}), trial


def _checks(steps: Any, verdict: Verdict) -> tuple[Check, ...] | None:
    """Which checks do these steps say? None where they are no steps."""
    if not isinstance(steps, list) or not all(map(_is_step, steps)):
        return None
    return tuple([_check(step, verdict) for step in steps])


def _is_step(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return False
    return isinstance(value.get("status"), str)


def _check(step: Record, verdict: Verdict) -> Check:
    extra, passed = step.get("extra"), PASSED.get(step["status"])
    soft = isinstance(extra, dict) and extra.get("hard") is False
    soft = soft or (verdict == "passed" and passed is not True)
    check: Check = make_check(step, passed, not soft)
    return check


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    del case, context
    last = seat is None or seat.last
    table, beside = (LAST, "") if last else (EARLIER, "extra/")
    status, word = status_of(trial)
    broken = trial.verdict == "error"
    steps = None if trial.checks is None else [_step(check) for check in trial.checks]
    given: Record = {
        "status": status,
        "duration": None if trial.latency_ms is None else whole(trial.latency_ms),
        "message": trial.error if broken and trial.error is not None else trial.reason,
        "extra/reason": trial.reason if broken else None,
        "extra/error": None if broken else trial.error,
        f"{beside}rawStatus": word,
        f"{beside}steps": steps,
    }
    if seat is not None:
        given[ATTEMPT] = seat.trial + 1
    return table.write(trial, given=given)


def _step(check: Check) -> Record:
    given: Record = {"name": check.kind or "check", "status": STATUS[check.passed]}
    if not check.hard:
        given["extra/hard"] = False
    return STEP.write(check, given=given)


CTRF = Format(
    id="ctrf",
    version="0",
    layout=CtrfLayout(("results", "tests")),
    run_slot=("extra", KEY),
    record_slot=("extra", KEY),
    rows=(*RUN.rows, *CASE.rows, *LAST.rows, *EARLIER.rows),
    tables=(
        ("", RUN),
        (TESTS, CASE),
        (TESTS, LAST),
        (f"{TESTS}/steps/*", STEP),
        (f"{TESTS}/{ATTEMPTS}/*", EARLIER),
    ),
    carried=CARRIED,
    record_blanks=(Blank("duration", 0, unless=ATTEMPT),),
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    tally=TestTally,
    read_case=read_case,
    write_case=write_case,
)
