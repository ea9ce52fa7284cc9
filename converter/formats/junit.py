"""JUnit XML, version 1, as the document that `registry.junitxml` makes of it.

How awkward things are said here:

* a test is a trial, and tests of one class name and name are trials of one case; so are reruns, as
  Maven Surefire lists them;
* what a test has no attribute for is a property of it (pytest's dialect), all as text: numbers,
  flags, tags and variables are JSON there, and a property that is none says nothing;
* an error: `error`; undecided: `skipped` of type "review"; not judged: `skipped` of type "unknown";
* `message` is the error of a test that has one for a verdict, else the reason; the other of the
  two is a property; where there is no message, the text within is read;
* `name` is the description; where there is none, it is made from id or input;
* `classname` is the group; suites have names of their own, which are carried;
* what tests printed is carried: it need not be what their target said;
* characters that XML can't say, such as escapes of terminals, are U+FFFD, and are carried;
* what is written is one `testsuite`; a file of one suite is read as if that were its root.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from converter.aggregates import Sum, plus
from converter.facts import Case, Run, Trial, Verdict
from converter.form import Context, Format, Layout, Seat
from converter.formats.ctrf_words import title
from converter.formats.junit_carried import CARRIED
from converter.formats.junit_words import (
    COUNT,
    FIELDS,
    FLAG,
    NUMBER,
    SAID,
    SECONDS,
    TAGS,
    TYPES,
    VERDICTS,
    WORDS,
    seconds,
)
from converter.loose import STATUS
from converter.rows import Record, Row, Table
from converter.slots import KEY
from registry.xml import speakable

RUN = Table(
    (
        Row("testcases", ""),
        Row("root/tag", ""),
        Row("root/attributes/name", "run.suite", SAID),
        Row("root/attributes/tests", ""),
        Row("root/attributes/failures", ""),
        Row("root/attributes/errors", ""),
        Row("root/attributes/skipped", ""),
        Row("root/attributes/time", "run.duration_ms", SECONDS),
        Row("root/attributes/timestamp", "run.started", SAID),
        Row("root/properties/run_id", "run.id", SAID),
        Row("root/properties/target", "run.target", SAID),
        Row("root/properties/user", "run.user", SAID),
        Row("root/properties/judge", "run.judge", SAID),
        Row("root/properties/status", "run.status", STATUS),
        Row("root/properties/completed", "run.completed", SAID),
        Row("root/properties/k", "run.k", COUNT),
        Row("root/properties/threshold", "run.threshold", NUMBER),
        Row("root/properties/inputs", "run.inputs_digest", SAID),
    ),
    "run",
)
TEST = Table(
    (
        Row("attributes/classname", "case.group", SAID),
        Row("attributes/name", "case.description", SAID),
        Row("attributes/time", "trial.duration_ms", SECONDS),
        Row("properties/id", "case.id", SAID),
        Row("properties/dataset", "case.dataset", SAID),
        Row("properties/case_name", "case.name", SAID),
        Row("properties/tags", "case.tags", WORDS),
        Row("properties/risk", "case.risk", SAID),
        Row("properties/severity", "case.severity", SAID),
        Row("properties/critical", "case.critical", FLAG),
        Row("properties/input", "case.input", SAID),
        Row("properties/variables", "case.variables", FIELDS),
        Row("properties/expected", "case.expected", SAID),
        Row("properties/forbidden", "case.forbidden", SAID),
        Row("properties/strategy", "case.strategy", SAID),
        Row("properties/scenario", "case.scenario_name", SAID),
        Row("properties/trial", "trial.index", COUNT),
        Row("properties/execution", "trial.id", SAID),
        Row("properties/provider", "trial.provider", SAID),
        Row("properties/output", "trial.output", SAID),
        Row("properties/score", "trial.score", NUMBER),
        Row("properties/reason", ""),
        Row("properties/error", ""),
        Row("properties/latency_ms", "trial.latency_ms", NUMBER),
        Row("properties/turns", "trial.turns", COUNT),
        Row("properties/cost_usd", "trial.cost_usd", NUMBER),
        Row("properties/session_id", "trial.session_id", SAID),
        Row("content", ""),
    ),
    "case",
    "trial",
)
COUNTED: dict[str, str] = {"failure": "failures", "error": "errors", "skipped": "skipped"}

make_case = TEST.maker("case", Case)
make_trial = TEST.maker("trial", Trial, "verdict", "reason", "error")


class TestTally:
    """Counts tests by the element that says how they ended, and the time they took."""

    __test__ = False

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.milliseconds = Sum()

    def add(self, case: Case, trials: Sequence[Trial]) -> None:
        """Count in the trials of one case: each is a test here."""
        del case
        for trial in trials:
            self.counts["tests"] += 1
            if trial.verdict != "passed":
                self.counts[COUNTED[TAGS[trial.verdict]]] += 1
            if trial.duration_ms is not None:
                self.milliseconds.add(trial.duration_ms)

    def join(self, later: TestTally) -> None:
        """Count in what was counted of the cases that follow."""
        self.counts.update(later.counts)
        self.milliseconds.join(later.milliseconds)

    def totals(self, run: Run) -> Record:
        """What does the suite say of all its tests, unlisted ones among them?"""
        failed = run.unlisted_failed or 0
        more = {"tests": plus(run.unlisted_passed or 0, failed), "failures": failed}
        return {
            **{
                f"root/attributes/{name}": str(plus(self.counts[name], more.get(name, 0)))
                for name in ("tests", *COUNTED.values())
            },
            "root/attributes/time": seconds(self.milliseconds.value),
        }


def read_run(envelope: Record) -> Run:
    """What does the root say, and the one suite in it, leaving out all that is counted?"""
    suites, root = envelope.get("suites") or (), envelope["root"]
    if len(suites) == 1 and root["tag"] == "testsuites":
        both = (*suites, root)
        root = {
            part: {key: value for one in both for key, value in one.get(part, {}).items()}
            for part in ("attributes", "properties")
        }
    return Run(**RUN.read({"root": root}, "run"))


def write_run(context: Context, tally: TestTally | None) -> Record:
    """How is the run said, with totals counted by `tally`?"""
    survey = context.survey
    given: Record = {"testcases": [], "root/tag": "testsuite", "root/attributes/name": "evalglot"}
    if len(survey.targets) == 1:
        given["root/properties/target"] = speakable(survey.targets[0])
    return RUN.write(
        context.run, given=given if tally is None else given | tally.totals(context.run)
    )


def read_case(record: Record) -> Case:
    """What does a test say of its case?"""
    case: Case = make_case(record)
    return case


def read(record: Record, parent: Record | None) -> tuple[Case, Trial]:
    """What does a test say?"""
    del parent
    element = _ending(record.get("content", ()))
    verdict = _verdict(element)
    properties = record.get("properties", {})
    reason, error = properties.get("reason"), properties.get("error")
    if verdict == "error":
        error = _message(element)
    elif verdict != "passed":
        reason = _message(element)
    return read_case(record), make_trial(record, verdict, reason or None, error or None)


def _ending(content: Iterable[Any]) -> Record | None:
    """Which element tells how a test ended? None where it passed."""
    found = [one for one in content if isinstance(one, dict) and one["tag"] in VERDICTS]
    order = list(VERDICTS)
    return min(found, key=lambda one: order.index(one["tag"]), default=None)


def _verdict(element: Record | None) -> Verdict | None:
    if element is None:
        return "passed"
    kind = element.get("attributes", {}).get("type") if element["tag"] == "skipped" else None
    undecided: dict[Any, Verdict | None] = {kind: verdict for verdict, kind in TYPES.items()}
    return undecided.get(kind, VERDICTS[element["tag"]])


def _message(element: Record | None) -> str | None:
    if element is None:
        return None
    message: str | None = element.get("attributes", {}).get("message")
    if message is not None:
        return message
    return "".join(one for one in element.get("content", ()) if isinstance(one, str)) or None


def write(case: Case, trial: Trial, seat: Seat | None, context: Context) -> Record:
    """How is a trial of this case said?"""
    del seat, context
    verdict = trial.verdict
    told, other = (trial.error, "reason") if verdict == "error" else (trial.reason, "error")
    given: Record = {
        "attributes/name": speakable(title(case)),
        "attributes/time": None if trial.latency_ms is None else seconds(trial.latency_ms),
    }
    if verdict == "passed":
        given["properties/reason"] = trial.reason and speakable(trial.reason)
        given["properties/error"] = trial.error and speakable(trial.error)
    else:
        beside = trial.reason if other == "reason" else trial.error
        given[f"properties/{other}"] = beside and speakable(beside)
        given["content"] = [_element(verdict, told)]
    return TEST.write(case, trial, given=given)


def _element(verdict: Verdict | None, message: str | None) -> Record:
    """Which element tells that a test ended so?"""
    attributes: dict[str, str] = {}
    if verdict in TYPES:
        attributes["type"] = TYPES[verdict]
    if message is not None:
        attributes["message"] = speakable(message)
    tag = {"tag": TAGS[verdict]}
    return {**tag, "attributes": attributes} if attributes else tag


JUNIT = Format(
    id="junit",
    version="1",
    layout=Layout(("testcases",)),
    run_slot=(KEY,),
    record_slot=(KEY,),
    rows=(*RUN.rows, *TEST.rows),
    tables=(("", RUN), ("testcases/*", TEST)),
    carried=CARRIED,
    read_run=read_run,
    write_run=write_run,
    read=read,
    write=write,
    tally=TestTally,
    read_case=read_case,
)
