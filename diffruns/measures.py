"""What do cases come to, and by how much do two runs of the same cases differ?

A case counts once, whatever its number of trials: what is averaged is its own share of passes, or
its own mean. Trials without a verdict (errors, undecided and skipped ones) are in no share; the
bracket shows what counting errors as failures would make of it.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from math import fsum, isclose, isnan, nan
from operator import attrgetter
from typing import NamedTuple, TypeAlias

import msgspec

from converter.aggregates import nearest_rank
from converter.facts import Run
from diffruns import statistics
from diffruns.entries import Attempt, Entry, figure
from diffruns.report import Delta, Finding, Mean, Measures, Rate, Spread, Total

Counts: TypeAlias = "tuple[int, int]"
"""how many trials of a case were judged, and how many of them passed"""
Formula: TypeAlias = Callable[[Sequence[Counts], int], float | None]

POLICY = "trials that passed, of those that passed or failed; a case counts once"
ROUNDING = 1e-12
"""values that differ by no more, of what they are, differ by how their tools rounded"""
LARGEST_K = 32
"""powers of pass^j that are told at most"""

Both: TypeAlias = tuple[Entry, Entry]
Cluster: TypeAlias = Callable[[Entry], Hashable] | None
"""What names the cluster that a case lies in? None where every case stands for itself."""


class Unlisted(NamedTuple):
    """How many cases does a file count without listing them?"""

    passed: int = 0
    failed: int = 0


NONE = Unlisted()


def unlisted(run: Run) -> Unlisted:
    """How many cases does the run have that its file does not list?"""
    counts = (figure(count) for count in (run.unlisted_passed, run.unlisted_failed))
    return Unlisted(*(max(int(count or 0), 0) for count in counts))


@cache
def _counts(judged: int, passes: int) -> Counts:
    """The one copy of two numbers that many cases share."""
    return judged, passes


@cache
def _both(judged: int, passes: int, judged_now: int, passes_now: int) -> tuple[Counts, Counts]:
    """The same of both sides."""
    return (judged, passes), (judged_now, passes_now)


class Cases:
    """What cases come to, while they are counted one by one: numbers are kept, and no case."""

    def __init__(self, cluster: Cluster = None) -> None:
        self._cluster = cluster
        self._count = self._trials = 0
        self._verdicts: Counter[str] = Counter()
        self._judged: list[Counts] = []
        self._judged_in: list[Hashable] = []
        self._strict = array("d")
        self._scores = array("d")
        self._scored_in: list[Hashable] = []
        self._figures = {name: array("d") for name in FIGURES}

    def add(self, entry: Entry) -> None:
        """Count this case in."""
        self._count += 1
        self._trials += len(entry.attempts)
        self._verdicts[entry.state] += 1
        if entry.judged:
            self._judged.append(_counts(entry.judged, entry.passes))
            if self._cluster:
                self._judged_in.append(self._cluster(entry))
        if entry.judged or entry.errors:
            self._strict.append(entry.passes / (entry.judged + entry.errors))
        if entry.score is not None:
            self._scores.append(entry.score)
            if self._cluster:
                self._scored_in.append(self._cluster(entry))
        for attempt in entry.attempts:
            for name, of in FIGURES.items():
                value = of(attempt)
                if value is not None:
                    self._figures[name].append(value)

    def measures(self, unlisted: Unlisted = NONE) -> Measures:
        """What do they come to? What lies in one cluster counts as one part in the bounds."""
        counts = self._judged
        powers = range(1, min(max((n for n, _ in counts), default=0), LARGEST_K) + 1)
        return Measures(
            cases=self._count,
            trials=self._trials,
            verdicts=dict(sorted(self._verdicts.items())),
            rate=self._rate(),
            whole_rate=_whole_rate(counts, unlisted) if any(unlisted) else None,
            pass_hat=_powers(counts, powers, statistics.pass_hat),
            pass_at=_powers(counts, powers, statistics.pass_at),
            score=self._mean(),
            latency_ms=_spread(self._figures["latency_ms"]),
            tokens=_total(self._figures["tokens"], self._trials),
            cost_usd=_total(self._figures["cost_usd"], self._trials),
        )

    def _rate(self) -> Rate | None:
        counts = self._judged
        if not counts:
            return None
        if self._cluster is None and all(judged == 1 for judged, _ in counts):
            interval = statistics.wilson(sum(passes for _, passes in counts), len(counts))
        else:
            clusters = self._judged_in if self._cluster else None
            interval = statistics.share_of_cases(_shares(counts), clusters)
        return Rate(
            value=interval.value,
            low=interval.low,
            high=interval.high,
            n=len(counts),
            policy=POLICY,
            bracket=(fsum(self._strict) / len(self._strict), interval.value),
        )

    def _mean(self) -> Mean | None:
        if not self._scores:
            return None
        found = statistics.mean(self._scores, self._scored_in if self._cluster else None)
        return Mean(found.value, found.low, found.high, len(self._scores))


def measure(
    entries: Iterable[Entry], cluster: Cluster = None, unlisted: Unlisted = NONE
) -> Measures:
    """What do these cases come to? See `Cases`."""
    cases = Cases(cluster)
    for entry in entries:
        cases.add(entry)
    return cases.measures(unlisted)


def _shares(counts: Iterable[Counts]) -> array[float]:
    return array("d", (passes / judged for judged, passes in counts))


def _powers(
    counts: Sequence[Counts],
    powers: Iterable[int],
    formula: Formula,
) -> dict[str, float]:
    found = {str(j): formula(counts, j) for j in powers}
    return {j: share for j, share in found.items() if share is not None}


def _whole_rate(counts: Sequence[Counts], unlisted: Unlisted) -> float:
    return (fsum(_shares(counts)) + unlisted.passed) / (len(counts) + sum(unlisted))


def _spread(values: Sequence[float]) -> Spread | None:
    p50, p95 = nearest_rank(values, 0.5), nearest_rank(values, 0.95)
    return None if p50 is None or p95 is None else Spread(p50, p95, len(values))


def _total(known: Sequence[float], trials: int) -> Total | None:
    return Total(fsum(known), len(known), trials - len(known)) if known else None


class Differences:
    """By how much do cases of B differ from the same ones of A, while they are told one by one?"""

    def __init__(self, cluster: Cluster = None) -> None:
        self._cluster = cluster
        self._counts: list[tuple[Counts, Counts]] = []
        self._moved = {name: array("d") for name in MEANS}
        self._clusters: list[Hashable] | None = [] if cluster else None

    def add(self, one: Entry, other: Entry) -> None:
        """Count this case in, of A and of B."""
        self._counts.append(_both(one.judged, one.passes, other.judged, other.passes))
        for name, of in MEANS.items():
            self._moved[name].append(_difference(of(one), of(other)))
        if self._cluster and self._clusters is not None:
            self._clusters.append((self._cluster(one), self._cluster(other)))

    def __len__(self) -> int:
        return len(self._counts)

    @property
    def compared(self) -> int:
        """How many cases are judged on both sides?"""
        return sum(bool(one[0] and other[0]) for one, other in self._counts)

    @property
    def uneven(self) -> bool:
        """Are there some of these that were not judged equally often?"""
        return any(one[0] and other[0] and one[0] != other[0] for one, other in self._counts)

    def deltas(self, alpha: float) -> dict[str, Delta]:
        """By how much do they differ, measure by measure?"""
        found = {"rate": self._rate(alpha)}
        for name, formula in self._powers().items():
            moved = array("d", (_difference(formula(a), formula(b)) for a, b in self._counts))
            found[name] = self._mean(moved, alpha, worse=-1, share=True)
        for name, moved in self._moved.items():
            found[name] = self._mean(moved, alpha, worse=-1 if name == "score" else 0)
        return {name: delta for name, delta in found.items() if delta is not None}

    def _rate(self, alpha: float) -> Delta | None:
        judged = [(one, other) for one, other in self._counts if one[0] and other[0]]
        single = all(one[0] == other[0] == 1 for one, other in judged)
        if judged and single and self._cluster is None:
            broke = sum(one[1] > other[1] for one, other in judged)
            fixed = sum(one[1] < other[1] for one, other in judged)
            return _single(broke, fixed, len(judged), alpha)
        shares = array("d", (_difference(_share(a), _share(b)) for a, b in self._counts))
        return self._mean(shares, alpha, worse=-1, share=True)

    def _powers(self) -> dict[str, Callable[[Counts], float | None]]:
        """Which powers can be compared: of all trials that some case has on both sides?"""
        most = max((min(one[0], other[0]) for one, other in self._counts), default=0)
        most = min(most, LARGEST_K)
        found = {f"pass^{j}": _power(statistics.pass_hat, j) for j in range(2, most + 1)}
        return {**found, f"pass@{most}": _power(statistics.pass_at, most)} if most > 1 else found

    def _mean(
        self, moved: Sequence[float], alpha: float, *, worse: int, share: bool = False
    ) -> Delta | None:
        """By how much did a mean move? `worse` is the sign that is, 0 where it is not ours to say.

        A case that has no such value on both sides moved by NaN, and is left out.
        """
        known = [value for value in moved if not isnan(value)]
        if not known:
            return None
        clusters = self._clusters and [
            cluster
            for cluster, value in zip(self._clusters, moved, strict=True)
            if not isnan(value)
        ]
        least = statistics.smallest_changed(alpha)
        method = statistics.paired_share if share else statistics.paired_mean
        found = method(known, alpha, clusters)
        return Delta(
            value=found.value,
            low=found.low,
            high=found.high,
            n=len(known),
            test=found.test,
            p=found.p,
            exact_p=None,
            corrected=None,
            finding=_finding(found.value, found.p, alpha, worse),
            detectable=found.detectable if found.parts >= least else None,
            note=_too_few(found.changed, found.parts, least, alpha),
        )


def deltas(pairs: Iterable[Both], alpha: float, cluster: Cluster = None) -> dict[str, Delta]:
    """By how much do the cases of B differ from the same ones of A? See `Differences`."""
    found = Differences(cluster)
    for one, other in pairs:
        found.add(one, other)
    return found.deltas(alpha)


def _difference(a: float | None, b: float | None) -> float:
    """By how much do two values differ? NaN where one of them is not said."""
    if a is None or b is None:
        return nan
    return 0.0 if a == b or isclose(a, b, rel_tol=ROUNDING) else b - a


def _share(counts: Counts) -> float | None:
    judged, passes = counts
    return passes / judged if judged else None


def _power(formula: Formula, j: int) -> Callable[[Counts], float | None]:
    return cache(lambda counts: formula([counts], j))


FIGURES: Mapping[str, Callable[[Attempt], float | None]] = {
    "latency_ms": attrgetter("latency_ms"),
    "tokens": attrgetter("tokens"),
    "cost_usd": attrgetter("cost_usd"),
}
"""What a trial is measured by beside its verdict and score."""


def _each(of: Callable[[Attempt], float | None]) -> Callable[[Entry], float | None]:
    """Which function gives the mean of a case over the trials that say something?"""

    def mean(entry: Entry) -> float | None:
        if len(entry.attempts) == 1:
            return of(entry.attempts[0])
        known = [value for one in entry.attempts if (value := of(one)) is not None]
        return fsum(known) / len(known) if known else None

    return mean


MEANS: Mapping[str, Callable[[Entry], float | None]] = {
    "score": attrgetter("score"),
    **{name: _each(of) for name, of in FIGURES.items()},
}
"""By which values are cases compared, beside their shares of passes?"""


def _single(broke: int, fixed: int, n: int, alpha: float) -> Delta:
    """One trial a case: what counts is how many cases broke, and how many were fixed."""
    test = statistics.mcnemar(broke, fixed)
    interval = statistics.paired_rate_interval(broke, fixed, n)
    value = (fixed - broke) / n
    least = statistics.smallest_discordant(alpha)
    detectable = statistics.detectable_rate(n, (broke + fixed) / n, alpha)
    return Delta(
        value=value,
        low=interval.low,
        high=interval.high,
        n=n,
        test="McNemar mid-p",
        p=test.p,
        exact_p=test.exact,
        corrected=None,
        finding=_finding(value, test.p, alpha, -1),
        detectable=detectable if n >= least else None,
        note=_too_few(broke + fixed, n, least, alpha),
    )


def _too_few(changed: int, n: int, least: int, alpha: float) -> str | None:
    """Could so few changes, or so few cases, ever have rejected, and how many would?"""
    if changed >= least:
        return None
    said = f"cases that changed: {changed}; to reject at {alpha:g} takes {least}, all one way"
    return said if n >= least else f"{said}: {n} can show no change, however large"


def _finding(value: float, p: float, alpha: float, worse: int) -> Finding:
    """Is a difference more than noise, and to which side? `worse` is the sign that is."""
    if p > alpha or value == 0:
        return "~"
    if not worse:
        return "differs"
    return "worse" if (value > 0) == (worse > 0) else "better"


PRIMARY = "rate"
"""the one measure that a comparison is about, and gates look at; the others are one family"""


def corrected(deltas: Mapping[str, Delta], method: str, alpha: float) -> dict[str, Delta]:
    """The same differences, with the p-values of all but the primary one corrected as a family."""
    family = [name for name in deltas if name != PRIMARY]
    return {**deltas, **_family({name: deltas[name] for name in family}, method, alpha)}


def corrected_over(
    groups: Mapping[str, Mapping[str, Delta]], method: str, alpha: float
) -> dict[str, dict[str, Delta]]:
    """The same differences, with the p-values of each measure corrected over the groups."""
    found = {value: dict(deltas) for value, deltas in groups.items()}
    for name in {name for deltas in groups.values() for name in deltas}:
        family = {value: held[name] for value, held in groups.items() if name in held}
        for value, delta in _family(family, method, alpha).items():
            found[value][name] = delta
    return found


def _family(deltas: Mapping[str, Delta], method: str, alpha: float) -> dict[str, Delta]:
    ps = statistics.correct([delta.p for delta in deltas.values()], method)
    return {
        name: msgspec.structs.replace(
            delta, corrected=p, finding=delta.finding if p <= alpha else "~"
        )
        for (name, delta), p in zip(deltas.items(), ps, strict=True)
    }
