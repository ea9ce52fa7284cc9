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
from itertools import pairwise
from math import comb

import msgspec

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
UNNAMED = "What another key means is not known"
SHARED = "Whether two soft invariants may have one id is not known"
UNTAGGED = "untagged"
MOST_POWERS = 1000
"""Up to which j is pass^j recounted? A damaged file may claim any k."""

NEAR = 1e-3
"""By which share may a sum of estimated costs differ? Each trial's is rounded."""

MOST_CHARACTERS = 40
"""How long is a key of `passHat` that is looked at?"""

PERCENTILES = ("agentTurnP50Ms", "agentTurnP95Ms")
TOKENS = ("calls", "input", "output", "cacheRead", "cacheWrite")
ROLES = ("agent", "user")

Outcomes = Counter[tuple[int, int]]
"""How many tasks had n trials of which c passed, by (n, c)?"""


class _Mode(msgspec.Struct):
    count: int = 0
    tasks: dict[str, None] = {}


class _Soft(msgspec.Struct):
    applied: int = 0
    broken: int = 0
    tasks: dict[str, None] = {}


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

    def record(self, record: JSON, number: int) -> Iterable[Finding]:
        """Do a task's figures and its trials agree with what is in them?"""
        trials, first = record["trials"], self.ids.setdefault(record["id"], number)
        passed = errored = 0
        places = []
        for trial in trials:
            passed += trial["passed"]
            errored += trial["endReason"] == "error"
            places.append(trial["trial"])
        self.errored = self.errored or errored > 0
        self.uneven = self.uneven or len(trials) != self.k
        outcome = (len(trials), passed)
        self.outcomes[outcome] += 1
        for tag in dict.fromkeys(record.get("tags") or (UNTAGGED,)):
            self.tags[tag][outcome] += 1
        found: list[Finding] = []
        if record.get("passes", passed) != passed:
            found += self._passes(record["passes"], passed, number, errored=errored > 0)
        if not self.frame.converted:
            if first != number:
                found.append(self._repeated(record["id"], number, first))
            if len(places) != self.k or places != [*range(len(places))]:
                found += self._grid(places, f"{self.frame.place}/{number}/trials")
        for position, trial in enumerate(trials):
            if self._is_odd(record["id"], trial):
                found += self._trial(
                    record, trial, f"{self.frame.place}/{number}/trials/{position}"
                )
        return found

    def _passes(
        self, stated: JSON, passed: int, number: int, *, errored: bool
    ) -> Iterator[Finding]:
        because = LATER if self.later else ERRORED if errored else ""
        place, wanted = f"{self.frame.place}/{number}/passes", f"{passed}, as are listed"
        yield told("sandtable/passes", place, shown(stated), wanted, because)

    def _repeated(self, id_: str, number: int, first: int) -> Finding:
        found = f"{shown(id_)}, as at {self.frame.place}/{first}"
        place = f"{self.frame.place}/{number}/id"
        return told("sandtable/task-ids", place, found, "an id of its own")

    def _grid(self, places: Sequence[JSON], trials: str) -> Iterator[Finding]:
        """Are there k trials, in order?"""
        if len(places) != self.k:
            wanted = f"{shown(self.k)}, as k says"
            yield told("sandtable/grid", trials, counted(len(places), "trial"), wanted)
        for position, said in enumerate(places):
            if said != position:
                wanted = f"{position}, its place"
                yield told("sandtable/grid", f"{trials}/{position}/trial", shown(said), wanted)
                return

    def _is_odd(self, task: str, trial: JSON) -> bool:
        """Count a trial in: is anything about it to be told?"""
        checks, passed = trial["checks"], trial["passed"]
        failed = [one["id"] for one in checks if not one["passed"]]
        if failed:
            for id_ in dict.fromkeys(failed):
                self.modes[id_].count += 1
                self.modes[id_].tasks[task] = None
        if soft := trial.get("soft"):
            self._soften(task, soft)
        if not self.turns:
            self.turns = any(one["type"] == "agent" for one in trial["events"])
        self.usage.add(trial.get("usage"))
        lacking = bool(failed) or _is_violated(trial)
        return passed is lacking or trial["taskId"] != task

    def _soften(self, task: str, soft: Sequence[JSON]) -> None:
        """Count in which soft invariants applied in a trial, and which of them were broken."""
        broken = {one["id"]: False for one in soft}
        for one in soft:
            broken[one["id"]] |= one["broken"]
        for id_, was_broken in broken.items():
            score = self.soft[id_]
            score.applied += 1
            if was_broken:
                score.broken += 1
                score.tasks[task] = None

    def _trial(self, task: JSON, trial: JSON, place: str) -> Iterator[Finding]:
        if trial["taskId"] != task["id"]:
            found, wanted = shown(trial["taskId"]), f"{shown(task['id'])}, the id of its task"
            yield told("sandtable/trial-task", f"{place}/taskId", found, wanted)
        checks, passed = trial["checks"], trial["passed"]
        lacking = _is_violated(trial) or any(not one["passed"] for one in checks)
        errored = trial["endReason"] == "error"
        silent = not passed and (errored or not checks)
        if passed is lacking and (lacking or not silent):
            because = LATER if self.later else ERRORED if errored else ""
            wanted = f"{shown(not lacking)}, by its checks and violations"
            yield told("sandtable/passed", f"{place}/passed", shown(passed), wanted, because)

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
            if not _is_power(key, self.k):
                wanted = f"those from 1 to {shown(self.k)} only"
                yield told("sandtable/pass-hat", place, f"the key {shown(key)}", wanted, UNNAMED)
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
        yield from _twice(
            "by-tag", "/byTag/{}/tag", [score["tag"] for score in listed], self.because
        )
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
        modes = [mode["id"] for mode in listed]
        yield from _twice("failure-modes", "/failureModes/{}/id", modes, self.because)
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
        because = self.because or SHARED
        yield from _twice("soft", "/soft/{}/id", [score["id"] for score in listed], because)
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
                sums = dict(zip(TOKENS, models.get(model, ()), strict=False))
                yield from self._model(role, model, stated.get(model, {}), sums)
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
        for key in PERCENTILES if not self.turns else ():
            if (stated := latency.get(key)) is not None:
                wanted = "null, as there are no turns"
                yield told(
                    "sandtable/latency", f"/latency/{key}", shown(stated), wanted, self.because
                )
        middle, late = map(latency.get, PERCENTILES)
        if self.turns and middle is not None and late is not None and middle > late:
            place, wanted = (
                f"/latency/{PERCENTILES[0]}",
                f"no more than agentTurnP95Ms, {shown(late)}",
            )
            yield told("sandtable/latency", place, shown(middle), wanted, self.because)


class _Usage:
    """Sums what the trials used."""

    def __init__(self) -> None:
        self.models: dict[str, dict[str, list[int]]] = {role: {} for role in ROLES}
        """The sums of what TOKENS names, by role and model."""
        self.stops = 0
        self.cost = 0.0
        self.unpriced = False
        self.unknown = False
        """Is there a trial that says nothing of its usage, or nothing that can be summed?"""

    def add(self, usage: JSON) -> None:
        """Count a trial's usage in."""
        if usage is None or "costUsd" not in usage:
            self.unknown = True
            return
        for role, models in self.models.items():
            for model, counts in usage.get(role, {}).items():
                if model not in models:
                    models[model] = [0] * len(TOKENS)
                sums, get = models[model], counts.get
                sums[0] += get("calls", 0)
                sums[1] += get("input", 0)
                sums[2] += get("output", 0)
                sums[3] += get("cacheRead", 0)
                sums[4] += get("cacheWrite", 0)
        self.stops += usage.get("maxTokensStops", 0)
        cost = usage["costUsd"]
        if cost is None:
            self.unpriced = True
            return
        try:
            self.cost += cost
        except OverflowError:  # an integer that no double holds
            self.unknown = True


def _is_violated(trial: JSON) -> bool:
    """Was a hard invariant violated?"""
    violations = trial.get("violations")
    return bool(violations) and any(one.get("soft") is not True for one in violations)


def _near(stated: JSON, exact: float) -> bool:
    try:
        return bool(abs(stated - exact) <= NEAR * abs(exact))
    except OverflowError:
        return False


def _power(key: str) -> int:
    """Which j is it that a key of `passHat` names? 0 for none that is recounted."""
    short = key.isascii() and key.isdecimal() and len(key) <= 4
    return int(key) if short else 0


def _is_power(key: str, k: int) -> bool:
    """Is a key of `passHat` one of 1 to k?"""
    plain = key.isascii() and key.isdecimal() and key[0] != "0"
    return plain and (len(key) > MOST_CHARACTERS or int(key) <= k)


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


def _twice(rule: str, place: str, names: Sequence[str], because: str) -> Iterator[Finding]:
    """Which names has a list a second time?"""
    first: dict[str, int] = {}
    for position, name in enumerate(names):
        if first.setdefault(name, position) != position:
            found = f"{shown(name)}, as at {place.format(first[name])}"
            where, wanted = place.format(position), "one entry for each"
            yield told(f"sandtable/{rule}", where, found, wanted, because)


def _is_share(value: JSON) -> bool:
    return is_number(value) and 0 <= value <= 1


def _beyond(place: str, value: JSON) -> Finding:
    return told("sandtable/bounds", place, shown(value), "a fraction from 0 to 1")


def _rising(values: Sequence[JSON]) -> bool:
    """Does no value go below the one before it, as far as they are numbers?"""
    known = [value for value in values if is_number(value)]
    return all(one <= other for one, other in pairwise(known))
