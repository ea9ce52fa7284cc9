"""garak reports, version 0.13, as the document that `registry.garakreport` makes of one.

How awkward things are said here:

* an attempt is a case, `seq` of its probe, and each of its generations is a trial;
* a detector is a check; garak's 1 is a hit, so scores are turned round, and from 0.5 on one fails:
  a report does not say its threshold, and this is the default;
* a trial fails if any detector has a hit, and its score is the worst; without output it is an
  error; it is undecided where no detector could tell;
* a verdict and a score from elsewhere are the detectors `evalglot.Verdict` and `evalglot.Score`,
  which are no checks; undecided, skipped and in error: no score, and in error no output either;
* checks without a name of their own, or of one that another check has, have no place;
* tools that an agent called are no turns of a conversation; reasons have no place;
* an attempt that was never judged is no case.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from converter.codecs import NUMBERED
from converter.facts import Case, Run, Trial
from converter.form import Context, Format, Layout, NoTally, Seat
from converter.formats.garak_carried import CARRIED
from converter.formats.garak_words import (
    asked,
    checks_of,
    columns,
    message,
    prompt_of,
    score_of,
    scores_of,
    text_of,
    transcript_of,
    turns_of,
    verdict_of,
)
from converter.loose import COUNT, WORD
from converter.rows import Record, Row, Table
from converter.slots import KEY

TYPE = "setup/plugins.target_type"

RUN = Table(
    (
        Row("attempts", ""),
        Row("setup/entry_type", ""),
        Row(TYPE, ""),
        Row("setup/plugins.target_name", "run.target", WORD),
        Row("setup/run.generations", "run.k", COUNT),
        Row("init/entry_type", ""),
        Row("init/garak_version", ""),
        Row("init/start_time", "run.started", WORD),
        Row("init/run", "run.id", WORD),
        Row("completion/entry_type", ""),
        Row("completion/end_time", "run.completed", WORD),
    ),
    "run",
)
CASE = Table(
    (
        Row("entry_type", ""),
        Row("seq", "case.id", NUMBERED),
        Row("status", ""),
        Row("probe_classname", "case.group", WORD),
        Row("prompt", ""),
        Row("outputs", ""),
        Row("detector_results", ""),
        Row("goal", "case.description", WORD),
        Row("conversations", ""),
        Row("intent", "case.risk", WORD),
        Row("generations", ""),
    ),
    "case",
)
TRIAL = Table(
    (
        Row("output", ""),
        Row("detector_results", ""),
        Row("conversation/turns", ""),
        Row("conversation/notes", ""),
    ),
    "trial",
)
JUDGED = 2

make_case = CASE.maker("case", Case, "input")


def read_run(envelope: Record) -> Run:
    """What do the entries around the attempts say? A target without a name is told by its type."""
    run = Run(**RUN.read(envelope, "run"))
    kind = envelope.get("setup", {}).get("plugins.target_type")
    return msgspec.structs.replace(run, target=kind or None) if run.target is None else run


def write_run(context: Context, tally: NoTally | None) -> Record:
    """How is the run said?"""
    del tally
    run, survey = context.run, context.survey
    given: Record = {
        "attempts": [],
        "setup/entry_type": "start_run setup",
        "setup/run.generations": survey.k,
        "init/entry_type": "init",
        "init/garak_version": "",
        "init/start_time": "",
        "init/run": "",
        "completion/entry_type": None if run.completed is None else "completion",
    }
    if len(survey.targets) == 1:
        given["setup/plugins.target_name"] = survey.targets[0]
    return RUN.write(run, given=given)


def read_case(attempt: Record) -> Case:
    """What does an attempt say of what was asked?"""
    return make_case(attempt, asked(attempt.get("prompt")))


def write_case(case: Case, trials: Sequence[Trial]) -> Record:
    """How is a case with these trials said, its generations left out?"""
    given = {
        "entry_type": "attempt",
        "status": JUDGED,
        "probe_classname": "",
        "prompt": prompt_of(case),
        "outputs": [],
        "detector_results": columns(trials),
        "conversations": [],
        "generations": [],
    }
    return CASE.write(case, given=given)


def read(record: Record, attempt: Record | None) -> tuple[Case, Trial]:
    """What does a generation of this attempt say?"""
    scores = record.get("detector_results", {})
    trial = Trial(
        verdict=verdict_of(scores, silent=record["output"] is None),
        score=score_of(scores),
        output=text_of(record["output"]),
        transcript=transcript_of(record.get("conversation")),
        checks=checks_of(scores),
    )
    return read_case(attempt or {}), trial


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    del seat, context
    return {
        "output": None if trial.verdict == "error" else message(trial.output),
        "detector_results": scores_of(trial),
        "conversation": {"turns": turns_of(case, trial), "notes": None},
    }


GARAK = Format(
    id="garak",
    version="0.13",
    layout=Layout(("attempts",), nested="generations"),
    run_slot=("init", KEY),
    record_slot=("conversation", KEY),
    rows=(*RUN.rows, *CASE.rows, *TRIAL.rows),
    tables=(("", RUN), ("attempts/*", CASE), ("attempts/*/generations/*", TRIAL)),
    carried=CARRIED,
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    read_case=read_case,
    write_case=write_case,
    tally=NoTally,
)
