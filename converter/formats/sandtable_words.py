"""How sandtable words what other formats word otherwise: checks and events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from converter.facts import Case, Check, Event, Trial, Verdict

UNDECIDED: Mapping[str, Verdict] = {"reply:undecided": "review", "reply:skipped": "skipped"}
NOTED: Mapping[Verdict | None, str] = {verdict: id_ for id_, verdict in UNDECIDED.items()}
VERDICT = "reply:verdict"
"""checks of these ids say what sandtable has no other place for: a verdict, a reason"""

KINDS = frozenset(("invariant", "state", "called", "not_called", "reply", "runtime"))


def said_id(check: Check) -> str:
    """Under which id does sandtable list this check?"""
    return check.id or check.kind or "reply"


def said_kind(check: Check) -> str:
    """Of which kind is this check in sandtable? `reply` where it has no such kind."""
    kind = (check.kind or "").removeprefix("sandtable:")
    return kind if kind in KINDS else "reply"


def note_of(trial: Trial) -> Check | None:
    """Which check says what sandtable has no place for: that it is undecided, or why it is not?"""
    verdict = NOTED.get(trial.verdict)
    if verdict is None and (trial.reason is None or _is_plain(trial)):
        return None
    passed = trial.verdict == "passed"
    return Check(id=verdict or VERDICT, kind="sandtable:reply", passed=passed, reason=trial.reason)


def _is_plain(trial: Trial) -> bool:
    """Does what is listed say why it came out so?"""
    return trial.verdict == "error" or any(check.hard for check in trial.checks or ())


def events_of(case: Case, trial: Trial) -> Sequence[Event]:
    """Which events does sandtable list for this trial?

    Other formats' latency is that of the only agent event.
    """
    if trial.transcript is None:
        said = (
            Event("user", case.input) if case.input is not None else None,
            Event("agent", trial.output) if trial.output is not None else None,
        )
        events = [event for event in said if event is not None]
    else:
        events = [event for event in trial.transcript if event.kind != "system"]
    spoken = [event for event in events if event.kind == "agent"]
    if trial.latency_ms is None or len(spoken) != 1 or spoken[0].latency_ms is not None:
        return events
    return [_timed(event, trial.latency_ms) if event is spoken[0] else event for event in events]


def latencies_of(case: Case, trial: Trial) -> list[float]:
    """How long did the agent take, event by event as sandtable lists them?"""
    if trial.transcript is None:
        latency = None if trial.output is None else trial.latency_ms
        return [] if latency is None else [latency]
    return [
        event.latency_ms
        for event in events_of(case, trial)
        if event.kind == "agent" and event.latency_ms is not None
    ]


def _timed(event: Event, latency_ms: float) -> Event:
    return Event(event.kind, event.text, latency_ms)
