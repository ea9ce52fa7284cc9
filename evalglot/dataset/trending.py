"""How did a case, a tag or a check fare over time, target by target?

The database counts; what is left for Python is as long as there are runs and periods. A run's rate
is the mean over its cases of the share of judged trials that passed: a case counts once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from typing import Any

from diffruns import statistics
from evalglot.dataset import counting
from evalglot.dataset.asking import Dataset
from evalglot.dataset.counting import Asked
from evalglot.dataset.trend import Period, Point, Report, Shift, Target
from registry.errors import EvalglotError

TEST = (
    "permutation test of the largest mean shift, binary segmentation, "
    f"{statistics.DRAWS} orders (docs/statistics.md)"
)

BLOCKS = 500
"""how many parts the runs of a target are tested for shifts in; of more, neighbours are one"""


class NoSuch(EvalglotError):
    """No run in the dataset has such a case, tag or check."""

    exit_code = 4


def trend(dataset: Dataset, asked: Asked) -> Report:
    """How did it fare? Raises NoSuch where no run has it."""
    ask = dataset.ask
    setup = counting.setup(asked)
    dataset.run(setup, {"subject": asked.subject})
    runs = ask(counting.RUNS).to_pylist()
    if not runs:
        raise _unknown(dataset, asked)
    periods = _periods(ask(counting.PERIODS).to_pylist(), ask(counting.CASES).to_pylist(), asked.k)
    by_target = {name: list(held) for name, held in groupby(runs, key=_target)}
    told = [
        _Told(name, held, _shifted(held, asked.alpha), periods[name])
        for name, held in by_target.items()
    ]
    shown = {digest for one in told for digest in one.shown()}
    named = {
        row["digest"]: row for row in ask(counting.NAMED, {"digests": sorted(shown)}).to_pylist()
    }
    return Report(
        by=asked.by,
        subject=asked.subject,
        per=asked.per,
        k=asked.k,
        alpha=asked.alpha,
        test=TEST,
        targets=tuple(one.target(named) for one in told),
        notes=tuple(_notes(by_target, ask(counting.UNTIMED).column("n")[0].as_py())),
    )


def _target(row: dict[str, Any]) -> str | None:
    target: str | None = row["target"]
    return target


def _failing(row: dict[str, Any]) -> bool:
    return bool(row["passes"] < row["judged"])


def _shifted(runs: Sequence[dict[str, Any]], alpha: float) -> list[tuple[int, statistics.Shift]]:
    """At which runs did the rate change? Runs without a judged trial say nothing."""
    judged = [number for number, row in enumerate(runs) if row["rate"] is not None]
    size = -(-len(judged) // BLOCKS) or 1
    blocks = [judged[at : at + size] for at in range(0, len(judged), size)]
    rates = [fsum(runs[one]["rate"] for one in block) / len(block) for block in blocks]
    return [(blocks[one.place][0], _of_runs(one, size)) for one in statistics.shifts(rates, alpha)]


def _of_runs(shift: statistics.Shift, size: int) -> statistics.Shift:
    from dataclasses import replace

    return replace(shift, n_before=shift.n_before * size, n_after=shift.n_after * size)


@dataclass(frozen=True, slots=True)
class _Told:
    """One target, before its runs have names."""

    name: str | None
    runs: Sequence[dict[str, Any]]
    shifted: Sequence[tuple[int, statistics.Shift]]
    periods: Sequence[Period]

    def _places(self) -> dict[str, int | None]:
        """Which runs are told of?"""
        judged = [number for number, row in enumerate(self.runs) if row["judged"]]
        failing = [number for number in judged if _failing(self.runs[number])]
        passing = [number for number in judged if not _failing(self.runs[number])]
        last = passing[-1] if passing else None
        later = [number for number in failing if last is None or number > last]
        return {
            "first": 0,
            "last": len(self.runs) - 1,
            "first_failing": failing[0] if failing else None,
            "failing_since": later[0] if later else None,
            "last_passing": last,
        }

    def shown(self) -> Iterator[str]:
        """Digests of the runs that are told of."""
        for place in (*self._places().values(), *(place for place, _ in self.shifted)):
            if place is not None:
                yield self.runs[place]["digest"]

    def target(self, named: dict[str, dict[str, Any]]) -> Target:
        """What is told of the target?"""
        points = {
            name: None if place is None else _point(self.runs[place], named)
            for name, place in self._places().items()
        }
        shifts = tuple(
            Shift(
                _point(self.runs[place], named),
                *(one.before, one.after, one.n_before, one.n_after, one.p),
            )
            for place, one in self.shifted
        )
        return Target(
            target=self.name,
            runs=len(self.runs),
            shifts=shifts,
            periods=tuple(self.periods),
            **points,  # type: ignore[arg-type]
        )


def _point(row: dict[str, Any], named: dict[str, dict[str, Any]]) -> Point:
    told = named[row["digest"]]
    return Point(
        *(row["digest"], told["path"], told["run_id"], row["tool"], row["ran_at"].isoformat()),
        *(row["judged"], row["passes"], row["errors"], row["rate"]),
    )


def _periods(
    rows: Sequence[dict[str, Any]], cases: Sequence[dict[str, Any]], k: int
) -> dict[str | None, list[Period]]:
    counts: dict[tuple[str | None, str], list[tuple[int, int]]] = {}
    for row in cases:
        held = counts.setdefault((row["target"], row["period"]), [])
        held += [(row["n"], row["c"])] * row["cases"]
    found: dict[str | None, list[Period]] = {}
    for row in rows:
        told = counts.get((row["target"], row["period"]), [])
        found.setdefault(row["target"], []).append(_period(row, told, k))
    return found


def _period(row: dict[str, Any], counts: Sequence[tuple[int, int]], k: int) -> Period:
    rate = _rate(counts)
    paid = row["paid_passes"]
    return Period(
        period=row["period"],
        **{name: row[name] for name in ("runs", "cases", "trials", "judged", "passes", "errors")},
        rate=None if rate is None else rate.value,
        low=None if rate is None else rate.low,
        high=None if rate is None else rate.high,
        flaky=row["flaky"],
        flips=row["flips"],
        pass_hat=statistics.pass_hat(counts, k),
        cost_usd=row["cost"],
        cost_per_pass=row["cost"] / paid if row["cost"] is not None and paid else None,
    )


def _rate(counts: Sequence[tuple[int, int]]) -> statistics.Interval | None:
    """Which share passed? Trials are the parts of a single case, cases those of several."""
    if not counts:
        return None
    if len(counts) == 1:
        return statistics.wilson(counts[0][1], counts[0][0])
    return statistics.share_of_cases([c / n for n, c in counts])


def _notes(by_target: dict[str | None, list[dict[str, Any]]], untimed: int) -> Iterator[str]:
    """What should a reader know that no figure says?"""
    judged = {name: sum(row["judged"] > 0 for row in rows) for name, rows in by_target.items()}
    few = sum(count < statistics.LEAST_RUNS for count in judged.values())
    if few:
        yield (
            f"targets with fewer than {statistics.LEAST_RUNS} judged runs, in which no test of "
            f"shares of 0 and 1 can reject: {few:,}"
        )
    many = sum(count > BLOCKS for count in judged.values())
    if many:
        yield f"targets whose neighbouring runs were tested together, in {BLOCKS} parts: {many:,}"
    if untimed:
        yield f"runs of the dataset that say no time, and are left out: {untimed:,}"


def _unknown(dataset: Dataset, asked: Asked) -> NoSuch:
    from difflib import get_close_matches

    names = dataset.ask(counting.NAMES[asked.by]).column("name").to_pylist()
    near = get_close_matches(asked.subject, [name for name in names if name], n=1)
    return NoSuch(
        found=f"no run with a time has the {asked.by} {asked.subject!r}",
        hint=f"Did you mean {near[0]!r}?" if near else "",
        file=dataset.folder.name,
    )
