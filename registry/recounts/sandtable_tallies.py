"""Do failureModes and soft of a sandtable suite agree with the trials?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec

from registry.findings import Finding
from registry.recounts import is_number, share, shown, told, within_digits
from registry.recounts.sandtable_doubts import SHARED, Doubts
from registry.recounts.sandtable_lists import beyond, is_share, missing, rising, tasks, twice
from registry.values import JSON


class _Mode(msgspec.Struct):
    count: int = 0
    tasks: dict[str, None] = {}


class _Soft(msgspec.Struct):
    applied: int = 0
    broken: int = 0
    tasks: dict[str, None] = {}


class Tallies:
    """Counts what failed in trials, and which soft invariants applied and were broken."""

    def __init__(self, envelope: JSON, doubts: Doubts) -> None:
        self.envelope, self.doubts = envelope, doubts
        self.modes: defaultdict[str, _Mode] = defaultdict(_Mode)
        self.soft: defaultdict[str, _Soft] = defaultdict(_Soft)

    def add(self, task: str, failed: Sequence[str], soft: Sequence[JSON]) -> None:
        """Count a trial in, in which these checks failed and these soft invariants applied."""
        for id_ in dict.fromkeys(failed):
            self.modes[id_].count += 1
            self.modes[id_].tasks[task] = None
        if soft:
            self._soften(task, soft)

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

    def end(self) -> Iterator[Finding]:
        """Do the suite's counts agree with the trials?"""
        yield from self._failure_modes()
        yield from self._soft()

    def _failure_modes(self) -> Iterator[Finding]:
        listed = self.envelope.get("failureModes")
        if listed is None:
            return
        rule, because = "sandtable/failure-modes", self.doubts.because_later
        for position, mode in enumerate(listed):
            place, recounted = f"/failureModes/{position}", self.modes.get(mode["id"], _Mode())
            if mode["count"] != recounted.count:
                found, wanted = shown(mode["count"]), f"{recounted.count}, as are listed"
                yield told(rule, f"{place}/count", found, wanted, because)
            yield from tasks(rule, f"{place}/tasks", mode.get("tasks"), recounted.tasks, because)
        ids = [mode["id"] for mode in listed]
        yield from twice(rule, "/failureModes/{}/id", ids, because)
        known = frozenset(ids)
        unlisted = [id_ for id_ in self.modes if id_ not in known]
        yield from missing(rule, "/failureModes", unlisted, because)
        if not rising([-mode["count"] for mode in listed]):
            yield told(rule, "/failureModes", "another order", "the most frequent first", because)

    def _soft(self) -> Iterator[Finding]:
        listed = self.envelope.get("soft")
        if listed is None:
            return
        rule, because = "sandtable/soft", self.doubts.because
        for position, score in enumerate(listed):
            place, recounted = f"/soft/{position}", self.soft.get(score["id"], _Soft())
            for key, count in (("applied", recounted.applied), ("broken", recounted.broken)):
                stated = score.get(key)
                if is_number(stated) and stated != count:
                    found, wanted = shown(stated), f"{count}, as are listed"
                    yield told(rule, f"{place}/{key}", found, wanted, because)
            yield from tasks(rule, f"{place}/tasks", score.get("tasks"), recounted.tasks, because)
            yield from self._rate(score, recounted, f"{place}/rate")
        ids = [score["id"] for score in listed]
        yield from twice(rule, "/soft/{}/id", ids, because or SHARED)
        known = frozenset(ids)
        unlisted = [id_ for id_ in self.soft if id_ not in known]
        yield from missing(rule, "/soft", unlisted, because)

    def _rate(self, score: JSON, recounted: _Soft, place: str) -> Iterator[Finding]:
        if "rate" not in score:
            return
        stated = score["rate"]
        if stated is not None and not is_share(stated):
            yield beyond(place, stated)
            return
        applied = score.get("applied", recounted.applied)
        exact = share(score.get("broken", recounted.broken), applied)
        never = applied == 0
        if stated is None if never else exact is None or within_digits(stated, exact):
            return
        right = share(recounted.broken, recounted.applied)
        if stated is not None and right is not None and within_digits(stated, right):
            return  # it is what it is a share of that is wrong, which is told
        wanted = "null, as it never applied" if never else f"{shown(exact)}, broken / applied"
        yield told("sandtable/soft", place, shown(stated), wanted, self.doubts.because)
