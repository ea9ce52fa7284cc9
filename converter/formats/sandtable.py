"""sandtable `results.json`, version 1.1.

How awkward things are said here:

* a trial that ended with an error: `endReason` "error" with `error`, and `passed` false;
* an undecided or skipped trial: `passed` false with a check `reply:undecided` or `reply:skipped`,
  whose detail gives the reason;
* a reason that belongs to no check: a check `reply:verdict`;
* a check of a kind that sandtable does not have is of kind `reply`;
* conversations: user and agent events; other formats' latency is that of the only agent event.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from converter.aggregates import total
from converter.blanks import Blank
from converter.codecs import LIST, STRINGS, WHOLE, namespaced
from converter.facts import Case, Check, Event, ModelUsage, Run, Trial, Verdict, fingerprint
from converter.form import Context, Format, Layout, Seat
from converter.formats.sandtable_totals import SuiteTally
from converter.formats.sandtable_words import (
    UNDECIDED,
    VERDICT,
    events_of,
    note_of,
    said_id,
    said_kind,
)
from converter.rows import Record, Row, Table
from converter.slots import KEY

KIND = namespaced("sandtable")

RUN = Table(
    (
        Row("version", ""),
        Row("runId", "run.id"),
        Row("domain", "run.suite"),
        Row("agent", "run.target"),
        Row("user", "run.user"),
        Row("k", "run.k", WHOLE),
        Row("inputs", "run.inputs_digest"),
        Row("startedAt", "run.started"),
        Row("durationMs", "run.duration_ms"),
        Row("tasks", ""),
        Row("passHat", ""),
        Row("failureModes", ""),
        Row("byTag", ""),
        Row("soft", ""),
        Row("usage", ""),
        Row("pendingReview", "run.pending", LIST),
        Row("latency", ""),
        Row("sandtable", ""),
        Row("regradedWith", ""),
    ),
    "run",
)
CASE = Table(
    (
        Row("id", "case.id"),
        Row("description", "case.description"),
        Row("tags", "case.tags", STRINGS),
        Row("critical", "case.critical"),
        Row("trials", ""),
        Row("passes", ""),
    ),
    "case",
)
TRIAL = Table(
    (
        Row("taskId", ""),
        Row("trial", "trial.index", WHOLE),
        Row("passed", ""),
        Row("checks", ""),
        Row("violations", "trial.violations", blank=[]),
        Row("soft", ""),
        Row("events", ""),
        Row("changes", "trial.changes", blank=[]),
        Row("endReason", "trial.end_reason"),
        Row("turns", "trial.turns", WHOLE),
        Row("durationMs", "trial.duration_ms"),
        Row("usage", ""),
        Row("error", "trial.error"),
        Row("attribution", "trial.attribution"),
    ),
    "trial",
)
CHECK = Table(
    (
        Row("id", "check.id"),
        Row("kind", "check.kind", KIND, blank="reply"),
        Row("passed", "check.passed", blank=False),
        Row("detail", "check.reason"),
    ),
    "check",
)
EVENT_TYPE = Row("type", "event.kind")
EVENT_TEXT = Row("text", "event.text")
EVENTS = {
    "user": Table((EVENT_TYPE, EVENT_TEXT), "event"),
    "agent": Table((EVENT_TYPE, EVENT_TEXT, Row("latencyMs", "event.latency_ms")), "event"),
    "tool": Table(
        (
            EVENT_TYPE,
            Row("index", "event.index", WHOLE),
            Row("name", "event.name", blank=""),
            Row("args", "event.arguments"),
            Row("ok", "event.ok", blank=True),
            Row("result", "event.result"),
            Row("error", "event.error"),
            Row("violations", "event.violations", STRINGS),
            Row("soft", "event.soft", STRINGS),
        ),
        "event",
    ),
}
"""by type: what another type names is an unknown field here"""

MODEL = Table(
    (
        Row("calls", "usage.calls", WHOLE, 0),
        Row("input", "usage.input", WHOLE, 0),
        Row("output", "usage.output", WHOLE, 0),
        Row("cacheRead", "usage.cache_read", WHOLE, 0),
        Row("cacheWrite", "usage.cache_write", WHOLE, 0),
    ),
    "usage",
)
USAGE = Table(
    (
        Row("agent", ""),
        Row("user", ""),
        Row("maxTokensStops", "trial.token_stops"),
        Row("costUsd", "trial.cost_usd", blank=None),
    ),
    "trial",
)

CARRIED = {
    "sandtable": "says which release of sandtable wrote the file, which no other tool can",
    "regradedWith": "no other tool grades a finished run again",
    "tasks/*/trials/*/callerNotes": "notes of the simulated caller; no other tool simulates one",
}


read_event = {type_: table.maker("event", Event) for type_, table in EVENTS.items()}
read_check = CHECK.maker("check", Check)
read_model = MODEL.maker("usage", ModelUsage, "role", "model")
make_case = CASE.maker("case", Case, "input")
make_trial = TRIAL.maker(
    "trial", Trial, "transcript", "verdict", "checks", "reason", "output", "latency_ms"
)


def read_run(envelope: Record) -> Run:
    """What does the suite say, leaving out all that is counted from its tasks?"""
    return Run(**RUN.read(envelope, "run"))


def write_run(context: Context, tally: SuiteTally | None) -> Record:
    """How is the run said, with totals counted by `tally`?"""
    run, survey = context.run, context.survey
    totals = {} if tally is None else tally.totals(run.k or survey.k)
    given = {"version": 1, "tasks": [], "k": survey.k, **totals}
    if len(survey.targets) == 1:
        given["agent"] = survey.targets[0]
    return RUN.write(run, given=given)


def read_case(task: Record) -> Case:
    """What does a task say of itself?"""
    return make_case(task, None)


def write_case(case: Case, trials: Sequence[Trial]) -> Record:
    """How is a case with these trials said, its trials left out?"""
    passed = sum(trial.verdict == "passed" for trial in trials)
    written = CASE.write(case, given={"trials": [], "passes": passed})
    if "id" in written:
        return written
    return {"id": _case_id(case, trials[0].id if trials else None), **written}


def _case_id(case: Case, first: str | None) -> str:
    """By what is a case told that has no id of its own? Its first trial's, or what was asked."""
    if first is not None:
        return first
    return fingerprint(case.input or case.description or "")


def read(record: Record, task: Record | None) -> tuple[Case, Trial]:
    """What does a trial of this task say?"""
    events = tuple([read_event[event["type"]](event) for event in record.get("events", ())])
    checks, undecided, reason = _read_checks(record)
    asked, output, latencies = [], [], []
    for event in events:
        if event.kind == "user":
            asked.append(event.text)
        elif event.kind == "agent":
            output.append(event.text)
        if event.latency_ms is not None:
            latencies.append(event.latency_ms)
    case = make_case(task or {}, asked[0] if asked else None)
    trial = make_trial(
        record,
        transcript=events,
        verdict=undecided or _verdict(record),
        checks=checks,
        reason=reason,
        output=output[-1] if output else None,
        latency_ms=total(latencies) if latencies else None,
    )
    return case, _with_usage(trial, record["usage"]) if "usage" in record else trial


def _verdict(record: Record) -> Verdict:
    if record.get("endReason") == "error":
        return "error"
    return "passed" if record["passed"] else "failed"


def _read_checks(record: Record) -> tuple[tuple[Check, ...], Verdict | None, str | None]:
    """Which checks, which verdict that sandtable has no word for, and which reason are listed?"""
    checks: list[Check] = []
    undecided, reason = None, None
    for held in record.get("checks", ()):
        if held["id"] in UNDECIDED:
            undecided, reason = UNDECIDED[held["id"]], held.get("detail")
        elif held["id"] == VERDICT:
            reason = held.get("detail")
        else:
            checks.append(read_check(held))
    for held in record.get("soft", ()):
        broken, parts = held["broken"], held.get("violations")
        checks.append(Check(id=held["id"], passed=not broken, hard=False, parts=parts))
    return tuple(checks), undecided, reason


def _with_usage(trial: Trial, usage: Record) -> Trial:
    models = tuple(
        read_model(counts, role, model)
        for role in ("agent", "user")
        for model, counts in usage.get(role, {}).items()
    )
    return msgspec.structs.replace(trial, usage=models, **USAGE.read(usage, "trial"))


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    del context
    events = [EVENTS[event.kind].write(event) for event in events_of(case, trial)]
    given = {
        "taskId": case.id
        if case.id is not None
        else _case_id(case, seat.first if seat else trial.id),
        "passed": trial.verdict == "passed",
        "checks": _checks(trial),
        "soft": [_soft(check) for check in trial.checks or () if not check.hard],
        "events": events,
        "usage": _usage(trial),
        "trial": seat.trial if seat else 0,
        "turns": sum(event["type"] == "agent" for event in events),
    }
    if trial.verdict == "error":
        given |= {"endReason": "error", "error": trial.reason or "error"}
    return TRIAL.write(trial, given=given)


def _checks(trial: Trial) -> list[Record]:
    written = [_check(check) for check in trial.checks or () if check.hard]
    note = note_of(trial)
    return written if note is None else [*written, CHECK.write(note)]


def _check(check: Check) -> Record:
    written = CHECK.write(check, given={"id": said_id(check)} if not check.id else None)
    written["kind"] = said_kind(check)
    return written


def _soft(check: Check) -> Record:
    return {"id": check.id or "", "broken": not check.passed, "violations": check.parts or []}


def _usage(trial: Trial) -> Record | None:
    if trial.usage is None and trial.cost_usd is None and trial.token_stops is None:
        return None
    usage: dict[str, Any] = {"agent": {}, "user": {}}
    for model in trial.usage or ():
        usage[model.role][model.model or trial.provider or "unknown"] = MODEL.write(model)
    return USAGE.write(trial, given=usage)


SANDTABLE = Format(
    id="sandtable",
    version="1.1",
    layout=Layout(("tasks",), nested="trials"),
    run_slot=(KEY,),
    record_slot=(KEY,),
    rows=(*RUN.rows, *CASE.rows, *TRIAL.rows),
    carried=CARRIED,
    run_blanks=(
        Blank("runId", ""),
        Blank("domain", ""),
        Blank("agent", ""),
        Blank("startedAt", "1970-01-01T00:00:00Z"),
    ),
    record_blanks=(Blank("endReason", "user_stop"),),
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    tally=SuiteTally,
    read_case=read_case,
    write_case=write_case,
)
