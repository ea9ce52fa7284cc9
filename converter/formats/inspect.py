"""Inspect logs (`inspect_ai`), version 2.

How awkward things are said here:

* an epoch of a sample is a trial; epochs count from 1, and go on over targets where there are many;
* a sample that ended with an error: `error`; other formats' error has no traceback;
* an undecided or skipped trial, a reason or a score of its own: a score `verdict`, whose metadata
  say which; a trial whose checks are all unscored, or none, is undecided;
* scores: see `inspect_scores`; NaN and infinities count as null, and are carried;
* a log has one target, `eval/model`; a trial of another says so in `metadata/target_model`;
* facts of a case that Inspect has no field for are its sample's metadata, as a dataset's are;
* references to attachments are read as what they refer to;
* ids 1 and "1" are one text elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from converter.aggregates import total
from converter.codecs import IDENTIFIER, TEXT, WHOLE
from converter.facts import Case, ModelUsage, Run, Trial
from converter.form import Context, Format, Layout, Seat
from converter.formats.inspect_carried import CARRIED
from converter.formats.inspect_scores import SCORE, implied, read_checks, read_verdict, write_scores
from converter.formats.inspect_totals import COUNTS, LogTally, case_id, totalled
from converter.formats.inspect_words import (
    EPOCHS,
    INPUT,
    SECONDS,
    STATUS,
    events_of,
    messages_of,
    resolved,
)
from converter.loose import FIELDS, FLAG, WORD, WORDS
from converter.rows import Record, Row, Table
from converter.slots import KEY

NEVER = "1970-01-01T00:00:00+00:00"

RUN = Table(
    (
        Row("version", ""),
        Row("status", "run.status", STATUS),
        Row("eval/eval_id", "run.id", WORD),
        Row("eval/created", ""),
        Row("eval/task", "run.suite", WORD),
        Row("eval/dataset", "", blank={}),
        Row("eval/dataset/samples", ""),
        Row("eval/model", "run.target", WORD),
        Row("eval/model_roles/grader/model", "run.judge", WORD),
        Row("eval/model_roles/user/model", "run.user", WORD),
        Row("eval/config", "", blank={}),
        Row("eval/config/epochs", "run.k", EPOCHS),
        Row("eval/metadata", "run.metadata", FIELDS),
        Row("results", ""),
        Row("stats/started_at", "run.started", WORD),
        Row("stats/completed_at", "run.completed", WORD),
        Row("stats/model_usage", ""),
        Row("samples", ""),
    ),
    "run",
)
SAMPLE = Table(
    (
        Row("id", "case.id", IDENTIFIER),
        Row("epoch", ""),
        Row("input", "case.input", INPUT),
        Row("target", "case.expected", TEXT),
        Row("description", "case.description"),
        Row("messages", ""),
        Row("output/completion", "trial.output", WORD),
        Row("output/time", "trial.latency_ms", SECONDS),
        Row("scores", ""),
        Row("metadata", "", blank={}),
        Row("metadata/dataset", "case.dataset", WORD),
        Row("metadata/name", "case.name", WORD),
        Row("metadata/group", "case.group", WORD),
        Row("metadata/tags", "case.tags", WORDS),
        Row("metadata/risk", "case.risk", WORD),
        Row("metadata/severity", "case.severity", WORD),
        Row("metadata/critical", "case.critical", FLAG),
        Row("metadata/variables", "case.variables", FIELDS),
        Row("metadata/forbidden", "case.forbidden", WORD),
        Row("metadata/strategy", "case.strategy", WORD),
        Row("metadata/scenario_name", "case.scenario_name", WORD),
        Row("metadata/session_id", "trial.session_id", WORD),
        Row("metadata/target_model", "trial.provider", WORD),
        Row("model_usage", ""),
        Row("total_time", "trial.duration_ms", SECONDS),
        Row("uuid", "trial.id"),
        Row("error", ""),
        Row("turn_count", "trial.turns", WHOLE),
    ),
    "case",
    "trial",
)
USAGE = Table(
    (
        Row("input_tokens", "usage.input", WHOLE, 0),
        Row("output_tokens", "usage.output", WHOLE, 0),
        Row("total_tokens", ""),
        Row("input_tokens_cache_write", "usage.cache_write", WHOLE),
        Row("input_tokens_cache_read", "usage.cache_read", WHOLE),
        Row("total_cost", ""),
    ),
    "usage",
)

make_case = SAMPLE.maker("case", Case)
make_trial = SAMPLE.maker(
    "trial",
    Trial,
    *("index", "verdict", "score", "reason", "error", "transcript", "usage", "cost_usd", "checks"),
)
read_usage = USAGE.maker("usage", ModelUsage, "role", "model")


def read_run(envelope: Record) -> Run:
    """What does the log say of its run, leaving out all that is counted from its samples?"""
    return Run(**RUN.read(envelope, "run"))


def write_run(context: Context, tally: LogTally | None) -> Record:
    """How is the run said, with results computed by `tally`?"""
    run, survey = context.run, context.survey
    given: Record = {
        "version": 2,
        "status": "success",
        "eval/created": run.started or NEVER,
        "eval/task": "",
        "eval/model": survey.targets[0] if len(survey.targets) == 1 else "",
        "eval/config/epochs": max(survey.k, 1),
        "samples": [],
    }
    if tally is not None:
        given["eval/dataset/samples"] = tally.samples
        given["results"] = tally.results(run)
        given["stats/model_usage"] = tally.usage()
    return RUN.write(run, given=given)


def read_case(record: Record) -> Case:
    """What does a sample say of what was asked?"""
    case: Case = make_case(resolved(record))
    return case


def read(record: Record, parent: Record | None) -> tuple[Case, Trial]:
    """What does an epoch of a sample say?"""
    del parent
    record = resolved(record)
    scores, error, usage = record.get("scores"), record.get("error"), record.get("model_usage")
    checks = read_checks(scores)
    verdict, score, reason = read_verdict(scores)
    if error is not None:
        verdict = "error"
    costs = [used["total_cost"] for used in (usage or {}).values() if _priced(used)]
    messages = record.get("messages")
    trial = make_trial(
        record,
        index=record["epoch"] - 1,
        verdict=verdict or implied(checks),
        score=score,
        reason=reason,
        error=None if error is None else error["message"],
        transcript=None if messages is None else events_of(messages),
        usage=_read_usage(usage) if usage else None,
        cost_usd=total(costs) if costs else None,
        checks=checks,
    )
    return make_case(record), trial


def _priced(usage: Record) -> bool:
    return usage.get("total_cost") is not None


def _read_usage(usage: Mapping[str, Record]) -> tuple[ModelUsage, ...]:
    return tuple([read_usage(counts, "agent", model) for model, counts in usage.items()])


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    del context
    broken = trial.verdict == "error"
    given: Record = {
        "id": case_id(case, trial),
        "epoch": _epoch(trial, seat),
        "input": case.description if case.description is not None else "",
        "target": "",
        "messages": messages_of(case, trial),
        "scores": write_scores(trial, broken=broken),
        "model_usage": _usage(trial),
    }
    if broken:
        message = trial.error or trial.reason or "error"
        given["error"] = {"message": message, "traceback": "", "traceback_ansi": ""}
    return SAMPLE.write(case, trial, given=given)


def _sample(said: tuple[Case, Trial]) -> str:
    """Of which sample is a trial an epoch?"""
    return case_id(*said)


def _epoch(trial: Trial, seat: Seat | None) -> int:
    """Which epoch is this trial? No two samples may have one id and epoch."""
    return 1 + (seat.trial if seat else max(trial.index or 0, 0))


def _usage(trial: Trial) -> Record | None:
    """How many tokens did each model take? What the trial cost stands with the first."""
    if trial.usage is None:
        return None
    said: Record = {}
    for usage in trial.usage:
        counts = {key: getattr(usage, name) or 0 for key, name in COUNTS.items()}
        given = {"total_tokens": totalled(counts)["total_tokens"]}
        if not said and trial.cost_usd is not None:
            given["total_cost"] = trial.cost_usd
        said[usage.model or trial.provider or "unknown"] = USAGE.write(usage, given=given)
    return said


INSPECT = Format(
    id="inspect",
    version="2",
    layout=Layout(("samples",)),
    run_slot=(KEY,),
    record_slot=("metadata", KEY),
    rows=(*RUN.rows, *SAMPLE.rows),
    tables=(
        ("", RUN),
        ("samples/*", SAMPLE),
        ("samples/*/scores/*", SCORE),
        ("samples/*/model_usage/*", USAGE),
    ),
    carried=CARRIED,
    run_blanks=(),
    record_blanks=(),
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    tally=LogTally,
    read_case=read_case,
    glimpsed={"attachments": Any},
    numbered_by=_sample,
)
