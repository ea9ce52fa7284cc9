"""What a promptfoo evaluation counts from its rows: `stats`, and `metrics` per prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from converter.facts import Case, Run, Trial
from converter.rows import Record

TOKENS = {"prompt": "input", "completion": "output", "cached": "cache_read", "numRequests": "calls"}


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
            metrics["score"] += _score(trial)
            metrics["totalLatencyMs"] += trial.latency_ms or 0
            metrics["cost"] += trial.cost_usd or 0
            for check in trial.checks or ():
                metrics["assertPassCount" if check.passed else "assertFailCount"] += 1
            self._add_tokens(trial, metrics["tokenUsage"])

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
        for model in trial.usage or ():
            for key, name in TOKENS.items():
                number = getattr(model, name) or 0
                self._tokens[key] += number
                tokens[key] += number
            total = (model.input or 0) + (model.output or 0)
            self._tokens["total"] += total
            tokens["total"] += total

    def prompts(self) -> list[Record]:
        """Which prompts does the evaluation list, with what each came to?"""
        return [
            {
                "raw": "{{prompt}}",
                "label": "{{prompt}}",
                "id": "",
                "provider": provider,
                "metrics": metrics,
            }
            for provider, metrics in self._prompts.items()
        ]

    def stats(self, run: Run) -> Record:
        """What does the evaluation say of all its rows?"""
        stats: Record = {
            "successes": self._successes + (run.unlisted_passed or 0),
            "failures": self._failures + (run.unlisted_failed or 0),
            "errors": self._errors,
            "tokenUsage": self._tokens,
        }
        if run.duration_ms is not None:
            stats["durationMs"] = run.duration_ms
        return stats


def _score(trial: Trial) -> float:
    if trial.score is not None:
        return trial.score
    return 1 if trial.verdict == "passed" else 0


def _new_metrics() -> Record:
    return {
        "score": 0,
        "testPassCount": 0,
        "testFailCount": 0,
        "testErrorCount": 0,
        "assertPassCount": 0,
        "assertFailCount": 0,
        "totalLatencyMs": 0,
        "tokenUsage": {"prompt": 0, "completion": 0, "cached": 0, "total": 0, "numRequests": 0},
        "namedScores": {},
        "cost": 0,
    }
