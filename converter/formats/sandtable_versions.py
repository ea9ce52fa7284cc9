"""sandtable 1.0, the reference page's version, beside 1.1, which later releases write."""

from __future__ import annotations

from converter.form import Layout
from converter.rows import Record
from converter.slots import KEY
from converter.stepping import Shape, Side, Step

LAYOUT = Layout(("tasks",), nested="trials")

NEW_RUN = frozenset(("sandtable", "regradedWith"))
NEW_TASK = frozenset(("critical",))
NEW_TRIAL = frozenset(("attribution", "callerNotes"))


def _run(envelope: Record, shape: Shape) -> Record:
    del shape
    return {key: value for key, value in envelope.items() if key not in NEW_RUN}


def _task(task: Record, shape: Shape) -> Record:
    del shape
    return {key: value for key, value in task.items() if key not in NEW_TASK}


def _trial(trial: Record, shape: Shape) -> Record:
    del shape
    return {key: value for key, value in trial.items() if key not in NEW_TRIAL}


STEPS = (
    Step(
        format="sandtable",
        run_slot=(KEY,),
        record_slot=(KEY,),
        lower=Side(version="1.0", layout=LAYOUT, run=_run, case=_task, record=_trial),
        upper=Side(version="1.1", layout=LAYOUT),
    ),
)
