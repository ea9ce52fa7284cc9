"""Quizlog files, version 1.

How awkward things are said here:

* a question is a case, its attempts are the trials;
* an attempt that could not be judged is `void`, and `note` says why; so the error of an attempt
  that was judged has no place;
* a latency below 0 is left to the carry: the schema refuses it;
* `right` and `wrong` count attempts; what was not judged is in neither.
"""

from __future__ import annotations

from collections.abc import Sequence

from converter.codecs import fitting
from converter.facts import Case, Run, Trial, Verdict
from converter.form import Context, Format, Layout, Seat
from converter.rows import Record, Row, Table
from converter.slots import KEY

RUN = Table(
    (
        Row("quizlog", ""),
        Row("player", "run.target"),
        Row("deck", "run.suite"),
        Row("right", ""),
        Row("wrong", ""),
        Row("questions", ""),
    ),
    "run",
)
QUESTION = Table(
    (
        Row("key", "case.id"),
        Row("ask", "case.input"),
        Row("topic", "case.group"),
        Row("answer", "case.expected"),
        Row("attempts", ""),
    ),
    "case",
)
MS = fitting("quizlog@1", "/definitions/attempt/properties/ms")
ATTEMPT = Table(
    (
        Row("grade", ""),
        Row("said", "trial.output"),
        Row("points", "trial.score"),
        Row("note", "trial.reason"),
        Row("ms", "trial.latency_ms", MS),
    ),
    "trial",
)
CARRIED = {"questions/*/attempts/*/mood": "how the player felt; no other tool asks"}
VERDICTS: dict[str, Verdict] = {
    "right": "passed",
    "wrong": "failed",
    "open": "review",
    "void": "error",
    "skipped": "skipped",
}
GRADES = {verdict: grade for grade, verdict in VERDICTS.items()}

make_case = QUESTION.maker("case", Case)
make_trial = ATTEMPT.maker("trial", Trial, "verdict")


class GradeTally:
    """Counts attempts that were right, and wrong."""

    def __init__(self) -> None:
        self.right = self.wrong = 0

    def add(self, case: Case, trials: Sequence[Trial]) -> None:
        """Count one question in."""
        self.right += sum(trial.verdict == "passed" for trial in trials)
        self.wrong += sum(trial.verdict == "failed" for trial in trials)

    def join(self, later: GradeTally) -> None:
        """Count in what was counted of the questions that follow."""
        self.right += later.right
        self.wrong += later.wrong


def read_run(envelope: Record) -> Run:
    """What does the file say of its run, leaving out what is counted?"""
    return Run(**RUN.read(envelope, "run"))


def write_run(context: Context, tally: GradeTally | None) -> Record:
    """How is the run said, with totals counted by `tally`?"""
    given: Record = {"quizlog": 1, "questions": []}
    if tally is not None:
        given |= {"right": tally.right, "wrong": tally.wrong}
    if len(context.survey.targets) == 1:
        given["player"] = context.survey.targets[0]
    return RUN.write(context.run, given=given)


def read_case(question: Record) -> Case:
    """What does a question say of itself?"""
    case: Case = make_case(question)
    return case


def write_case(case: Case, trials: Sequence[Trial]) -> Record:
    """How is a case said, its trials left out?"""
    del trials
    return QUESTION.write(case, given={"ask": case.description, "attempts": []})


def read(record: Record, question: Record | None) -> tuple[Case, Trial]:
    """What does an attempt at this question say?"""
    return read_case(question or {}), make_trial(record, VERDICTS[record["grade"]])


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    del case, seat, context
    given = {"grade": GRADES[trial.verdict or "review"]}
    if trial.verdict == "error":
        given["note"] = trial.error or "error"
    return ATTEMPT.write(trial, given=given)


FORMAT = Format(
    id="quizlog",
    version="1",
    layout=Layout(("questions",), nested="attempts"),
    run_slot=(KEY,),
    record_slot=(KEY,),
    rows=(*RUN.rows, *QUESTION.rows, *ATTEMPT.rows),
    tables=(("", RUN), ("questions/*", QUESTION), ("questions/*/attempts/*", ATTEMPT)),
    carried=CARRIED,
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    read_case=read_case,
    write_case=write_case,
    tally=GradeTally,
)
