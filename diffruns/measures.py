"""What do cases come to, and by how much do two runs of the same cases differ?

A case counts once, whatever its number of trials: what is averaged is its own share of passes, or
its own mean. Trials without a verdict (errors, undecided and skipped ones) are in no share; the
bracket shows what counting errors as failures would make of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import fsum, isclose
from typing import NamedTuple, TypeAlias

import msgspec

from converter.aggregates import nearest_rank
from converter.facts import Run
from diffruns import statistics
from diffruns.entries import Attempt, Entry, figure
from diffruns.report import Delta, Finding, Mean, Measures, Rate, Spread, Total

Formula: TypeAlias = Callable[[Sequence[tuple[int, int]], int], float | None]

POLICY = "trials that passed, of those that passed or failed; a case counts once"
ROUNDING = 1e-12
"""values that differ by no more, of what they are, differ by how their tools rounded"""
LARGEST_K = 32
"""powers of pass^j that are told at most"""

Both: TypeAlias = tuple[Entry, Entry]
Cluster: TypeAlias = Callable[[Entry], Hashable] | None
"""What names the cluster that a case lies in? None where every case stands for itself."""


class Compared(NamedTuple):
    """By which value of a case are runs compared, and is it a share?

    `worse` is the sign of a difference for the worse, 0 where it is not ours to say.
    """

    of: Callable[[Entry], float | None]
    worse: int
    share: bool = False


class Unlisted(NamedTuple):
    """How many cases does a file count without listing them?"""

    passed: int = 0
    failed: int = 0


NONE = Unlisted()


def unlisted(run: Run) -> Unlisted:
    """How many cases does the run have that its file does not list?"""
    counts = (figure(count) for count in (run.unlisted_passed, run.unlisted_failed))
    return Unlisted(*(max(int(count or 0), 0) for count in counts))


def measure(
    entries: Sequence[Entry], cluster: Cluster = None, unlisted: Unlisted = NONE
) -> Measures:
    """What do these cases come to? What lies in one cluster counts as one part in the bounds."""
    attempts = [attempt for entry in entries for attempt in entry.attempts]
    counts = [(entry.judged, entry.passes) for entry in entries if entry.judged]
    powers = range(1, min(max((n for n, _ in counts), default=0), LARGEST_K) + 1)
    return Measures(
        cases=len(entries),
        trials=len(attempts),
        verdicts=dict(sorted(Counter(entry.state for entry in entries).items())),
        rate=_rate(entries, cluster),
        whole_rate=_whole_rate(entries, unlisted) if any(unlisted) else None,
        pass_hat=_powers(counts, powers, statistics.pass_hat),
        pass_at=_powers(counts, powers, statistics.pass_at),
        score=_mean([entry for entry in entries if entry.score is not None], cluster),
        latency_ms=_spread([one.latency_ms for one in attempts if one.latency_ms is not None]),
        tokens=_total([one.tokens for one in attempts]),
        cost_usd=_total([one.cost_usd for one in attempts]),
    )


def _powers(
    counts: Sequence[tuple[int, int]],
    powers: Iterable[int],
    formula: Formula,
) -> dict[str, float]:
    found = {str(j): formula(counts, j) for j in powers}
    return {j: share for j, share in found.items() if share is not None}


def _rate(entries: Sequence[Entry], cluster: Cluster) -> Rate | None:
    judged = [entry for entry in entries if entry.judged]
    if not judged:
        return None
    shares = [entry.passes / entry.judged for entry in judged]
    if cluster is None and all(entry.judged == 1 for entry in judged):
        interval = statistics.wilson(sum(entry.passes for entry in judged), len(judged))
    else:
        interval = statistics.share_of_cases(shares, _clusters(judged, cluster))
    strict = [
        entry.passes / (entry.judged + entry.errors)
        for entry in entries
        if entry.judged or entry.errors
    ]
    return Rate(
        value=interval.value,
        low=interval.low,
        high=interval.high,
        n=len(judged),
        policy=POLICY,
        bracket=(fsum(strict) / len(strict), interval.value),
    )


def _whole_rate(entries: Sequence[Entry], unlisted: Unlisted) -> float:
    shares = [entry.passes / entry.judged for entry in entries if entry.judged]
    return (fsum(shares) + unlisted.passed) / (len(shares) + sum(unlisted))


def _clusters(entries: Iterable[Entry], cluster: Cluster) -> list[Hashable] | None:
    return None if cluster is None else [cluster(entry) for entry in entries]


def _mean(scored: Sequence[Entry], cluster: Cluster) -> Mean | None:
    values = [entry.score for entry in scored if entry.score is not None]
    if not values:
        return None
    found = statistics.mean(values, _clusters(scored, cluster))
    return Mean(found.value, found.low, found.high, len(values))


def _spread(values: Sequence[float]) -> Spread | None:
    p50, p95 = nearest_rank(values, 0.5), nearest_rank(values, 0.95)
    return None if p50 is None or p95 is None else Spread(p50, p95, len(values))


def _total(values: Sequence[float | None]) -> Total | None:
    known = [value for value in values if value is not None]
    return Total(fsum(known), len(known), len(values) - len(known)) if known else None


def deltas(pairs: Sequence[Both], alpha: float, cluster: Cluster = None) -> dict[str, Delta]:
    """By how much do the cases of B differ from the same ones of A, measure by measure?"""
    found = {"rate": _rate_delta(pairs, alpha, cluster)}
    for name, compared in (*_powers_of(pairs), *MEANS.items()):
        found[name] = _mean_delta(pairs, compared, alpha, cluster)
    return {name: delta for name, delta in found.items() if delta is not None}


def _each(of: Callable[[Attempt], float | None]) -> Callable[[Entry], float | None]:
    """Which function gives the mean of a case over the trials that say something?"""

    def mean(entry: Entry) -> float | None:
        if len(entry.attempts) == 1:
            return of(entry.attempts[0])
        known = [value for one in entry.attempts if (value := of(one)) is not None]
        return fsum(known) / len(known) if known else None

    return mean


def _powers_of(pairs: Sequence[Both]) -> Iterator[tuple[str, Compared]]:
    """Which powers can be compared: of all trials that some case has on both sides?"""
    most = min(max((min(one.judged, other.judged) for one, other in pairs), default=0), LARGEST_K)
    for j in range(2, most + 1):
        yield f"pass^{j}", _power(statistics.pass_hat, j)
    if most > 1:
        yield f"pass@{most}", _power(statistics.pass_at, most)


def _power(formula: Formula, j: int) -> Compared:
    return Compared(lambda entry: formula([(entry.judged, entry.passes)], j), -1, share=True)


SHARE = Compared(
    lambda entry: entry.passes / entry.judged if entry.judged else None, -1, share=True
)
MEANS: Mapping[str, Compared] = {
    "score": Compared(lambda entry: entry.score, -1),
    "latency_ms": Compared(_each(lambda one: one.latency_ms), 0),
    "tokens": Compared(_each(lambda one: one.tokens), 0),
    "cost_usd": Compared(_each(lambda one: one.cost_usd), 0),
}
"""What is always compared."""


def _rate_delta(pairs: Sequence[Both], alpha: float, cluster: Cluster) -> Delta | None:
    judged = [(one, other) for one, other in pairs if one.judged and other.judged]
    single = all(one.judged == other.judged == 1 for one, other in judged)
    if judged and single and cluster is None:
        return _single(judged, alpha)
    return _mean_delta(judged, SHARE, alpha, cluster)


def _single(judged: Sequence[Both], alpha: float) -> Delta:
    """One trial a case: what counts is how many cases broke, and how many were fixed."""
    n = len(judged)
    broke = sum(one.passes > other.passes for one, other in judged)
    fixed = sum(one.passes < other.passes for one, other in judged)
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


def _mean_delta(
    pairs: Sequence[Both], compared: Compared, alpha: float, cluster: Cluster
) -> Delta | None:
    of = compared.of
    said = [(of(one), of(other)) for one, other in pairs]
    known = [
        0.0 if a == b or isclose(a, b, rel_tol=ROUNDING) else b - a
        for a, b in said
        if a is not None and b is not None
    ]
    if not known:
        return None
    named = cluster and [
        (cluster(one), cluster(other))
        for (one, other), values in zip(pairs, said, strict=True)
        if None not in values
    ]
    least = statistics.smallest_changed(alpha)
    method = statistics.paired_share if compared.share else statistics.paired_mean
    found = method(known, alpha, named)
    return Delta(
        value=found.value,
        low=found.low,
        high=found.high,
        n=len(known),
        test=found.test,
        p=found.p,
        exact_p=None,
        corrected=None,
        finding=_finding(found.value, found.p, alpha, compared.worse),
        detectable=found.detectable if found.parts >= least else None,
        note=_too_few(found.changed, found.parts, least, alpha),
    )


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
