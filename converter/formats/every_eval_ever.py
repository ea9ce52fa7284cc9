"""Every Eval Ever, version 0.3: the aggregate, and a row for each sample and result.

How awkward things are said here:

* a trial is one row or several, see `every_eval_ever_layout`; the first tells of the trial, and
  each that has an `evaluation_result_id` of a check, which that names;
* where the first check comes to what the trial does, the trial has no row of its own;
* an undecided or skipped trial, an error without a text, an unscored check: `is_correct` is false,
  and `metadata` say which, as texts; a score is asked for, so 0 stands there, marked `unscored`;
* a verdict without a score: passed 1, failed 0;
* facts that have no field are `metadata` and `additional_details`: texts, of JSON where they are no
  texts themselves; those of a check are named `check_…`;
* trials of one sample are told by `metadata/epoch`, from 1;
* a transcript with tools is `agentic`, one in which the agent speaks twice `multi_turn`; any other
  is input and output; an errored call of a tool answers with its error;
* "unknown" stands where a name is asked for that nobody knows, and says nothing;
* results are computed, see `every_eval_ever_totals`; the suite is what all of them are named after;
* a run of several models is not parted: the rows name them, and the aggregate none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from converter.aggregates import total
from converter.facts import Case, Check, ModelUsage, Run, Trial, Verdict
from converter.form import Context, Format, Seat
from converter.formats.ctrf_words import MOMENT as MILLISECONDS
from converter.formats.every_eval_ever_carried import CARRIED, ROWS
from converter.formats.every_eval_ever_layout import RESULT, SamplesLayout
from converter.formats.every_eval_ever_layout import ROWS as FURTHER
from converter.formats.every_eval_ever_totals import ResultTally, names, score_of
from converter.formats.every_eval_ever_words import (
    COUNT,
    EPOCH,
    FIELDS,
    FLAG,
    KNOWN,
    MOMENT,
    NUMBER,
    POSITIVE,
    REFERENCE,
    TOKENS,
    TURNS,
    UNKNOWN,
    VALUE,
    WORDS,
    events_of,
    hashed,
    interaction,
    messages_of,
)
from converter.formats.inspect_totals import COUNTS, case_id
from converter.loose import STATUS, WORD
from converter.rows import Record, Row, Table
from converter.slots import KEY
from registry.values import same

VERSION = "0.3.0"
MORE = "source_metadata/additional_details"

RUN = Table(
    (
        Row("schema_version", ""),
        Row("evaluation_id", "run.id"),
        Row("evaluation_timestamp", "run.started", MOMENT),
        Row("retrieved_timestamp", ""),
        Row("source_metadata/source_type", ""),
        Row("source_metadata/source_organization_name", ""),
        Row("source_metadata/evaluator_relationship", ""),
        Row(f"{MORE}/status", "run.status", STATUS),
        Row(f"{MORE}/judge", "run.judge", WORD),
        Row(f"{MORE}/user", "run.user", WORD),
        Row(f"{MORE}/completed", "run.completed", WORD),
        Row(f"{MORE}/duration_ms", "run.duration_ms", NUMBER),
        Row(f"{MORE}/k", "run.k", COUNT),
        Row(f"{MORE}/threshold", "run.threshold", NUMBER),
        Row(f"{MORE}/inputs", "run.inputs_digest", WORD),
        Row(f"{MORE}/groups", "run.groups", WORDS),
        Row(f"{MORE}/rerun_of", "run.rerun_of", WORD),
        Row(f"{MORE}/metadata", "run.metadata", FIELDS),
        Row("eval_library/name", ""),
        Row("eval_library/version", ""),
        Row("model_info/name", ""),
        Row("model_info/id", "run.target", KNOWN),
        Row("model_info/additional_details/deployment_type", ""),
        Row("model_info/additional_details/model_availability", ""),
        Row("evaluation_results", ""),
        Row("samples", ""),
    ),
    "run",
)
ROW = Table(
    (
        Row("schema_version", ""),
        Row("evaluation_id", ""),
        Row("model_id", "trial.provider", KNOWN),
        Row("evaluation_name", "case.dataset", KNOWN),
        Row(RESULT, ""),
        Row("sample_id", "case.id"),
        Row("sample_hash", ""),
        Row("interaction_type", ""),
        Row("input/raw", "case.input"),
        Row("input/reference", "case.expected", REFERENCE, []),
        Row("output", ""),
        Row("messages", ""),
        Row("answer_attribution", "", blank=[]),
        Row("evaluation/score", ""),
        Row("evaluation/is_correct", ""),
        Row("evaluation/num_turns", "trial.turns", TURNS),
        Row("evaluation/tool_calls_count", ""),
        Row("token_usage", ""),
        Row("performance/latency_ms", "trial.latency_ms", POSITIVE),
        Row("performance/additional_details/duration_ms", "trial.duration_ms", NUMBER),
        Row("performance/additional_details/cost_usd", "trial.cost_usd", NUMBER),
        Row("error", "trial.error"),
        Row("metadata/epoch", ""),
        Row("metadata/verdict", ""),
        Row("metadata/unscored", ""),
        Row("metadata/reason", "trial.reason", WORD),
        Row("metadata/name", "case.name", WORD),
        Row("metadata/description", "case.description", WORD),
        Row("metadata/group", "case.group", WORD),
        Row("metadata/tags", "case.tags", WORDS),
        Row("metadata/risk", "case.risk", WORD),
        Row("metadata/severity", "case.severity", WORD),
        Row("metadata/critical", "case.critical", FLAG),
        Row("metadata/variables", "case.variables", FIELDS),
        Row("metadata/forbidden", "case.forbidden", WORD),
        Row("metadata/strategy", "case.strategy", WORD),
        Row("metadata/scenario", "case.scenario_name", WORD),
        Row("metadata/trial", "trial.id", WORD),
        Row("metadata/session", "trial.session_id", WORD),
    ),
    "case",
    "trial",
)
SCORED = Table(
    (
        Row(RESULT, "check.id"),
        Row("metadata/check_verdict", ""),
        Row("metadata/check_unscored", ""),
        Row("metadata/check_kind", "check.kind", WORD),
        Row("metadata/check_threshold", "check.threshold", NUMBER),
        Row("metadata/check_weight", "check.weight", NUMBER),
        Row("metadata/check_hard", ""),
        Row("metadata/check_reason", "check.reason", WORD),
        Row("metadata/check_value", "check.value", VALUE),
        Row("metadata/check_parts", "check.parts", VALUE),
    ),
    "check",
)
USAGE = Table(
    (
        Row("input_tokens", "usage.input", TOKENS, 0),
        Row("output_tokens", "usage.output", TOKENS, 0),
        Row("total_tokens", ""),
        Row("input_tokens_cache_write", "usage.cache_write", TOKENS),
        Row("input_tokens_cache_read", "usage.cache_read", TOKENS),
    ),
    "usage",
)
VERDICTS: tuple[Verdict, ...] = ("passed", "failed", "review", "error", "skipped")
JUDGED: Mapping[Verdict | None, bool] = {"passed": True, "failed": False}
PLAIN: Mapping[Verdict | None, bool] = {**JUDGED, "error": False}
"""what `is_correct` is with this verdict; with others it says nothing"""
TRUE, FALSE, REVIEW = "true", "false", "review"

KEYS = tuple(dict.fromkeys(row.path.partition("/")[0] for row in ROW.rows))
"""of a row, in the tool's order"""

make_case = ROW.maker("case", Case)
make_trial = ROW.maker(
    "trial", Trial, "index", "verdict", "score", "output", "transcript", "usage", "checks"
)
make_check = SCORED.maker("check", Check, "passed", "score", "hard")
make_usage = USAGE.maker("usage", ModelUsage)


def read_run(envelope: Record) -> Run:
    """What does the aggregate say, leaving out all that is counted from its rows?"""
    named = {result["evaluation_name"] for result in envelope.get("evaluation_results") or ()}
    suite = KNOWN.read(named.pop()) if KNOWN.read and len(named) == 1 else None
    return Run(**RUN.read(envelope, "run"), suite=suite)


def write_run(context: Context, tally: ResultTally | None) -> Record:
    """How is the run said, with results computed by `tally`?"""
    run, survey = context.run, context.survey
    model = survey.targets[0] if len(survey.targets) == 1 else UNKNOWN
    given: Record = {
        "schema_version": VERSION,
        "evaluation_id": UNKNOWN,
        "retrieved_timestamp": _since(run.started),
        "source_metadata/source_type": "evaluation_run",
        "source_metadata/source_organization_name": UNKNOWN,
        "source_metadata/evaluator_relationship": "other",
        "eval_library/name": UNKNOWN,
        "eval_library/version": UNKNOWN,
        "model_info/name": run.target or model,
        "model_info/id": model,
        "model_info/additional_details/deployment_type": UNKNOWN,
        "model_info/additional_details/model_availability": UNKNOWN,
        "evaluation_results": [] if tally is None else tally.results(run),
    }
    return RUN.write(run, given=given)


def _since(moment: str | None) -> str:
    """How many seconds after the start of 1970 is that? 0 where it is not known."""
    milliseconds = MILLISECONDS.write(moment) if moment and MILLISECONDS.write else None
    return str(milliseconds // 1000 if milliseconds else 0)


def read_case(record: Record) -> Case:
    """What does a row say of what was asked?"""
    case: Case = make_case(record)
    return case


def read(record: Record, parent: Record | None) -> tuple[Case, Trial]:
    """What do the rows of a trial say?"""
    del parent
    remarks, evaluation = record.get("metadata") or {}, record["evaluation"]
    rows = [record, *record.get(FURTHER, ())]
    verdict = _verdict(record, remarks)
    checks = tuple([_check(row, verdict) for row in rows if row.get(RESULT) is not None])
    messages, usage = record.get("messages"), record.get("token_usage")
    transcript = None if messages is None else events_of(messages)
    trial = make_trial(
        record,
        EPOCH.read(remarks.get("epoch")) if EPOCH.read else None,
        verdict,
        None if remarks.get("unscored") == TRUE else evaluation["score"],
        _output(record, messages),
        transcript,
        None if usage is None else (make_usage(usage),),
        checks or None,
    )
    return read_case(record), trial


def _verdict(record: Record, remarks: Record) -> Verdict:
    said = remarks.get("verdict")
    if isinstance(said, str) and said in VERDICTS:
        return said
    if record.get("error") is not None:
        return "error"
    return "passed" if record["evaluation"]["is_correct"] else "failed"


def _output(record: Record, messages: Sequence[Record] | None) -> str | None:
    """Which text did the model give last?"""
    if messages is not None:
        said = [message for message in messages if message["role"] == "assistant"]
        return said[-1].get("content") or None if said else None
    texts = (record.get("output") or {}).get("raw")
    return texts[0] if texts else None


def _check(row: Record, verdict: Verdict) -> Check:
    remarks, evaluation = row.get("metadata") or {}, row["evaluation"]
    passed = None if remarks.get("check_verdict") == REVIEW else evaluation["is_correct"]
    score = None if remarks.get("check_unscored") == TRUE else evaluation["score"]
    hard = {TRUE: True, FALSE: False}.get(str(remarks.get("check_hard")))
    check: Check = make_check(row, passed, score, _fails(verdict, passed) if hard is None else hard)
    return check


def _fails(verdict: Verdict | None, passed: bool | None) -> bool:
    """Would a check fail its trial, as far as can be seen? Not if it did not pass, and that did."""
    return verdict != "passed" or passed is True


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    checks = trial.checks or ()
    own = _own(case, trial, seat, context)
    named = zip(names(checks), checks, strict=True)
    said = [_said(name, check, trial.verdict) for name, check in named]
    leads = bool(checks) and _is_led(trial, checks[0])
    first = _joined(own, said[0]) if leads else own
    further = [_joined(own, one) for one in said[leads:]]
    return {**first, FURTHER: further} if further else first


def _is_led(trial: Trial, check: Check) -> bool:
    """Does its first check come to what the trial does?"""
    return PLAIN.get(trial.verdict) is check.passed and same(trial.score, check.score)


def _own(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """Which row says what a trial as a whole comes to?"""
    run, kind = context.run, interaction(trial)
    asked = case.input if case.input is not None else case.description or ""
    expected = [] if case.expected is None else [case.expected]
    single = kind == "single_turn"
    score = score_of(JUDGED.get(trial.verdict), trial.score)
    given: Record = {
        "schema_version": VERSION,
        "evaluation_id": run.id or UNKNOWN,
        "model_id": run.target or UNKNOWN,
        "evaluation_name": run.suite or UNKNOWN,
        "sample_id": seat and case_id(case, trial),
        "sample_hash": seat and hashed(asked, expected),
        "interaction_type": kind,
        "input/raw": seat and asked,
        "evaluation/score": 0.0 if score is None else score,
        "evaluation/is_correct": trial.verdict == "passed",
        "token_usage": _usage(trial.usage) if trial.usage else None,
        "metadata/epoch": seat and _epoch(trial, seat),
        "metadata/unscored": TRUE if score is None else None,
    }
    if single:
        given["output"] = {"raw": [] if trial.output is None else [trial.output]}
    else:
        given["messages"] = messages_of(trial.transcript or ())
        given["evaluation/tool_calls_count"] = _calls(trial)
    if _needs_verdict(trial):
        given["metadata/verdict"] = trial.verdict or REVIEW
    return ROW.write(case, trial, given=given)


def _needs_verdict(trial: Trial) -> bool:
    """Do `is_correct` and `error` not tell this verdict by themselves?"""
    if trial.verdict == "error":
        return trial.error is None
    return trial.error is not None or trial.verdict not in PLAIN


def _epoch(trial: Trial, seat: Seat) -> str | None:
    """Which epoch of its sample is a trial? Not said of the only one, unless it is known."""
    return str(seat.trial + 1) if seat.trial or trial.index is not None else None


def _calls(trial: Trial) -> int:
    return sum(event.kind == "tool" for event in trial.transcript or ())


def _usage(usages: Sequence[ModelUsage]) -> Record:
    """How many tokens did all models take?"""
    counts = {key: [getattr(one, name) for one in usages] for key, name in COUNTS.items()}
    known = {key: [one for one in held if one is not None] for key, held in counts.items()}
    sums = {name: total(known[key]) if known[key] else None for key, name in COUNTS.items()}
    told = [number for number in sums.values() if number is not None and number > 0]
    together = msgspec.structs.replace(ModelUsage(), **sums)
    return USAGE.write(together, given={"total_tokens": total(told)})


def _said(name: str, check: Check, verdict: Verdict | None) -> Record:
    """What does a check add to its trial's row?"""
    score = score_of(check.passed, check.score)
    given: Record = {RESULT: name}
    if check.passed is None:
        given["metadata/check_verdict"] = REVIEW
    if score is None:
        given["metadata/check_unscored"] = TRUE
    if check.hard is not _fails(verdict, check.passed):
        given["metadata/check_hard"] = TRUE if check.hard else FALSE
    said = SCORED.write(check, given=given)
    evaluation = {"score": 0.0 if score is None else score, "is_correct": check.passed is True}
    return {**said, RESULT: name, "evaluation": evaluation}


def _joined(own: Record, said: Record) -> Record:
    """The row of a trial as one of a check."""
    joined = {**own, RESULT: said[RESULT]}
    for part in ("evaluation", "metadata"):
        if part in said:
            joined[part] = {**own.get(part, {}), **said[part]}
    return {key: joined[key] for key in KEYS if key in joined}


EVERY_EVAL_EVER = Format(
    id="every-eval-ever",
    version="0.3",
    layout=SamplesLayout(("samples",)),
    run_slot=("source_metadata", KEY),
    record_slot=("evaluation", KEY),
    rows=(*RUN.rows, *ROW.rows),
    tables=(
        ("", RUN),
        (ROWS, ROW),
        (ROWS, SCORED),
        (f"{ROWS}/token_usage", USAGE),
    ),
    carried=CARRIED,
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    tally=ResultTally,
    read_case=read_case,
    numbered_by=lambda said: (case_id(*said), said[1].provider),
)
