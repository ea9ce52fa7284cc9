"""Files of my-tool, version 1.

How awkward things are said here:

* a case that could not be judged: `passed` is null, `error` says why;
* an undecided or skipped case: `passed` is null;
* the error of a trial that was judged has no place.
"""

from __future__ import annotations

import msgspec

from converter.blanks import Blank
from converter.facts import Case, Run, Trial, Verdict
from converter.form import Context, Format, Layout, NoTally, Seat
from converter.rows import Record, Row, Table
from converter.slots import KEY

RUN = Table(
    (
        Row("tool", ""),
        Row("run", "run.id"),
        Row("model", "run.target"),
        Row("cases", ""),
    ),
    "run",
)
CASE = Table(
    (
        Row("id", "case.id"),
        Row("input", "case.input"),
        Row("output", "trial.output"),
        Row("passed", "", blank=None),
        Row("score", "trial.score"),
        Row("reason", "trial.reason"),
        Row("error", "trial.error"),
    ),
    "case",
    "trial",
)
PASSED: dict[Verdict | None, bool] = {"passed": True, "failed": False}
VERDICTS: dict[bool | None, Verdict] = {True: "passed", False: "failed", None: "review"}

make_case = CASE.maker("case", Case)
make_trial = CASE.maker("trial", Trial, "verdict")


def read_run(envelope: Record) -> Run:
    """What does the file say of its run?"""
    return Run(**RUN.read(envelope, "run"))


def write_run(context: Context, tally: NoTally | None) -> Record:
    """How is the run said?"""
    del tally
    return RUN.write(context.run, given={"tool": "my-tool", "cases": []})


def read_case(record: Record) -> Case:
    """What does a record say of what was asked?"""
    case: Case = make_case(record)
    return case


def read(record: Record, parent: Record | None) -> tuple[Case, Trial]:
    """What does a record say?"""
    del parent
    verdict = VERDICTS[record["passed"]] if record.get("error") is None else "error"
    return read_case(record), make_trial(record, verdict)


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    del seat, context
    given: Record = {"passed": PASSED.get(trial.verdict), "input": case.description}
    if trial.verdict == "error":
        given["error"] = trial.reason or "error"
    elif trial.error is not None:
        trial = msgspec.structs.replace(trial, error=None)  # here, an error is a verdict
    return CASE.write(case, trial, given=given)


FORMAT = Format(
    id="my-tool",
    version="1",
    layout=Layout(("cases",)),
    run_slot=(KEY,),
    record_slot=(KEY,),
    rows=(*RUN.rows, *CASE.rows),
    tables=(("", RUN), ("cases/*", CASE)),
    carried={},
    record_blanks=(Blank("id", ""),),
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    read_case=read_case,
    tally=NoTally,
)
