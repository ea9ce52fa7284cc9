"""Circuit Breaker Labs evaluation file, version 4.

How awkward things are said here:

* a single-turn result has `user_input` and `model_response`; a multi-turn one has `conversation`;
  a file has one kind, and it is multi-turn if any of its cases is;
* a score outside 0..1 is clamped; a verdict without a score: 1.0 passed, 0.0 failed;
* there is no word for undecided, skipped and errored cases: `passed` is false.

`test_case_id` names a family of variations, so it is the case's group; ids are integers, and other
formats' ids, which are not, have no place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypedDict

from converter.blanks import Blank
from converter.codecs import LIST, NUMBERED, STRINGS, UNIT_SCORE, WHOLE
from converter.facts import Case, Event, Run, Trial
from converter.form import Context, Format, Groups, Layout, Parts, Seat, Survey
from converter.rows import Record, Row, Table
from converter.slots import KEY
from registry import engine
from registry.catalog import parse_ref

ROLES = {"user": "user", "agent": "assistant", "system": "system"}
KINDS = {role: kind for kind, role in ROLES.items()}
DERIVED_SCORE = {True: 1.0, False: 0.0}

RUN = Table(
    (
        Row("evaluation_id", "run.id", NUMBERED),
        Row("total_passed", ""),
        Row("total_failed", ""),
        Row("results", ""),
        Row("test_case_groups", "run.groups", STRINGS),
        Row("test_result_ids", "run.rerun_results", LIST),
        Row("source_evaluation_id", "run.rerun_of", NUMBERED),
    ),
    "run",
)
SINGLE = Table(
    (
        Row("test_result_id", "trial.id", NUMBERED),
        Row("iteration", "trial.iteration", WHOLE),
        Row("user_input", "case.input"),
        Row("conversation_id", "trial.conversation_id", NUMBERED),
        Row("model_response", "trial.output"),
        Row("safe_response_score", "trial.score", UNIT_SCORE),
        Row("passed", ""),
        Row("test_case_id", "case.group", NUMBERED),
    ),
    "case",
    "trial",
)
MULTI = Table(
    (
        Row("test_result_id", "trial.id", NUMBERED),
        Row("min_safe_response_score", "trial.score", UNIT_SCORE),
        Row("conversation_id", "trial.conversation_id", NUMBERED),
        Row("conversation", ""),
        Row("passed", ""),
        Row("test_case_id", "case.group", NUMBERED),
    ),
    "case",
    "trial",
)

SHAPES = {"single": SINGLE, "multi": MULTI}


class Turn(TypedDict):
    """What tells a conversation from another?"""

    role: str
    content: str


class CaseTally:
    """Counts results that passed and that did not."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0

    def add(self, case: Case, trials: Sequence[Trial]) -> None:
        """Count one case in: each of its trials is a result here."""
        del case
        passed = sum(trial.verdict == "passed" for trial in trials)
        self.passed += passed
        self.failed += len(trials) - passed

    def join(self, later: CaseTally) -> None:
        """Count in what was counted of the cases that follow."""
        self.passed += later.passed
        self.failed += later.failed


def read_run(envelope: Record) -> Run:
    """What does the file say, leaving out its totals?"""
    return Run(**RUN.read(envelope, "run"))


def write_run(context: Context, tally: CaseTally | None) -> Record:
    """How is the run said, with totals counted by `tally`?"""
    run = context.run
    given: Record = {"results": []}
    if run.rerun_of is None and run.rerun_results is None:
        given["test_case_groups"] = []
    if tally is not None:
        given["total_passed"] = tally.passed + (run.unlisted_passed or 0)
        given["total_failed"] = tally.failed + (run.unlisted_failed or 0)
    return RUN.write(run, given=given)


@cache
def _judge() -> engine.Judge:
    return engine.judge(engine.part(parse_ref("cbl@1").schema, "/definitions/multi_turn_result"))


def is_multi(record: Record) -> bool:
    """Is it the result of a conversation, and not one with an unknown field of that name?"""
    if "conversation" not in record:
        return False
    return "safe_response_score" not in record or _judge()(record)


def read_case(record: Record) -> Case:
    """What does a result say of its case?"""
    if not is_multi(record):
        return Case(**SINGLE.read(record, "case"))
    case = MULTI.read(record, "case")
    turns = (turn["content"] for turn in record["conversation"] if turn["role"] == "user")
    return Case(**case, input=next(turns, None))


def read(record: Record, parent: Record | None) -> tuple[Case, Trial]:
    """What does a result say?"""
    del parent
    table = MULTI if is_multi(record) else SINGLE
    said = table.read(record, "trial")
    said["verdict"] = "passed" if record["passed"] else "failed"
    if table is MULTI:
        _read_conversation(record["conversation"], said)
    return read_case(record), Trial(**said)


def _read_conversation(conversation: Sequence[Record], said: Record) -> None:
    events = tuple(Event(KINDS[turn["role"]], turn["content"]) for turn in conversation)  # type: ignore[arg-type]
    outputs = [event.text for event in events if event.kind == "agent"]
    said["transcript"] = events
    said["output"] = outputs[-1] if outputs else None


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    del seat
    passed = trial.verdict == "passed"
    score = DERIVED_SCORE[passed]
    if context.shape.get("turns") != "multi":
        given: Record = {
            "passed": passed,
            "safe_response_score": score,
            "iteration": trial.index,
        }
        return SINGLE.write(case, trial, given=given)
    given = {
        "passed": passed,
        "min_safe_response_score": score,
        "conversation": _conversation(case, trial),
    }
    return MULTI.write(case, trial, given=given)


def _conversation(case: Case, trial: Trial) -> list[Record]:
    events = trial.transcript
    if events is None:
        events = (Event("user", case.input), Event("agent", trial.output))
    return [
        {"role": ROLES[event.kind], "content": event.text}
        for event in events
        if event.kind in ROLES and event.text is not None
    ]


class CblLayout(Layout):
    """Also tells single-turn from multi-turn files, by their first result."""

    def parts(self, envelope: Any, records: Sequence[Record]) -> Parts:
        """Which groups do these records make?"""
        first = records[0] if records else {}
        return Parts(envelope, Groups(self, records), self.shape_of(first))

    @staticmethod
    def shape_of(first: Record) -> Mapping[str, Any]:
        """Which shape does a file with this first result have?"""
        return {"turns": "multi"} if is_multi(first) else {}


def shape(survey: Survey) -> Mapping[str, Any]:
    """Which shape does a new file get?"""
    return {"turns": "multi"} if survey.multi_turn else {}


CBL = Format(
    id="cbl",
    version="4",
    layout=CblLayout(("results",)),
    run_slot=(KEY,),
    record_slot=(KEY,),
    rows=(*RUN.rows, *SINGLE.rows, *MULTI.rows),
    tables=(("", RUN), ("results/*", SINGLE), ("results/*", MULTI)),
    carried={},
    run_blanks=(Blank("evaluation_id", 0),),
    record_blanks=(
        Blank("test_result_id", 0),
        Blank("conversation_id", 0),
        Blank("iteration", 0, unless="conversation"),
        Blank("user_input", "", unless="conversation"),
        Blank("model_response", "", unless="conversation"),
    ),
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    read_case=read_case,
    glimpsed={"conversation": list[Turn]},
    tally=CaseTally,
    shape=shape,
)
