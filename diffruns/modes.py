"""Which checks fail, and how often, before and now? Soft invariants likewise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from diffruns import statistics
from diffruns.entries import Entry
from diffruns.report import Mode

Name = tuple[str, bool]


@dataclass(slots=True)
class _Count:
    """How often was each check failed, on one side?"""

    tried: int = 0
    trials: Counter[Name] = field(default_factory=Counter)
    cases: Counter[Name] = field(default_factory=Counter)

    def share(self, trials: int) -> float:
        """Which share of the trials is that?"""
        return trials / self.tried if self.tried else 0.0

    def add(self, entry: Entry) -> set[Name]:
        """Count a case in; which checks did it fail?"""
        seen: set[Name] = set()
        self.tried += len(entry.attempts)
        for attempt in entry.attempts:
            if not attempt.failed and not attempt.broken:
                continue
            names = {(name, True) for name in attempt.failed}
            names |= {(name, False) for name in attempt.broken}
            self.trials.update(names)
            seen |= names
        if seen:
            self.cases.update(seen)
        return seen


class Modes:
    """How often each check fails, while the cases of both sides are told one by one.

    The test is paired: how many cases fail the check on one side only? Of those that were judged
    equally often: more trials have more occasions to fail.
    """

    def __init__(self) -> None:
        self._a, self._b = _Count(), _Count()
        self._only_a: Counter[Name] = Counter()
        self._only_b: Counter[Name] = Counter()

    def add(self, one: Entry, other: Entry) -> None:
        """Count this case in, of A and of B."""
        before, after = self._a.add(one), self._b.add(other)
        if one.judged == other.judged and before != after:
            self._only_a.update(before - after)
            self._only_b.update(after - before)

    def told(self, method: str) -> list[Mode]:
        """How often did each check fail? What changed most comes first.

        The family of checks is corrected for by `method`.
        """
        a, b = self._a, self._b
        names = sorted({*a.trials, *b.trials})
        modes = [_mode(name, a, b, self._only_b[name], self._only_a[name]) for name in names]

        def interest(mode: Mode) -> tuple[float, int, str]:
            return -abs(b.share(mode.b_trials) - a.share(mode.a_trials)), -mode.b_trials, mode.check

        return sorted(_corrected(modes, method), key=interest)


def failure_modes(pairs: Iterable[tuple[Entry, Entry]], method: str) -> list[Mode]:
    """How often did each check fail, in the cases of both sides? See `Modes`."""
    modes = Modes()
    for one, other in pairs:
        modes.add(one, other)
    return modes.told(method)


def _mode(name: Name, a: _Count, b: _Count, broke: int, fixed: int) -> Mode:
    """More or fewer is said of the share of trials: runs may have tried unequally often."""
    before, after = a.trials[name], b.trials[name]
    more = after * a.tried - before * b.tried
    change = "more" if more > 0 else "fewer" if more < 0 else "same"
    if not before or not after:
        change = "appeared" if after else "vanished"
    p = statistics.mcnemar(broke, fixed).p if broke + fixed else None
    return Mode(*name, before, after, a.cases[name], b.cases[name], change, p, p)  # type: ignore[arg-type]


def _corrected(modes: Sequence[Mode], method: str) -> list[Mode]:
    tested = [mode for mode in modes if mode.p is not None]
    ps = statistics.correct([mode.p or 0.0 for mode in tested], method)
    corrected = {(mode.check, mode.hard): p for mode, p in zip(tested, ps, strict=True)}
    return [
        msgspec.structs.replace(mode, corrected=corrected.get((mode.check, mode.hard)))
        for mode in modes
    ]
