"""Samples that lm-evaluation-harness logs (`samples_TASK_DATE.jsonl`), version 0.4.

How awkward things are said here:

* one line is one document under one filter; the filter is its group, as its scores are of its own;
* each metric is a check, under the metric's name; 1 has passed and 0 has failed, any other value is
  undecided; the first decides on the trial, so the others are soft;
* a trial's verdict and score from elsewhere are the metrics `passed` and `score`; these are no
  checks; an error or an undecided case has no metric `passed`;
* checks without a name of their own, or named as a field or another check is, have no place;
* the output is the first filtered response where it is a text, as it is where the model generates;
  of a multiple choice, it is the choice with the highest log-likelihood;
* ids of documents are whole numbers; any other id has no place, and the number of the case
  stands there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from converter.blanks import Blank
from converter.codecs import NUMBERED, TEXT
from converter.facts import Case, Check, Run, Trial, Verdict
from converter.form import Context, Format, NoTally, Seat
from converter.formats.listed import ListedLayout
from converter.loose import FIELDS, WORD
from converter.rows import Record, Row, Table
from converter.slots import KEY

PROMPT = "arguments/gen_args_0/arg_0"
SAMPLE = Table(
    (
        Row("doc_id", "case.id", NUMBERED),
        Row("doc", "case.variables", FIELDS),
        Row("target", "case.expected", TEXT),
        Row("arguments", "", blank={}),
        Row(PROMPT, "case.input", WORD),
        Row("resps", ""),
        Row("filtered_resps", ""),
        Row("filter", "case.group"),
        Row("metrics", ""),
    ),
    "case",
    "trial",
)
CARRIED = {
    "arguments/gen_args_0/arg_1": "a choice, or how to generate, in the tool's own terms",
    "arguments/*": "one request for each further choice",
    "doc_hash": "computed from doc; no other tool has it",
    "prompt_hash": "computed from the prompt; no other tool has it",
    "target_hash": "computed from target; no other tool has it",
}
NAMED = {path.partition("/")[0] for path in (*CARRIED, *(row.path for row in SAMPLE.rows), KEY)}
"""names that no metric may have"""
PASSED, SCORE = "passed", "score"
OUTCOMES: Mapping[float, bool] = {1.0: True, 0.0: False}
VERDICTS: Mapping[bool | None, Verdict] = {True: "passed", False: "failed", None: "review"}

make_case = SAMPLE.maker("case", Case)


def read_run(envelope: Record) -> Run:
    """What does a list of samples say of its run? Nothing."""
    del envelope
    return Run()


def write_run(context: Context, tally: NoTally | None) -> Record:
    """How is the run said?"""
    del context, tally
    return {"samples": []}


def read_case(record: Record) -> Case:
    """What does a sample say of what was asked?"""
    case: Case = make_case(record)
    return case


def read(record: Record, parent: Record | None) -> tuple[Case, Trial]:
    """What does a sample say?"""
    del parent
    metrics = {name: record[name] for name in record["metrics"] if name in record}
    decides = next(iter(metrics), None)
    checks = tuple(
        Check(
            id=name,
            passed=outcome(value),
            score=number(value),
            hard=PASSED in metrics or name == decides,
        )
        for name, value in metrics.items()
        if name not in (PASSED, SCORE)
    )
    first = None if decides is None else metrics[decides]
    trial = Trial(
        verdict=VERDICTS[outcome(metrics.get(PASSED, first))],
        score=number(metrics.get(SCORE, None if PASSED in metrics else first)),
        output=output(record),
        checks=checks or None,
    )
    return read_case(record), trial


def number(value: Any) -> float | None:
    """The value of a metric, where it is one number."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def outcome(value: Any) -> bool | None:
    """Does the value of a metric say that all, or nothing, was right?"""
    if isinstance(value, bool):
        return value
    return None if number(value) is None else OUTCOMES.get(value)


def output(record: Record) -> str | None:
    """Which text did the model give, or choose?"""
    given = record["filtered_resps"]
    if not given:
        return None
    return given[0] if isinstance(given[0], str) else _chosen(record["arguments"], given)


def _chosen(arguments: Record, given: Sequence[Any]) -> str | None:
    """Which choice is the likeliest? A likelihood is logged as a text."""
    likelihoods = [_likelihood(one) for one in given]
    known = [one for one in likelihoods if one is not None]
    if len(known) < len(given):
        return None
    asked = arguments.get(f"gen_args_{likelihoods.index(max(known))}")
    chosen = asked.get("arg_1") if isinstance(asked, dict) else None
    return chosen if isinstance(chosen, str) else None


def _likelihood(given: Any) -> float | None:
    if not isinstance(given, list) or not given or not isinstance(given[0], str):
        return None
    try:
        return float(given[0])
    except ValueError:
        return None


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    del seat, context
    text = [] if trial.output is None else [trial.output]
    metrics = _metrics(trial)
    given: Record = {
        "filter": "none",
        "resps": [text],
        "filtered_resps": text,
        "metrics": list(metrics),
    }
    if case.description:
        given[PROMPT] = case.description
    return {**SAMPLE.write(case, trial, given=given), **metrics}


def _metrics(trial: Trial) -> Record:
    metrics: Record = {}
    if trial.verdict in ("passed", "failed"):
        metrics[PASSED] = 1.0 if trial.verdict == "passed" else 0.0
    if trial.score is not None:
        metrics[SCORE] = trial.score
    for check in trial.checks or ():
        value = check.score if check.score is not None else _as_number(check.passed)
        if check.id and check.hard and check.id not in NAMED | {PASSED, SCORE, *metrics}:
            metrics[check.id] = value
    return {name: value for name, value in metrics.items() if value is not None}


def _as_number(passed: bool | None) -> float | None:
    return None if passed is None else float(passed)


LM_EVAL = Format(
    id="lm-eval",
    version="0.4",
    layout=ListedLayout(("samples",)),
    run_slot=(KEY,),
    record_slot=(KEY,),
    rows=SAMPLE.rows,
    tables=(("*", SAMPLE),),
    carried={f"*/{name}": reason for name, reason in CARRIED.items()},
    record_blanks=(Blank("doc_id", 0, numbered=True), Blank("doc", {}), Blank("target", "")),
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    read_case=read_case,
    tally=NoTally,
    numbers_cases=True,
)
