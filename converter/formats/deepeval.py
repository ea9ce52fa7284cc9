"""Test runs of deepeval, version 4.

How awkward things are said here:

* a case of one exchange has `input` and `actualOutput`; a talk has `turns`, and stands in a list of
  its own; a new file has one kind, and all are talks if any case has more than one exchange;
* a name that deepeval made of a case's position says nothing; a case without name has its id's;
* an error: `success` is false, and what did not pass broke down; undecided: no `success`, but for
  talks, which have to have one;
* metrics are checks; a flaky one is soft, and one that broke down is undecided;
* deepeval says scores, reasons and errors of metrics only: a trial has those of its one metric, or
  the reason of the first that failed; others are those of a metric called `evalglot.Verdict`;
* what other tools know of a case, and deepeval does not, stands in `metadata`, and what they know
  of a run in `hyperparameters`;
* times are seconds here; `runDuration` is how long judging took, deepeval knows no other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from converter.blanks import Blank
from converter.codecs import STRINGS
from converter.facts import Case, Run, Trial
from converter.form import Context, Format, Seat
from converter.formats.deepeval_carried import CARRIED
from converter.formats.deepeval_layout import CASES, OTHERWISE, TALK, TALKS, RunLayout, shape_for
from converter.formats.deepeval_totals import RunTally
from converter.formats.deepeval_words import (
    METRIC,
    NAME,
    SECONDS,
    SUCCESS,
    TOOL,
    TURN,
    check_of,
    exchange_of,
    is_talk,
    metrics_of,
    own,
    talk_of,
    title,
    tokens,
    told,
    tools_of,
    turns_of,
    usage_of,
    verdict_of,
)
from converter.loose import COUNT, FIELDS, FLAG, NUMBER, STATUS, WORD, WORDS
from converter.rows import Record, Row, Table
from converter.slots import KEY

RUN = Table(
    (
        Row(CASES, ""),
        Row(TALKS, ""),
        Row("metricsScores", ""),
        Row("identifier", "run.id"),
        Row("hyperparameters/model", "run.target", WORD),
        Row("hyperparameters/judge", "run.judge", WORD),
        Row("hyperparameters/user", "run.user", WORD),
        Row("hyperparameters/status", "run.status", STATUS),
        Row("hyperparameters/started", "run.started", WORD),
        Row("hyperparameters/completed", "run.completed", WORD),
        Row("hyperparameters/trials", "run.k", COUNT),
        Row("hyperparameters/threshold", "run.threshold", NUMBER),
        Row("hyperparameters/inputs", "run.inputs_digest", WORD),
        Row("hyperparameters/groups", "run.groups", WORDS),
        Row("hyperparameters/metadata", "run.metadata", FIELDS),
        Row("testPassed", ""),
        Row("testFailed", ""),
        Row("runDuration", "run.duration_ms", SECONDS),
        Row("datasetAlias", "run.suite"),
        Row("official", ""),
    ),
    "run",
)
METADATA = (
    Row("metadata/id", "case.id", WORD),
    Row("metadata/dataset", "case.dataset", WORD),
    Row("metadata/group", "case.group", WORD),
    Row("metadata/risk", "case.risk", WORD),
    Row("metadata/severity", "case.severity", WORD),
    Row("metadata/critical", "case.critical", FLAG),
    Row("metadata/forbidden", "case.forbidden", WORD),
    Row("metadata/scenario", "case.scenario_name", WORD),
    Row("metadata/strategy", "case.strategy", WORD),
    Row("metadata/variables", "case.variables", FIELDS),
    Row("metadata/provider", "trial.provider", WORD),
    Row("metadata/trial", "trial.index", COUNT),
    Row("metadata/trialId", "trial.id", WORD),
    Row("metadata/session", "trial.session_id", WORD),
)
SINGLE = Table(
    (
        Row("name", "case.name", NAME),
        Row("input", "case.input"),
        Row("actualOutput", "trial.output"),
        Row("expectedOutput", "case.expected"),
        Row("toolsCalled", ""),
        Row("tokenCost", "trial.cost_usd"),
        Row("inputTokenCount", ""),
        Row("outputTokenCount", ""),
        Row("completionTime", "trial.latency_ms", SECONDS),
        Row("tags", "case.tags", STRINGS),
        Row("flaky", ""),
        Row("success", ""),
        Row("metricsData", ""),
        Row("runDuration", "trial.duration_ms", SECONDS),
        Row("order", ""),
        *METADATA,
        Row("comments", "case.description"),
    ),
    "case",
    "trial",
)
MULTI = Table(
    (
        Row("name", "case.name", NAME),
        Row("success", ""),
        Row("metricsData", ""),
        Row("runDuration", "trial.duration_ms", SECONDS),
        Row("turns", ""),
        Row("order", ""),
        Row(OTHERWISE["scenario"], "case.description"),
        Row(OTHERWISE["expectedOutcome"], "case.expected"),
        *METADATA,
        Row("metadata/latencyMs", "trial.latency_ms", NUMBER),
        Row("metadata/cost", "trial.cost_usd", NUMBER),
        Row("tags", "case.tags", STRINGS),
        Row("flaky", ""),
    ),
    "case",
    "trial",
)
SPELLED = Table(
    tuple(replace(row, path=OTHERWISE.get(row.path, row.path)) for row in MULTI.rows),
    *("case", "trial"),
)
"""the rows of talks, as files spell them"""

MORE = ("verdict", "score", "reason", "error", "transcript", "checks")

make_case = SINGLE.maker("case", Case)
make_talk_case = MULTI.maker("case", Case, "input")
make_trial = SINGLE.maker("trial", Trial, "usage", *MORE)
make_talk = MULTI.maker("trial", Trial, "output", *MORE)


def read_run(envelope: Record) -> Run:
    """What does the run say, leaving out its totals?"""
    return Run(**RUN.read(envelope, "run"))


def write_run(context: Context, tally: RunTally | None) -> Record:
    """How is the run said, with totals counted by `tally`?"""
    survey = context.survey
    given: Record = {CASES: [], TALKS: [], "metricsScores": [], "official": False}
    if len(survey.targets) == 1:
        given["hyperparameters/model"] = survey.targets[0]
    return RUN.write(context.run, given=given if tally is None else given | tally.totals(context))


def read_case(record: Record) -> Case:
    """What does a record say of what was asked?"""
    if TALK in record:
        turns = record.get("turns") or ()
        asked = (turn["content"] for turn in turns if turn["role"] == "user")
        case: Case = make_talk_case(record, next(asked, None))
    else:
        case = make_case(record)
    if case.name is None or case.name != case.id:
        return case
    return msgspec.structs.replace(case, name=None)


def read(record: Record, parent: Record | None) -> tuple[Case, Trial]:
    """What does a record say?"""
    del parent
    metrics = record.get("metricsData") or ()
    verdict = verdict_of(record.get("success"), metrics)
    said = told(verdict, metrics)
    checks = tuple(map(check_of, own(metrics))) or None
    if TALK in record:
        events = talk_of(record.get("turns") or ())
        outputs = [event.text for event in events if event.kind == "agent"]
        output = outputs[-1] if outputs else None
        return read_case(record), make_talk(record, output, verdict, *said, events, checks)
    more = usage_of(record), verdict, *said, exchange_of(record), checks
    return read_case(record), make_trial(record, *more)


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    kind = context.shape.get("turns")
    talks = is_talk(trial) if kind == "mixed" else kind == "multi"
    given: Record = {
        "name": _name(case, seat, talks=talks),
        "flaky": False,
        "success": SUCCESS.get(trial.verdict),
        "metricsData": metrics_of(trial),
        "order": None if seat is None else seat.row,
    }
    if not talks:
        tools = tools_of(trial.transcript or ()) or None
        return SINGLE.write(case, trial, given={**given, **tokens(trial), "toolsCalled": tools})
    if given["success"] is None:
        given["success"] = False
    given["turns"] = turns_of(case, trial)
    return {**MULTI.write(case, trial, given=given), TALK: True}


def _name(case: Case, seat: Seat | None, *, talks: bool) -> Any:
    """Which name has a case? Where it has none, deepeval makes one of its position."""
    made = f"{'conversational_' if talks else ''}test_case_"
    return title(case) or (None if seat is None else f"{made}{seat.row}")


DEEPEVAL = Format(
    id="deepeval",
    version="4",
    layout=RunLayout((CASES,)),
    run_slot=(KEY,),
    record_slot=(KEY,),
    rows=(*RUN.rows, *SINGLE.rows, *MULTI.rows),
    tables=(
        ("", RUN),
        (f"{CASES}/*", SINGLE),
        (f"{CASES}/*/metricsData/*", METRIC),
        (f"{CASES}/*/toolsCalled/*", TOOL),
        (f"{TALKS}/*", SPELLED),
        (f"{TALKS}/*/metricsData/*", METRIC),
        (f"{TALKS}/*/turns/*", TURN),
        (f"{TALKS}/*/turns/*/toolsCalled/*", TOOL),
    ),
    carried=CARRIED,
    run_blanks=(Blank("runDuration", 0.0),),
    record_blanks=(Blank("input", "", unless="turns"),),
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    read_case=read_case,
    glimpsed={"turns": list[Any], TALK: bool},
    tally=RunTally,
    shape=shape_for,
)
