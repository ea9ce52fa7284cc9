"""How deepeval words what others word otherwise: outcomes, names, times, tools and turns."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from converter.codecs import Codec
from converter.facts import Case, Check, Event, ModelUsage, Trial, Verdict
from converter.loose import FIELDS
from converter.rows import Record, Row, Table

VERDICT = "evalglot.Verdict"
"""the metric that says what no other does of a trial from elsewhere; it is no check"""

SUCCESS: Mapping[Verdict | None, bool | None] = {"passed": True, "failed": False, "error": False}
"""what a case says of its success; nothing where it is undecided"""

ROLES: Mapping[str, str] = {"user": "user", "agent": "assistant"}
KINDS: Mapping[str, Any] = {role: kind for kind, role in ROLES.items()}

MADE = re.compile(r"(conversational_)?test_case_(\d+|None)")
"""names that deepeval makes of a case's position, where it was given none"""

METRIC = Table(
    (
        Row("name", "check.id"),
        Row("threshold", "check.threshold"),
        Row("success", ""),
        Row("score", "check.score"),
        Row("reason", ""),
        Row("strictMode", ""),
        Row("flaky", ""),
        Row("error", ""),
        Row("verboseLogs", ""),
    ),
    "check",
)
TOOL = Table(
    (
        Row("name", "event.name"),
        Row("type", ""),
        Row("output", "event.result"),
        Row("inputParameters", "event.arguments", FIELDS),
    ),
    "event",
)
TURN = Table(
    (
        Row("role", ""),
        Row("content", "event.text"),
        Row("order", ""),
        Row("toolsCalled", ""),
    ),
    "event",
)

make_check = METRIC.maker("check", Check, "passed", "hard", "reason")
make_call = TOOL.maker("event", Event, "kind")


def _named(name: str) -> str | None:
    return None if MADE.fullmatch(name) else name


def _milliseconds(seconds: float) -> float | None:
    if isinstance(seconds, int):
        return seconds * 1000
    return seconds * 1000 if math.isfinite(seconds * 1000) else None


def _seconds(milliseconds: float) -> float | None:
    if isinstance(milliseconds, int) and milliseconds % 1000 == 0:
        return milliseconds // 1000  # of any size: a double may not hold it
    try:
        return milliseconds / 1000
    except OverflowError:
        return None


NAME = Codec("name", "folds", read=_named)
"""A name; one that was made of a position says nothing."""

SECONDS = Codec("seconds", "folds", read=_milliseconds, write=_seconds)
"""Seconds; facts are in milliseconds."""


def title(case: Case) -> str | None:
    """Which name has a case? Its id's, if it has no other."""
    return case.name or case.id or None


def own(metrics: Iterable[Record]) -> list[Record]:
    """Which metrics are checks?"""
    return [metric for metric in metrics if metric["name"] != VERDICT]


def check_of(metric: Record) -> Check:
    """What does a metric say? One that broke down is undecided, and its error is the reason.

    One without success, such as one without a threshold, never decides on its case.
    """
    error, success = metric.get("error"), metric.get("success")
    hard = success is not None and metric.get("flaky") is not True
    reason = metric.get("reason", error)
    check: Check = make_check(metric, success if error is None else None, hard, reason)
    return check


def verdict_of(success: bool | None, metrics: Sequence[Record]) -> Verdict:
    """Which verdict has a case? An error where nothing failed that did not break down.

    A stand-in says so itself.
    """
    if success is True:
        return "passed"
    said = next((metric for metric in metrics if metric["name"] == VERDICT), None)
    if said is not None:
        if said.get("error") is not None:
            return "error"
        return "failed" if said.get("success") is False else "review"
    counting = [metric for metric in metrics if metric.get("flaky") is not True]
    broken = [metric.get("error") is not None for metric in counting]
    failing = [metric.get("success") is False for metric in counting]
    if any(fails and not breaks for fails, breaks in zip(failing, broken, strict=True)):
        return "failed"
    if any(broken):
        return "error"
    return "review" if success is None else "failed"


def told(
    verdict: Verdict, metrics: Sequence[Record]
) -> tuple[float | None, str | None, str | None]:
    """Which score, reason and error has a trial? deepeval says them of metrics only.

    They are those of the one metric there is; of several, the reason is that of the first that
    failed. What went wrong in a trial that is no error is in the logs of its stand-in.
    """
    said = next((one for one in metrics if one["name"] == VERDICT), None)
    if said is not None:
        error = said.get("error" if verdict == "error" else "verboseLogs")
        return said.get("score"), said.get("reason"), error or None
    broken = (one["error"] for one in metrics if one.get("error") is not None)
    error = next(broken, None) or None if verdict == "error" else None
    if len(metrics) == 1:
        return metrics[0].get("score"), metrics[0].get("reason"), error
    reason = None
    if verdict == "failed":
        failed = (one for one in metrics if one.get("success") is False and not one.get("flaky"))
        reason = next((one["reason"] for one in failed if "reason" in one), None)
    return None, reason, error


def metrics_of(trial: Trial) -> list[Record]:
    """By which metrics is a trial told?"""
    verdict = trial.verdict or "review"
    metrics = [_metric(check, broken=verdict == "error") for check in trial.checks or ()]
    wanted = trial.score, trial.reason, trial.error
    success = SUCCESS.get(verdict)
    says = success is not None and verdict_of(success, metrics) == verdict
    if says and told(verdict, metrics) == wanted:
        return metrics
    given = {
        "name": VERDICT,
        "success": success,
        "score": trial.score,
        "reason": trial.reason,
        "strictMode": False,
        "flaky": False,
        "error": (trial.error or "") if verdict == "error" else None,
        "verboseLogs": None if verdict == "error" else trial.error,
    }
    stand_in = METRIC.write(Check(), given=given)
    return [*metrics, stand_in]


def _metric(check: Check, *, broken: bool) -> Record:
    breaks = broken and check.hard and check.passed is None and check.reason is not None
    given: Record = {
        "name": check.kind or "check",
        "success": False if breaks else check.passed,
        "reason": None if breaks else check.reason,
        "strictMode": False,
        "flaky": not check.hard and check.passed is not None,
        "error": check.reason if breaks else None,
    }
    return METRIC.write(check, given=given)


def usage_of(record: Record) -> tuple[ModelUsage, ...] | None:
    """How many tokens did the answer take?"""
    given, made = record.get("inputTokenCount"), record.get("outputTokenCount")
    return None if given is None and made is None else (ModelUsage(input=given, output=made),)


def tokens(trial: Trial) -> Record:
    """How are the tokens said that the target took?"""
    usage = [one for one in trial.usage or () if one.role == "agent"]
    if len(usage) != 1:
        return {}
    return {"inputTokenCount": usage[0].input, "outputTokenCount": usage[0].output}


def events_of(tools: Iterable[Record]) -> Iterator[Event]:
    """Which events are these calls of tools?"""
    return (make_call(tool, "tool") for tool in tools)


def exchange_of(record: Record) -> tuple[Event, ...] | None:
    """Which steps had a case of one exchange? None where no tool was called."""
    tools = record.get("toolsCalled")
    if not tools:
        return None
    events = [Event("user", record.get("input")), *events_of(tools)]
    if (output := record.get("actualOutput")) is not None:
        events.append(Event("agent", output))
    return tuple(events)


def talk_of(turns: Iterable[Record]) -> tuple[Event, ...]:
    """Which steps had a talk? What a turn's tools gave was known before it was said."""
    events: list[Event] = []
    for turn in turns:
        events += events_of(turn.get("toolsCalled") or ())
        events.append(Event(KINDS[turn["role"]], turn["content"]))
    return tuple(events)


def is_talk(trial: Trial) -> bool:
    """Has a trial more than one exchange?"""
    kinds = [event.kind for event in trial.transcript or ()]
    return kinds.count("user") > 1 or kinds.count("agent") > 1


def tools_of(events: Iterable[Event]) -> list[Record]:
    """Which calls of tools are there?"""
    return [_tool(event) for event in events if event.kind == "tool"]


def _tool(event: Event) -> Record:
    return TOOL.write(event, given={"name": "tool", "type": "FUNCTION"})


def turns_of(case: Case, trial: Trial) -> list[Record]:
    """Which turns does the talk of a trial have?"""
    events: Iterable[Event] | None = trial.transcript
    if events is None:
        events = (Event("user", case.input), Event("agent", trial.output))
    turns: list[Record] = []
    tools: list[Record] = []
    for event in events:
        if event.kind == "tool":
            tools.append(_tool(event))
        elif event.kind in ROLES and event.text is not None:
            turns.append(_turn(len(turns), event, tools))
            tools = []
    if tools:
        turns.append(_turn(len(turns), Event("agent", ""), tools))
    return turns


def _turn(order: int, event: Event, tools: Sequence[Record]) -> Record:
    given = {"role": ROLES[event.kind], "order": order, "toolsCalled": tools or None}
    return TURN.write(event, given=given)
