"""Do the figures of a sandtable suite agree with a recount?

From the reference page of the 0.1 line: a trial passed only if every check did, any hard violation
fails it, `passes` counts the trials that passed, `failureModes` count failed trials, most frequent
first, `byTag` is weakest first, `rate` is broken / applied and null when it never applied, usage is
summed over trials, and `costUsd` is null when any model has no known price. How later releases
count errored trials is not known, so where one is, what disagrees is a warning. Where `sandtable`
names a release, so is what that may have redefined: when a trial passed, what a failure mode is,
costs and latencies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from registry.findings import Finding
from registry.recounts import Frame, Recounter, counted, shown, told
from registry.recounts.sandtable_doubts import Doubts
from registry.recounts.sandtable_shares import Shares
from registry.recounts.sandtable_tallies import Tallies
from registry.recounts.sandtable_usage import Usage
from registry.values import JSON

PERCENTILES = ("agentTurnP50Ms", "agentTurnP95Ms")


def recounter(frame: Frame) -> Recounter:
    """What recounts a suite?"""
    return _Suite(frame)


class _Suite:
    """Recounts a suite."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.k = frame.envelope["k"]
        self.turns = False
        """Did an agent say anything?"""
        self.ids: dict[str, int] = {}
        self.doubts = Doubts(later="sandtable" in frame.envelope)
        self.shares = Shares(frame.envelope, self.doubts)
        self.tallies = Tallies(frame.envelope, self.doubts)
        self.usage = Usage(frame.envelope, self.doubts)

    def record(self, record: JSON, number: int) -> Iterable[Finding]:
        """Do a task's figures and its trials agree with what is in them?"""
        trials, first = record["trials"], self.ids.setdefault(record["id"], number)
        passed = errored = 0
        places = []
        for trial in trials:
            passed += trial["passed"]
            errored += trial["endReason"] == "error"
            places.append(trial["trial"])
        self.doubts.errored |= errored > 0
        self.doubts.uneven |= len(trials) != self.k
        self.shares.add(record, passed)
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
        because = self.doubts.of(errored=errored)
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
        self.tallies.add(task, failed, trial.get("soft") or ())
        if not self.turns:
            self.turns = any(one["type"] == "agent" for one in trial["events"])
        self.usage.add(trial.get("usage"))
        lacking = bool(failed) or _is_violated(trial)
        return passed is lacking or trial["taskId"] != task

    def _trial(self, task: JSON, trial: JSON, place: str) -> Iterator[Finding]:
        if trial["taskId"] != task["id"]:
            found, wanted = shown(trial["taskId"]), f"{shown(task['id'])}, the id of its task"
            yield told("sandtable/trial-task", f"{place}/taskId", found, wanted)
        checks, passed = trial["checks"], trial["passed"]
        lacking = _is_violated(trial) or any(not one["passed"] for one in checks)
        errored = trial["endReason"] == "error"
        silent = not passed and (errored or not checks)
        if passed is lacking and (lacking or not silent):
            because = self.doubts.of_later(errored=errored)
            wanted = f"{shown(not lacking)}, by its checks and violations"
            yield told("sandtable/passed", f"{place}/passed", shown(passed), wanted, because)

    def end(self) -> Iterator[Finding]:
        """Do the suite's figures agree with the tasks?"""
        yield from self.shares.end()
        yield from self.tallies.end()
        yield from self.usage.end()
        yield from self._latency()

    def _latency(self) -> Iterator[Finding]:
        latency = self.frame.envelope.get("latency") or {}
        for key in PERCENTILES if not self.turns else ():
            if (stated := latency.get(key)) is not None:
                wanted = "null, as there are no turns"
                yield told(
                    "sandtable/latency",
                    f"/latency/{key}",
                    shown(stated),
                    wanted,
                    self.doubts.because_later,
                )
        middle, late = map(latency.get, PERCENTILES)
        if self.turns and middle is not None and late is not None and middle > late:
            place, wanted = (
                f"/latency/{PERCENTILES[0]}",
                f"no more than agentTurnP95Ms, {shown(late)}",
            )
            yield told("sandtable/latency", place, shown(middle), wanted, self.doubts.because_later)


def _is_violated(trial: JSON) -> bool:
    """Was a hard invariant violated?"""
    violations = trial.get("violations")
    return bool(violations) and any(one.get("soft") is not True for one in violations)
