"""What a promptfoo evaluation counts from its rows: `stats`, and `metrics` per prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from converter.aggregates import Sum, plus, total
from converter.facts import Case, Check, ModelUsage, Run, Trial
from converter.rows import Record

PROMPT = "{{prompt}}"
PROMPT_ID = sha256(PROMPT.encode()).hexdigest()
"""promptfoo names a prompt by the hash of its label"""

TOKENS = {"prompt": "input", "completion": "output", "cached": "cache_read", "numRequests": "calls"}
COUNTS = ("calls", "input", "output", "cache_read", "cache_write")


def _graded(trial: Trial) -> Sequence[Check]:
    """Which checks stand in a trial's row? An errored one says none."""
    return () if trial.verdict == "error" else trial.checks or ()


class EvalTally:
    """Counts rows by outcome, for the run and for each prompt.

    Other formats have no prompt templates: there each target gets the one prompt `{{prompt}}`.
    """

    def __init__(self) -> None:
        self._successes = self._failures = self._errors = 0
        self._tokens = dict.fromkeys(("prompt", "completion", "cached", "total", "numRequests"), 0)
        self._prompts: dict[str, Record] = {}

    def add(self, case: Case, trials: Sequence[Trial]) -> None:
        """Count one case in: each of its trials is a row here."""
        del case
        for trial in trials:
            metrics = self._metrics(trial)
            self._count(trial, metrics)
            metrics["score"].add(_score(trial))
            metrics["totalLatencyMs"].add(trial.latency_ms or 0)
            metrics["cost"].add(trial.cost_usd or 0)
            for check in _graded(trial):
                metrics["assertPassCount" if check.passed else "assertFailCount"] += 1
            for name, score in named_scores(trial).items():
                metrics["namedScores"].setdefault(name, Sum()).add(score)
            self._add_tokens(trial, metrics["tokenUsage"])

    def join(self, later: EvalTally) -> None:
        """Count in what was counted of the rows that follow."""
        self._successes += later._successes
        self._failures += later._failures
        self._errors += later._errors
        _join(self._tokens, later._tokens)
        _join(self._prompts, later._prompts)

    def _metrics(self, trial: Trial) -> Record:
        provider = trial.provider or ""
        if provider not in self._prompts:
            self._prompts[provider] = _new_metrics()
        return self._prompts[provider]

    def _count(self, trial: Trial, metrics: Record) -> None:
        if trial.verdict == "passed":
            self._successes += 1
            metrics["testPassCount"] += 1
        elif trial.verdict == "error":
            self._errors += 1
            metrics["testErrorCount"] += 1
        else:
            self._failures += 1
            metrics["testFailCount"] += 1

    def _add_tokens(self, trial: Trial, tokens: dict[str, Any]) -> None:
        if (usage := target_usage(trial)) is None:
            return
        numbers = {key: getattr(usage, name) or 0 for key, name in TOKENS.items()}
        numbers["total"] = plus(numbers["prompt"], numbers["completion"])
        for key, number in numbers.items():
            self._tokens[key] = plus(self._tokens[key], number)
            tokens[key] = plus(tokens[key], number)

    def prompts(self, run: Run) -> list[Record]:
        """Which prompts does the evaluation list, with what each came to?

        Rows without a provider are of the run's target, or of the first there is: see `write`.
        """
        named: dict[str, Record] = {name: _new_metrics() for name in self._prompts if name}
        home = run.target if run.target in named else next(iter(named), run.target or "")
        for provider, metrics in self._prompts.items():
            _join(named.setdefault(provider or home or "", _new_metrics()), metrics)
        return [
            {
                "raw": PROMPT,
                "label": PROMPT,
                "id": PROMPT_ID,
                "provider": provider,
                "metrics": _valued(metrics),
            }
            for provider, metrics in named.items()
        ]

    def stats(self, run: Run) -> Record:
        """What does the evaluation say of all its rows?"""
        return {
            "successes": self._successes + (run.unlisted_passed or 0),
            "failures": self._failures + (run.unlisted_failed or 0),
            "errors": self._errors,
            "tokenUsage": self._tokens,
        }


def target_usage(trial: Trial) -> ModelUsage | None:
    """How many tokens did the target's models take in this trial, all together?"""
    models = [usage for usage in trial.usage or () if usage.role == "agent"]
    if len(models) < 2:
        return models[0] if models else None
    sums = {name: _sum(getattr(model, name) for model in models) for name in COUNTS}
    return ModelUsage(role="agent", model=None, **sums)


def _sum(numbers: Iterable[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return int(total(known)) if known else None


def named_scores(trial: Trial) -> dict[str, float]:
    """Which score has each metric of this trial? The last one, where several checks share it."""
    named = (check for check in trial.checks or () if check.id is not None and check.hard)
    return {
        str(check.id): check.score if check.score is not None else (1 if check.passed else 0)
        for check in named
    }


def _score(trial: Trial) -> float:
    if trial.score is not None:
        return trial.score
    return 1 if trial.verdict == "passed" else 0


def _new_metrics() -> Record:
    return {
        "score": Sum(),
        "testPassCount": 0,
        "testFailCount": 0,
        "testErrorCount": 0,
        "assertPassCount": 0,
        "assertFailCount": 0,
        "totalLatencyMs": Sum(),
        "tokenUsage": {"prompt": 0, "completion": 0, "cached": 0, "total": 0, "numRequests": 0},
        "namedScores": {},
        "cost": Sum(),
    }


def _join(mine: Record, later: Record) -> None:
    """Add numbers to numbers, by key, however deep they lie."""
    for key, value in later.items():
        if key not in mine:
            mine[key] = value
        elif isinstance(value, dict):
            _join(mine[key], value)
        elif isinstance(value, Sum):
            mine[key].join(value)
        else:
            mine[key] = plus(mine[key], value)


def _valued(metrics: Record) -> Record:
    """The metrics with what each sum comes to."""
    return {
        key: _valued(value)
        if isinstance(value, dict)
        else value.value
        if isinstance(value, Sum)
        else value
        for key, value in metrics.items()
    }
