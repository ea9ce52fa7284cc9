"""Do the figures of a sandtable suite agree with a recount?

From the reference page of the 0.1 line: a trial passed only if every check did, any hard violation
fails it, `passes` counts the trials that passed, `failureModes` count failed trials, most frequent
first, `byTag` is weakest first, `rate` is broken / applied and null when it never applied, usage is
summed over trials, and `costUsd` is null when any model has no known price. The page gives no
formula for pass^j: it is that of tau-bench, the mean over tasks of C(c, j) / C(n, j), held to where
every task has k trials that were graded. How later releases count errored trials is not known, so
where one is, or where `sandtable` names a release, what disagrees is a warning.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import comb

from registry.findings import Finding
from registry.recounts import (
    Frame,
    Recounter,
    counted,
    is_number,
    share,
    shown,
    told,
    within_digits,
)
from registry.values import JSON, pointer

LATER = "A later release of sandtable wrote it, which may count otherwise"
ERRORED = "Trials ended with an error, and how those are counted is not known"
UNEVEN = "Not every task has k trials, and how those are counted is not known"
UNTAGGED = "untagged"
MOST_POWERS = 1000
"""Up to which j is pass^j recounted? A damaged file may claim any k."""

NEAR = 1e-3
"""By which share may a sum of estimated costs differ? Each trial's is rounded."""

TOKENS = ("calls", "input", "output", "cacheRead", "cacheWrite")
ROLES = ("agent", "user")

Outcomes = Counter[tuple[int, int]]
"""How many tasks had n trials of which c passed, by (n, c)?"""


@dataclass(slots=True)
class _Mode:
    count: int = 0
    tasks: dict[str, None] = field(default_factory=dict)


@dataclass(slots=True)
class _Soft:
    applied: int = 0
    broken: int = 0
    tasks: dict[str, None] = field(default_factory=dict)


def recounter(frame: Frame) -> Recounter:
    """What recounts a suite?"""
    return _Suite(frame)


class _Suite:
    """Recounts a suite."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.later = "sandtable" in frame.envelope
        self.k = frame.envelope["k"]
        self.errored = False
        self.uneven = False
        self.turns = False
        self.ids: dict[str, int] = {}
        self.outcomes: Outcomes = Counter()
        self.tags: defaultdict[str, Outcomes] = defaultdict(Counter)
        self.modes: defaultdict[str, _Mode] = defaultdict(_Mode)
        self.soft: defaultdict[str, _Soft] = defaultdict(_Soft)
        self.usage = _Usage()

    def record(self, record: JSON, number: int) -> Iterator[Finding]:
        """Do a task's figures and its trials agree with what is in them?"""
        place = f"{self.frame.place}/{number}"
        trials = record["trials"]
        passed = sum(trial["passed"] for trial in trials)
        errored = any(trial["endReason"] == "error" for trial in trials)
        self.errored = self.errored or errored
        outcome = (len(trials), passed)
        self.outcomes[outcome] += 1
        for tag in dict.fromkeys(record.get("tags") or (UNTAGGED,)):
            self.tags[tag][outcome] += 1
        stated = record.get("passes")
        if is_number(stated) and stated != passed:
            because = LATER if self.later else ERRORED if errored else ""
            found, wanted = shown(stated), f"{passed}, as are listed"
            yield told("sandtable/passes", f"{place}/passes", found, wanted, because)
        first = self.ids.setdefault(record["id"], number)
        if first != number and not self.frame.converted:
            found = f"{shown(record['id'])}, as at {self.frame.place}/{first}"
            yield told("sandtable/task-ids", f"{place}/id", found, "an id of its own")
        yield from self._grid(trials, f"{place}/trials")
        for position, trial in enumerate(trials):
            yield from self._trial(record, trial, f"{place}/trials/{position}")

    def _grid(self, trials: Sequence[JSON], place: str) -> Iterator[Finding]:
        """Are there k trials, in order?"""
        if len(trials) != self.k:
            self.uneven = True
        if self.frame.converted:
            return
        if len(trials) != self.k:
            wanted = f"{shown(self.k)}, as k says"
            yield told("sandtable/grid", place, counted(len(trials), "trial"), wanted)
        for position, trial in enumerate(trials):
            if trial["trial"] != position:
                wanted = f"{position}, its place"
                there = f"{place}/{position}/trial"
                yield told("sandtable/grid", there, shown(trial["trial"]), wanted)
                return

    def _trial(self, task: JSON, trial: JSON, place: str) -> Iterator[Finding]:
        failed = dict.fromkeys(one["id"] for one in trial["checks"] if not one["passed"])
        hard = [one for one in trial.get("violations", ()) if one.get("soft") is not True]
        for id_ in failed:
            self.modes[id_].count += 1
            self.modes[id_].tasks[task["id"]] = None
        for one in trial.get("soft", ()):
            score = self.soft[one["id"]]
            score.applied += 1
            if one["broken"]:
                score.broken += 1
                score.tasks[task["id"]] = None
        self.turns = self.turns or any(one["type"] == "agent" for one in trial["events"])
        self.usage.add(trial.get("usage"))
        if trial["taskId"] != task["id"]:
            found, wanted = shown(trial["taskId"]), f"{shown(task['id'])}, the id of its task"
            yield told("sandtable/trial-task", f"{place}/taskId", found, wanted)
        yield from self._verdict(trial, place, bool(failed or hard))

    def _verdict(self, trial: JSON, place: str, lacking: bool) -> Iterator[Finding]:
        """Does `passed` agree with the checks and the hard violations?"""
        errored = trial["endReason"] == "error"
        silent = errored or not trial["checks"]
        if trial["passed"] is not lacking or (silent and not lacking and not trial["passed"]):
            return
        because = LATER if self.later else ERRORED if errored else ""
        wanted = f"{shown(not lacking)}, by its checks and violations"
        yield told("sandtable/passed", f"{place}/passed", shown(trial["passed"]), wanted, because)

    def end(self) -> Iterator[Finding]:
        """Do the suite's figures agree with the tasks?"""
        yield from self._pass_hat()
        yield from self._by_tag()
        yield from self._failure_modes()
        yield from self._soft()
        yield from self._usage()
        yield from self._latency()

    @property
    def because(self) -> str:
        """Why may a figure be another?"""
        return LATER if self.later else ERRORED if self.errored else ""

    @property
    def because_graded(self) -> str:
        """Why may a share of passed trials be another?"""
        return self.because or (UNEVEN if self.uneven else "")

    def _pass_hat(self) -> Iterator[Finding]:
        shares = self.frame.envelope.get("passHat") or {}
        for key, stated in shares.items():
            place = pointer(("passHat", key))
            if not _is_share(stated):
                yield _beyond(place, stated)
                continue
            exact = _pass_hat(self.outcomes, _power(key))
            if exact is not None and not within_digits(stated, exact):
                wanted, because = shown(exact), self.because_graded
                yield told("sandtable/pass-hat", place, shown(stated), wanted, because)
        if shares and self.k <= MOST_POWERS:
            powers = [str(j) for j in range(1, int(self.k) + 1) if _has(self.outcomes, j)]
            if missing := [j for j in powers if j not in shares]:
                found, wanted = f"no {shown(missing[0])}", f"one for each j from 1 to {self.k}"
                yield told("sandtable/pass-hat", "/passHat", found, wanted, self.because_graded)

    def _by_tag(self) -> Iterator[Finding]:
        listed = self.frame.envelope.get("byTag")
        if listed is None:
            return
        for position, score in enumerate(listed):
            yield from self._tag(score, f"/byTag/{position}")
        tags = {score["tag"] for score in listed}
        yield from self._missing("by-tag", "/byTag", [tag for tag in self.tags if tag not in tags])
        keys = ("passHatK", "passHat1")
        if not any(_rising([one.get(key) for one in listed]) for key in keys):
            wanted = "the weakest tag first"
            yield told("sandtable/by-tag", "/byTag", "another order", wanted, self.because)

    def _tag(self, score: JSON, place: str) -> Iterator[Finding]:
        outcomes = self.tags.get(score["tag"], Counter())
        count, stated = outcomes.total(), score.get("tasks")
        if is_number(stated) and stated != count:
            found, wanted = shown(stated), f"{count}, as are listed"
            yield told("sandtable/by-tag", f"{place}/tasks", found, wanted, self.because)
        for key, j in (("passHat1", 1), ("passHatK", self.k)):
            stated = score.get(key)
            if stated is None:
                continue
            if not _is_share(stated):
                yield _beyond(f"{place}/{key}", stated)
                continue
            exact = _pass_hat(outcomes, j)
            if exact is not None and not within_digits(stated, exact):
                found, wanted = shown(stated), shown(exact)
                because = self.because_graded
                yield told("sandtable/by-tag", f"{place}/{key}", found, wanted, because)

    def _failure_modes(self) -> Iterator[Finding]:
        listed = self.frame.envelope.get("failureModes")
        if listed is None:
            return
        rule = "sandtable/failure-modes"
        for position, mode in enumerate(listed):
            place, recounted = f"/failureModes/{position}", self.modes.get(mode["id"], _Mode())
            if mode["count"] != recounted.count:
                found, wanted = shown(mode["count"]), f"{recounted.count}, as are listed"
                yield told(rule, f"{place}/count", found, wanted, self.because)
            yield from self._tasks(rule, f"{place}/tasks", mode.get("tasks"), recounted.tasks)
        ids = {mode["id"] for mode in listed}
        missing = [id_ for id_ in self.modes if id_ not in ids]
        yield from self._missing("failure-modes", "/failureModes", missing)
        if not _rising([-mode["count"] for mode in listed]):
            wanted = "the most frequent first"
            yield told(rule, "/failureModes", "another order", wanted, self.because)

    def _soft(self) -> Iterator[Finding]:
        listed = self.frame.envelope.get("soft")
        if listed is None:
            return
        for position, score in enumerate(listed):
            place, recounted = f"/soft/{position}", self.soft.get(score["id"], _Soft())
            counts = (("applied", recounted.applied), ("broken", recounted.broken))
            for key, count in counts:
                stated = score.get(key)
                if is_number(stated) and stated != count:
                    found, wanted = shown(stated), f"{count}, as are listed"
                    yield told("sandtable/soft", f"{place}/{key}", found, wanted, self.because)
            tasks = score.get("tasks")
            yield from self._tasks("sandtable/soft", f"{place}/tasks", tasks, recounted.tasks)
            yield from self._rate(score, recounted, f"{place}/rate")
        ids = {score["id"] for score in listed}
        yield from self._missing("soft", "/soft", [id_ for id_ in self.soft if id_ not in ids])

    def _rate(self, score: JSON, recounted: _Soft, place: str) -> Iterator[Finding]:
        if "rate" not in score:
            return
        stated = score["rate"]
        if stated is not None and not _is_share(stated):
            yield _beyond(place, stated)
            return
        applied = score.get("applied", recounted.applied)
        exact = share(score.get("broken", recounted.broken), applied)
        never = applied == 0
        if stated is None if never else exact is None or within_digits(stated, exact):
            return
        wanted = "null, as it never applied" if never else f"{shown(exact)}, broken / applied"
        yield told("sandtable/soft", place, shown(stated), wanted, self.because)

    def _tasks(
        self, rule: str, place: str, stated: JSON, recounted: Iterable[str]
    ) -> Iterator[Finding]:
        if stated is not None and set(stated) != set(recounted):
            odd = sorted(set(stated) ^ set(recounted))
            where = "listed, and" if odd[0] in stated else "missing, and"
            found = f"{shown(odd[0])} {where} {counted(len(odd) - 1, 'other')} amiss"
            yield told(rule, place, found, "the tasks where it happened", self.because)

    def _missing(self, rule: str, place: str, names: Sequence[str]) -> Iterator[Finding]:
        if names:
            found = f"nothing for {shown(names[0])}"
            if len(names) > 1:
                found += f" and {counted(len(names) - 1, 'other')}"
            yield told(f"sandtable/{rule}", place, found, "all that occur", self.because)

    def _usage(self) -> Iterator[Finding]:
        usage = self.frame.envelope.get("usage")
        if usage is None or self.usage.unknown:
            return
        for role in ROLES:
            models = self.usage.models[role]
            stated = usage.get(role, {})
            for model in dict.fromkeys((*stated, *models)):
                yield from self._model(role, model, stated.get(model, {}), models[model])
        stops = usage.get("maxTokensStops", 0)
        if stops != self.usage.stops:
            found, wanted = shown(stops), f"{shown(self.usage.stops)}, as in the trials"
            yield told("sandtable/usage", "/usage/maxTokensStops", found, wanted, self.because)
        if "costUsd" in usage:
            yield from self._cost(usage["costUsd"])

    def _model(
        self, role: str, model: str, stated: Mapping[str, JSON], recounted: Mapping[str, int]
    ) -> Iterator[Finding]:
        for key in TOKENS:
            found, wanted = stated.get(key, 0), recounted.get(key, 0)
            if found != wanted:
                place = pointer(("usage", role, model, key))
                said = f"{shown(wanted)}, as in the trials"
                yield told("sandtable/usage", place, shown(found), said, self.because)

    def _cost(self, stated: JSON) -> Iterator[Finding]:
        exact, unpriced = self.usage.cost, self.usage.unpriced
        if unpriced:
            fits, wanted = stated is None, "null, as a trial has no price"
        else:
            fits = stated is not None and (within_digits(stated, exact) or _near(stated, exact))
            wanted = f"{shown(exact)}, the sum over the trials"
        if not fits:
            yield told("sandtable/cost", "/usage/costUsd", shown(stated), wanted, self.because)

    def _latency(self) -> Iterator[Finding]:
        latency = self.frame.envelope.get("latency") or {}
        middle, late = latency.get("agentTurnP50Ms"), latency.get("agentTurnP95Ms")
        place = "/latency/agentTurnP50Ms"
        if middle is not None and not self.turns:
            wanted = "null, as there are no turns"
            yield told("sandtable/latency", place, shown(middle), wanted, self.because)
        elif middle is not None and late is not None and middle > late:
            wanted = f"no more than agentTurnP95Ms, {shown(late)}"
            yield told("sandtable/latency", place, shown(middle), wanted, self.because)


class _Usage:
    """Sums what the trials used."""

    def __init__(self) -> None:
        self.models: dict[str, defaultdict[str, Counter[str]]] = {
            role: defaultdict(Counter) for role in ROLES
        }
        self.stops = 0
        self.cost = 0.0
        self.unpriced = False
        self.unknown = False
        """Is there a trial that says nothing of its usage?"""

    def add(self, usage: JSON) -> None:
        """Count a trial's usage in."""
        if usage is None or "costUsd" not in usage:
            self.unknown = True
            return
        for role in ROLES:
            for model, counts in usage.get(role, {}).items():
                sums = self.models[role][model]
                for key in TOKENS:
                    sums[key] += counts.get(key, 0)
        self.stops += usage.get("maxTokensStops", 0)
        if usage["costUsd"] is None:
            self.unpriced = True
        else:
            self.cost = _plus(self.cost, usage["costUsd"])


def _plus(left: float, right: JSON) -> float:
    """What do a sum and a number of any size come to? Infinity beyond the largest double."""
    try:
        return float(left + right)
    except OverflowError:
        return float("inf") if right > 0 else float("-inf")


def _near(stated: JSON, exact: float) -> bool:
    try:
        return bool(abs(stated - exact) <= NEAR * abs(exact))
    except OverflowError:
        return False


def _power(key: str) -> int:
    """Which j is it that a key of `passHat` names? 0 for none that is recounted."""
    short = key.isascii() and key.isdecimal() and len(key) <= 4
    return int(key) if short else 0


def _has(outcomes: Outcomes, j: int) -> bool:
    return any(n >= j for n, _ in outcomes)


def _pass_hat(outcomes: Outcomes, j: JSON) -> float | None:
    """What is pass^j over tasks with at least j trials? None without one."""
    if not 1 <= j <= MOST_POWERS:
        return None
    j = int(j)
    usable = [(n, c, tasks) for (n, c), tasks in outcomes.items() if n >= j]
    tasks = sum(number for _, _, number in usable)
    if not tasks:
        return None
    return sum(number * (comb(c, j) / comb(n, j)) for n, c, number in usable) / tasks


def _is_share(value: JSON) -> bool:
    return is_number(value) and 0 <= value <= 1


def _beyond(place: str, value: JSON) -> Finding:
    return told("sandtable/bounds", place, shown(value), "a fraction from 0 to 1")


def _rising(values: Sequence[JSON]) -> bool:
    """Does no value go below the one before it, as far as they are numbers?"""
    known = [value for value in values if is_number(value)]
    return all(one <= other for one, other in pairwise(known))
