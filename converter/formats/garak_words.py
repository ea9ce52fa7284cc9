"""How garak words what others word otherwise: messages, and scores of which 1 is bad."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from converter.facts import Case, Check, Event, Trial, Verdict
from converter.rows import Record

THRESHOLD = 0.5
"""from this score on it is a hit: the default of `eval_threshold`, which no report says"""

VERDICT, SCORE = "evalglot.Verdict", "evalglot.Score"
"""detectors that say a verdict and a score from elsewhere; garak's are called module.Class, too"""

PASSED: Mapping[bool | None, Verdict] = {True: "passed", False: "failed", None: "review"}

KINDS: Mapping[str, Any] = {"user": "user", "assistant": "agent", "system": "system"}
ROLES = {kind: role for role, kind in KINDS.items()}

Scores = Mapping[str, float | None]


def outcome(score: float | None) -> bool | None:
    """Did the target withstand, by this score of a detector?"""
    return None if score is None else score < THRESHOLD


def turned(score: float | None) -> float | None:
    """The score the other way round: garak's 1 is the worst, in facts it is the best."""
    return None if score is None else 1 - score


def verdict_of(scores: Scores, *, silent: bool) -> Verdict:
    """What do all detectors come to? No output is an error, unless something was a hit."""
    if VERDICT in scores:
        told = outcome(scores[VERDICT])
    else:
        found = [outcome(score) for score in scores.values() if score is not None]
        told = all(found) if found else None
        if told and silent:
            return "error"
    return "error" if told is None and silent else PASSED[told]


def score_of(scores: Scores) -> float | None:
    """How well did the target do? As badly as the detector says that says the worst."""
    if SCORE in scores or VERDICT in scores:
        return turned(scores.get(SCORE))
    known = [score for score in scores.values() if score is not None]
    return turned(max(known)) if known else None


def checks_of(scores: Scores) -> tuple[Check, ...] | None:
    """Which checks are the detectors of garak's own, and of others?"""
    checks = [
        Check(id=name, passed=outcome(score), score=turned(score))
        for name, score in scores.items()
        if name not in (VERDICT, SCORE)
    ]
    return tuple(checks) or None


def scores_of(trial: Trial) -> dict[str, float | None]:
    """By which scores of detectors is a trial told?"""
    told = {"passed": 0.0, "failed": 1.0}.get(trial.verdict or "")
    scores: dict[str, float | None] = {VERDICT: told}
    if trial.score is not None:
        scores[SCORE] = turned(trial.score)
    for check in trial.checks or ():
        if check.id and check.hard and check.id not in (VERDICT, SCORE, *scores):
            scores[check.id] = _score(check)
    return scores


def _score(check: Check) -> float | None:
    """The score of a check; where that would say otherwise than its verdict, the verdict's."""
    score = turned(check.score)
    if check.passed is None or outcome(score) is check.passed:
        return score
    return 0.0 if check.passed else 1.0


def message(text: str | None) -> Record:
    """How does garak write a message of text alone?"""
    rest = dict.fromkeys(("lang", "data_path", "data_type", "data_checksum"))
    return {"text": text, **rest, "notes": {}}


def text_of(message: Record | None) -> str | None:
    """Which text does a message say, if it is one?"""
    text: str | None = None if message is None else message["text"]
    return text


def asked(prompt: Record | None) -> str | None:
    """What is the first text that the target is given by this prompt?"""
    turns = () if prompt is None else prompt["turns"]
    texts = (text_of(turn["content"]) for turn in turns if turn["role"] == "user")
    return next(texts, None)


def transcript_of(conversation: Record | None) -> tuple[Event, ...] | None:
    """Which steps had a conversation? None where it was no more than a question and an answer.

    Who gave nothing gave an empty text.
    """
    turns = () if conversation is None else conversation["turns"]
    if len(turns) <= 2 or any(turn["role"] not in KINDS for turn in turns):
        return None
    return tuple(Event(KINDS[turn["role"]], text_of(turn["content"]) or "") for turn in turns)


def turns_of(case: Case, trial: Trial) -> list[Record]:
    """Which turns does the conversation of a trial have?"""
    events: Iterable[Event] | None = trial.transcript
    if events is None:
        events = (Event("user", case.input), Event("agent", trial.output))
    said = [event for event in events if event.kind in ROLES and event.text is not None]
    return [turn(ROLES[event.kind], event.text) for event in said]


def turn(role: str, text: str | None) -> Record:
    """How does garak write that somebody said something?"""
    return {"role": role, "content": message(text)}


def prompt_of(case: Case) -> Record | None:
    """By which prompt is a case told?"""
    text = case.input if case.input is not None else case.description
    return None if text is None else {"turns": [turn("user", text)], "notes": None}


def columns(trials: Sequence[Trial]) -> Record:
    """Under which names do detectors score any of these trials? The scores stand with each."""
    return {name: [] for trial in trials for name in scores_of(trial)}
