"""What an Inspect log counts from its samples, by Inspect's own formulas.

Epochs of a sample are first reduced to their mean; then `accuracy` or `mean` is the mean over
samples, and `stderr` the sample deviation by the root of their number, 0 of fewer than two.
Unscored values count nowhere. A sample is what has one id in the log. From inspect_ai 0.3.285:
scorer/_metrics, scorer/_reducer and _eval/task/results.py. `accuracy` is said of scorers that only
tell right from wrong, else `mean`.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Sequence

from converter.aggregates import plus, total
from converter.facts import Case, Check, Run, Trial, fingerprint
from converter.formats.inspect_scores import PREFIX, part_of
from converter.rows import Record

COUNTS = {
    "input_tokens": "input",
    "output_tokens": "output",
    "input_tokens_cache_write": "cache_write",
    "input_tokens_cache_read": "cache_read",
}


class LogTally:
    """Counts samples, their scores by scorer, and tokens by model."""

    def __init__(self) -> None:
        self._epochs = self._errors = 0
        self._ids: dict[str, None] = {}
        self._scorers: dict[tuple[str, str], dict[str, list[float | None]]] = {}
        self._usage: dict[str, dict[str, int]] = {}

    def add(self, case: Case, trials: Sequence[Trial]) -> None:
        """Count one case in: each of its trials is an epoch here."""
        for trial in trials:
            sample = case_id(case, trial)
            self._ids[sample] = None
            self._epochs += 1
            self._errors += trial.verdict == "error"
            for check in trial.checks or ():
                epochs = self._scorers.setdefault(_named(check), {})
                epochs.setdefault(sample, []).append(_number(check))
            self._add_usage(trial)

    def _add_usage(self, trial: Trial) -> None:
        for usage in trial.usage or ():
            counts = {key: getattr(usage, name) or 0 for key, name in COUNTS.items()}
            _add(self._usage, usage.model or trial.provider or "unknown", counts)

    def join(self, later: LogTally) -> None:
        """Count in what was counted of the samples that follow."""
        self._epochs += later._epochs
        self._ids |= later._ids
        self._errors += later._errors
        for name, samples in later._scorers.items():
            mine = self._scorers.setdefault(name, {})
            for sample, epochs in samples.items():
                mine.setdefault(sample, []).extend(epochs)
        for model, counts in later._usage.items():
            _add(self._usage, model, counts)

    @property
    def samples(self) -> int:
        """How many samples are there, each counted once?"""
        return len(self._ids)

    def results(self, run: Run) -> Record:
        """What does the log say of all its samples, unlisted ones among them?"""
        unlisted = plus(run.unlisted_passed or 0, run.unlisted_failed or 0)
        return {
            "total_samples": plus(self._epochs, unlisted),
            "completed_samples": plus(self._epochs - self._errors, unlisted),
            "scores": [_result(name, samples) for name, samples in self._scorers.items()],
        }

    def usage(self) -> Record:
        """How many tokens did each model take?"""
        return {model: totalled(counts) for model, counts in self._usage.items()}


def case_id(case: Case, trial: Trial) -> str:
    """Under which id is a trial of this case listed?"""
    if case.id is not None:
        return case.id
    return trial.id or fingerprint(case.input or case.description or "")


def totalled(counts: dict[str, int]) -> Record:
    """Counts of tokens with their sum, those of the cache left out where there are none."""
    told = {key: number for key, number in counts.items() if number or "cache" not in key}
    return {**told, "total_tokens": total(counts.values())}


def _add(usage: dict[str, dict[str, int]], model: str, counts: dict[str, int]) -> None:
    mine = usage.setdefault(model, dict.fromkeys(COUNTS, 0))
    for key, number in counts.items():
        mine[key] = plus(mine[key], number)


def _named(check: Check) -> tuple[str, str]:
    """Under which name, and as which scorer's, are results of this check listed?"""
    scorer, key = part_of(check)
    if key is None:
        return scorer, scorer
    return key or (check.id or "").removeprefix(scorer).strip("[]"), scorer


def _number(check: Check) -> float | None:
    if check.passed is None and check.score is None:
        return None
    if check.score is None:
        return 1.0 if check.passed else 0.0
    return check.score


def _result(name: tuple[str, str], samples: dict[str, list[float | None]]) -> Record:
    reduced = [mean(scored) for epochs in samples.values() if (scored := _scored(epochs))]
    plain = all(value in (0, 1, None) for epochs in samples.values() for value in epochs)
    metrics = {"accuracy" if plain else "mean": mean(reduced), "stderr": stderr(reduced)}
    return {
        "name": name[0],
        "scorer": name[1].removeprefix(PREFIX),
        "scored_samples": len(reduced),
        "unscored_samples": len(samples) - len(reduced),
        "params": {},
        "metrics": {
            metric: {"name": metric, "value": value, "params": {}}
            for metric, value in metrics.items()
        },
    }


def _scored(epochs: Sequence[float | None]) -> list[float]:
    return [_double(value) for value in epochs if value is not None]


def _double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return sys.float_info.max if number > 0 else -sys.float_info.max


def mean(values: Sequence[float]) -> float:
    """The mean of doubles; 0 of none."""
    if not values:
        return 0.0
    try:
        return math.fsum(values) / len(values)
    except OverflowError:  # on the way; the mean itself is between them
        return statistics.mean(values)


def stderr(values: Sequence[float]) -> float:
    """The standard error of their mean; 0 of fewer than two."""
    if len(values) < 2:
        return 0.0
    try:
        return statistics.stdev(values) / math.sqrt(len(values))
    except OverflowError:
        return sys.float_info.max
