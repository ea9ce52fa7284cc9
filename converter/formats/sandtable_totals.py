"""What a sandtable suite counts from its tasks, by sandtable's own formulas.

Percentiles are by nearest rank; the reference page does not say which method sandtable uses.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from converter.aggregates import Sum, nearest_rank, pass_hat, passes, plus
from converter.facts import Case, Check, Trial
from converter.formats.sandtable_words import latencies_of, note_of, said_id, said_kind
from converter.rows import Record

USAGE_KEYS = {
    "calls": "calls",
    "input": "input",
    "output": "output",
    "cacheRead": "cache_read",
    "cacheWrite": "cache_write",
}


class SuiteTally:
    """Counts what `passHat`, `failureModes`, `byTag`, `soft`, `usage` and `latency` need."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[int, int]] = Counter()
        self._tags: defaultdict[str, Counter[tuple[int, int]]] = defaultdict(Counter)
        self._modes: dict[str, Record] = {}
        self._soft: dict[str, Record] = {}
        self._latencies: list[float] = []
        self._usage: dict[str, dict[str, dict[str, int]]] = {"agent": {}, "user": {}}
        self._stops = Sum()
        self._cost = Sum()
        self._cost.add(0.0)
        self._priced = True

    def add(self, case: Case, trials: Sequence[Trial]) -> None:
        """Count one task in."""
        outcome = (len(trials), passes(trials))
        self._counts[outcome] += 1
        for tag in case.tags or ("untagged",):
            self._tags[tag][outcome] += 1
        for trial in trials:
            self._add_checks(case, trial)
            self._add_usage(trial)
            self._latencies += latencies_of(case, trial)

    def _add_checks(self, case: Case, trial: Trial) -> None:
        task = case.id or ""
        seen = set()
        note = note_of(trial)
        for check in (*(trial.checks or ()), *((note,) if note else ())):
            if not check.hard:
                self._add_soft(task, check)
            elif not check.passed and said_id(check) not in seen:
                seen.add(said_id(check))
                self._add_mode(task, check)

    def _add_mode(self, task: str, check: Check) -> None:
        id_ = said_id(check)
        new = {"id": id_, "kind": said_kind(check), "count": 0, "tasks": {}}
        mode = self._modes.setdefault(id_, {**new, "example": check.reason})
        mode["count"] += 1
        mode["tasks"][task] = None

    def _add_soft(self, task: str, check: Check) -> None:
        score = self._soft.setdefault(
            check.id or "", {"id": check.id or "", "applied": 0, "broken": 0, "tasks": {}}
        )
        score["applied"] += 1
        if not check.passed:
            score["broken"] += 1
            score["tasks"][task] = None
            if "example" not in score and (detail := _detail(check)) is not None:
                score["example"] = detail

    def _add_usage(self, trial: Trial) -> None:
        if trial.token_stops:
            self._stops.add(trial.token_stops)
        if trial.cost_usd is None:
            self._priced = False
        elif self._priced:
            self._cost.add(trial.cost_usd)
        for model in trial.usage or ():
            sums = self._usage[model.role].setdefault(
                model.model or trial.provider or "unknown", dict.fromkeys(USAGE_KEYS, 0)
            )
            for key, name in USAGE_KEYS.items():
                sums[key] = plus(sums[key], getattr(model, name) or 0)

    def join(self, later: SuiteTally) -> None:
        """Count in what was counted of the tasks that follow."""
        self._counts.update(later._counts)
        for tag, counts in later._tags.items():
            self._tags[tag].update(counts)
        _join_lists(self._modes, later._modes, ("count",))
        _join_lists(self._soft, later._soft, ("applied", "broken"))
        self._latencies += later._latencies
        for role, models in later._usage.items():
            for model, counted in models.items():
                sums = self._usage[role].setdefault(model, dict.fromkeys(USAGE_KEYS, 0))
                for key, number in counted.items():
                    sums[key] = plus(sums[key], number)
        self._stops.join(later._stops)
        self._cost.join(later._cost)
        self._priced = self._priced and later._priced

    def totals(self, k: int) -> Record:
        """What does the suite say of all its tasks, with k trials a task?"""
        return {
            "passHat": self._pass_hat(k),
            "failureModes": self._failure_modes(),
            "byTag": self._by_tag(k),
            "soft": [self._soft_score(score) for score in self._soft.values()],
            "usage": self._usage_sum(),
            "latency": {
                "agentTurnP50Ms": nearest_rank(self._latencies, 0.50),
                "agentTurnP95Ms": nearest_rank(self._latencies, 0.95),
            },
        }

    def _pass_hat(self, k: int) -> Record:
        powers = {str(j): pass_hat(self._counts, j) for j in range(1, min(k, MAX_K) + 1)}
        return {j: share for j, share in powers.items() if share is not None}

    def _failure_modes(self) -> list[Record]:
        modes = sorted(self._modes.values(), key=lambda mode: -mode["count"])
        listed = [{**mode, "tasks": list(mode["tasks"])} for mode in modes]
        return [{key: value for key, value in mode.items() if value is not None} for mode in listed]

    def _by_tag(self, k: int) -> list[Record]:
        scores = [
            {
                "tag": tag,
                "tasks": counts.total(),
                "passHat1": pass_hat(counts, 1) or 0,
                "passHatK": pass_hat(counts, k) or 0,
            }
            for tag, counts in self._tags.items()
        ]
        return sorted(scores, key=lambda score: (score["passHatK"], score["passHat1"]))

    @staticmethod
    def _soft_score(score: Record) -> Record:
        written = {"id": score["id"], "applied": score["applied"], "broken": score["broken"]}
        written["rate"] = score["broken"] / score["applied"]
        written["tasks"] = list(score["tasks"])
        if "example" in score:
            written["example"] = score["example"]
        return written

    def _usage_sum(self) -> Record:
        usage: Record = {**self._usage}
        if stops := self._stops.value:
            usage["maxTokensStops"] = stops
        return {**usage, "costUsd": self._cost.value if self._priced else None}


def _join_lists(mine: dict[str, Record], later: dict[str, Record], counts: Sequence[str]) -> None:
    """Add counts and tasks of entries by id; the first example stays."""
    for id_, entry in later.items():
        known = mine.get(id_)
        if known is None:
            mine[id_] = entry
            continue
        for count in counts:
            known[count] += entry[count]
        known["tasks"] |= entry["tasks"]
        if "example" in entry:
            known.setdefault("example", entry["example"])


MAX_K = 1000
"""powers of pass^j that are listed at most: a damaged file may claim any k"""


def _detail(check: Check) -> Any:
    parts = check.parts
    if not isinstance(parts, list) or not parts or not isinstance(parts[0], dict):
        return None
    return parts[0].get("detail")
