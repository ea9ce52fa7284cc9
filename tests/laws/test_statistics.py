"""L24: what diffruns reckons is what enumeration, scipy, statsmodels and simulation say it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, product
from math import comb, inf, log, sqrt
from typing import Any

import numpy as np
import pytest
from errorbars import compare as errorbars
from errorbars import stats as bars
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from diffruns import statistics
from diffruns.statistics import rates
from diffruns.statistics.intervals import Z, standard_error, student

ALPHA = 0.05
RUNS = 2000
NOISE = 3 * sqrt(ALPHA * (1 - ALPHA) / RUNS)
"""how far a share of so many runs may be above its level by chance"""
CASES = st.lists(st.floats(-100, 100).map(lambda x: round(x, 3)), min_size=2, max_size=60)


def close(wanted: float, within: float = 1e-9) -> Any:
    return pytest.approx(wanted, rel=within, abs=within)


# McNemar


def by_enumeration(broke: int, fixed: int) -> tuple[float, float]:
    """Mid-p and exact p, by going through all ways in which the changed cases may turn out."""
    n, fewer = broke + fixed, min(broke, fixed)
    turned = [sum(ways) for ways in product((0, 1), repeat=n)]
    beyond, seen = sum(k < fewer for k in turned), sum(k == fewer for k in turned)
    return min(1.0, (2 * beyond + seen) / 2**n), min(1.0, 2 * (beyond + seen) / 2**n)


def test_l24_mcnemar_is_what_all_outcomes_say() -> None:
    for n in range(13):
        for broke in range(n + 1):
            mid, exact = by_enumeration(broke, n - broke)
            found = statistics.mcnemar(broke, n - broke)
            assert found.exact == exact
            assert found.p == (1.0 if 2 * broke == n else mid)


@pytest.mark.parametrize("n", [13, 50, 199, 1000, 5001, rates.MANY])
def test_l24_mcnemar_is_that_of_scipy_and_statsmodels(n: int) -> None:
    for broke in sorted({0, 1, n // 10, n * 2 // 5, n * 49 // 100, n // 2, n * 3 // 5, n}):
        found, fewer = statistics.mcnemar(broke, n - broke), min(broke, n - broke)
        exact = stats.binomtest(broke, n).pvalue
        assert found.exact == close(exact)
        table = [[0, broke], [n - broke, 0]]
        assert found.exact == close(mcnemar_of_statsmodels(table, exact=True).pvalue)
        assert found.p == close(min(1.0, 2 * stats.binom.cdf(fewer, n, 0.5)
                                    - stats.binom.pmf(fewer, n, 0.5)))  # fmt: skip
        if n <= 1000:
            before, after = np.zeros(n), np.ones(n)
            before[:broke], after[:broke] = 1, 0
            assert found.exact == close(errorbars.mcnemar_exact(before, after).p_value)


@pytest.mark.parametrize("n", [rates.MANY + 1, 40_000, 1_000_000])
def test_l24_beyond_many_changes_mcnemar_is_the_normal_limit(n: int) -> None:
    for away in (0, 0.5, 1, 1.96, 3):
        fewer = int(n / 2 - away * sqrt(n) / 2)
        found = statistics.mcnemar(fewer, n - fewer)
        assert found.p == close(2 * stats.norm.cdf((fewer - n / 2) / sqrt(n / 4)))
        mid = 2 * stats.binom.cdf(fewer, n, 0.5) - stats.binom.pmf(fewer, n, 0.5)
        assert found.p == pytest.approx(mid, abs=1e-4)
        assert found.exact == pytest.approx(min(1, 2 * stats.binom.cdf(fewer, n, 0.5)), abs=1e-4)


# Intervals


def test_l24_wilson_is_that_of_statsmodels() -> None:
    for n in (*range(1, 61), 1000, 123_456, 10**8):
        for passed in range(n + 1) if n <= 60 else (0, 1, n // 3, n - 1, n):
            found = statistics.wilson(passed, n)
            low, high = proportion_confint(passed, n, method="wilson")
            assert (found.low, found.high) == (close(low), close(high))
            assert 0 <= found.low <= found.value <= found.high <= 1
            assert found.low == close(max(0.0, bars.wilson_ci(passed, n).ci_low))


def test_l24_students_quantile_is_that_of_scipy() -> None:
    wanted = stats.t.ppf(0.975, np.arange(1, 2001))
    found = [student(df) for df in range(1, 2001)]
    assert found == pytest.approx(wanted, rel=1e-6)
    assert found[:29] == pytest.approx(wanted[:29], rel=1e-9)


@given(CASES)
def test_l24_the_mean_has_the_interval_of_a_t_test(values: list[float]) -> None:
    found = statistics.mean(values)
    spread = np.std(values, ddof=1)
    half = student(len(values) - 1) * spread / sqrt(len(values))
    assert found.low == close(np.mean(values) - half)
    if spread > 1e-9:
        wanted = stats.ttest_1samp(values, 0).confidence_interval(0.95)
        assert (found.low, found.high) == (close(wanted.low, 2e-6), close(wanted.high, 2e-6))


@given(CASES, st.data())
def test_l24_clustered_errors_are_those_of_statsmodels(values: list[float], data: Any) -> None:
    """The small-sample factor is G/(G-1): statsmodels' own, where a mean is all that is fitted."""
    cluster = st.integers(0, max(1, len(values) // 3))
    clusters = data.draw(st.lists(cluster, min_size=len(values), max_size=len(values)))
    error, count = standard_error(values, clusters)
    assert count == len(set(clusters))
    if count < 2:
        assert error is None
        return
    of_ols = {"groups": np.array(clusters), "use_correction": True}
    fitted = OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds=of_ols)
    assert error == pytest.approx(fitted.bse[0], rel=1e-7, abs=1e-9)
    assert error == pytest.approx(bars.cluster_robust_se(values, clusters), rel=1e-7, abs=1e-9)


def test_l24_paired_means_are_those_of_errorbars() -> None:
    chance = np.random.default_rng(7)
    for n in (2, 5, 40, 300):
        a, b, clusters = chance.random(n), chance.random(n), list(range(n // 2)) * 2 + [0] * (n % 2)
        plain = statistics.paired_mean([*(b - a)], ALPHA)
        tied = statistics.paired_mean([*(b - a)], ALPHA, clusters)
        wanted = errorbars.paired_compare(b, a, clusters)
        assert (plain.value, plain.low) == (close(wanted.mean_diff), close(wanted.ci_low, 1e-6))
        if n > 3:
            assert tied.low == close(wanted.ci_low_clustered, 1e-6)


# Tango's interval


def tango_score(broke: int, fixed: int, n: int, difference: float) -> float:
    """Tango's statistic, by its definition: what is likeliest, given the difference, is searched.

    The likelihood of the table is highest, of all tables with this difference, at some share of
    broken cases. The score test divides by the standard deviation that this table has.
    """

    def unlikely(share: float) -> float:
        cells = (fixed, share + difference), (broke, share), (n - fixed - broke, None)
        total = 0.0
        for count, chance in cells:
            of = 1 - 2 * share - difference if chance is None else chance
            total -= count * log(max(of, 1e-300)) if count else 0.0
        return total

    ends = max(0.0, -difference), (1 - difference) / 2
    found = optimize.minimize_scalar(unlikely, bounds=ends, method="bounded",
                                     options={"xatol": 1e-13})  # fmt: skip
    share = min((float(found.x), *ends), key=unlikely)
    spread = sqrt(max(0.0, n * (2 * share + difference - difference * difference)))
    gap = fixed - broke - n * difference
    return gap / spread if spread > 1e-9 else inf * gap if gap else 0.0


TABLES = [(1, 7, 21), (6, 16, 161), (0, 1, 44), (0, 0, 10), (0, 5, 5), (3, 0, 8), (4, 4, 8),
          (2, 3, 100), (20, 40, 160), (0, 12, 30), (1, 0, 1), (250, 300, 1000)]  # fmt: skip


@pytest.mark.parametrize(("broke", "fixed", "n"), TABLES)
def test_l24_tangos_interval_is_what_its_score_test_does_not_refuse(
    broke: int, fixed: int, n: int
) -> None:
    found = statistics.paired_rate_interval(broke, fixed, n)
    for difference in np.linspace(-0.9999, 0.9999, 401):
        if min(abs(difference - found.low), abs(difference - found.high)) < 1e-4:
            continue
        refused = abs(tango_score(broke, fixed, n, float(difference))) > Z
        assert refused == (not found.low <= difference <= found.high)


def test_l24_tangos_bounds_are_roots_of_its_quartic() -> None:
    """Yang, Sun and Hardin 2013: the bounds without iteration, as roots of a polynomial."""
    for broke, fixed, n in TABLES:
        d, s, g = fixed - broke, broke + fixed, Z * Z
        quartic = [
            n**2 * (n / g + 1) ** 2,
            -n * d * (n / g + 1) * (4 * n / g + 1),
            2 * n * d**2 * (3 * n / g + 2) / g - n**2 * (s / g + 1),
            n * d * (2 * s / g + 1) - d**3 * (4 * n / g + 1) / g,
            d**2 * (d**2 / g - s) / g if s else 0.0,
        ]
        found = statistics.paired_rate_interval(broke, fixed, n)
        for bound in (found.low, found.high):
            at = np.polyval(quartic, bound)
            assert abs(at) < 1e-6 * max(map(abs, quartic)) or abs(bound) > 1 - 1e-9


def trinomial(n: int, broken: float, fixed: float) -> Iterator[tuple[int, int, float]]:
    """Every table of n cases, with how likely it is."""
    for b in range(n + 1):
        for c in range(n + 1 - b):
            steady = (1 - broken - fixed) ** (n - b - c)
            yield b, c, comb(n, b) * comb(n - b, c) * broken**b * fixed**c * steady


def test_l24_tangos_interval_covers_as_often_as_it_says() -> None:
    n, seen = 50, []
    bounds = {
        (b, c): statistics.paired_rate_interval(b, c, n)
        for b in range(n + 1)
        for c in range(n + 1 - b)
    }
    for broken, fixed in product((0.05, 0.1, 0.2, 0.3), repeat=2):
        truth = fixed - broken
        covered = sum(
            chance
            for b, c, chance in trinomial(n, broken, fixed)
            if bounds[b, c].low - 1e-9 <= truth <= bounds[b, c].high + 1e-9
        )
        seen.append(covered)
    assert 0.93 <= min(seen) <= max(seen) <= 0.97
    assert sum(seen) / len(seen) == pytest.approx(0.95, abs=0.01)


# Sign flips


def flipped(differences: Sequence[float]) -> float:
    """The sign-flip test by its definition: all signs, counted."""
    seen = abs(sum(differences))
    sums = [
        abs(sum(sign * one for sign, one in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(total >= seen - 1e-9 for total in sums) / len(sums)


@given(st.lists(st.integers(-20, 20).map(lambda x: x / 4), min_size=1, max_size=12))
def test_l24_sign_flips_are_what_all_signs_say(differences: list[float]) -> None:
    assert statistics.sign_flip(differences) == close(flipped(differences))


def of_scipy(differences: Any, resamples: float, rng: Any = None) -> float:
    found = stats.permutation_test(
        (differences,),
        lambda x, axis: np.sum(x, axis=axis),
        vectorized=True,
        permutation_type="samples",
        n_resamples=resamples,
        rng=rng,
    )
    return float(found.pvalue)


def test_l24_sign_flips_are_those_of_scipy() -> None:
    chance = np.random.default_rng(24)
    for n in range(2, 13):
        for differences in (chance.normal(0.5, 1, n), chance.integers(-3, 4, n) / 3):
            assert statistics.sign_flip([*differences]) == close(of_scipy(differences, inf))
    for n in (18, 24, 25, 40, 150, 400):
        for differences in (
            chance.normal(1.5 / sqrt(n), 1, n),
            chance.exponential(1, n) - chance.exponential(1, n) + 1.5 / sqrt(n),
            chance.choice([-1.0, 1.0], n) * ([10.0] * 5 + [0.1] * (n - 5)),
        ):
            wanted = of_scipy(differences, 20_000, chance)
            within = 4 * sqrt(wanted * (1 - wanted) / 20_000) + 0.01
            assert statistics.sign_flip([*differences]) == pytest.approx(wanted, abs=within)


# Powers


def drawn(n: int, c: int, j: int) -> list[Sequence[bool]]:
    return list(combinations([True] * c + [False] * (n - c), j))


def test_l24_powers_are_what_all_draws_say() -> None:
    for n in range(1, 9):
        for c, j in product(range(n + 1), range(1, n + 1)):
            draws = drawn(n, c, j)
            assert statistics.pass_hat([(n, c)], j) == close(sum(map(all, draws)) / len(draws))
            assert statistics.pass_at([(n, c)], j) == close(sum(map(any, draws)) / len(draws))


COUNTS = st.lists(st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
                  min_size=1, max_size=20)  # fmt: skip


@given(COUNTS)
def test_l24_powers_lie_between_bounds_and_move_one_way(counts: list[tuple[int, int]]) -> None:
    least = min(n for n, _ in counts)
    every = [statistics.pass_hat(counts, j) or 0.0 for j in range(1, least + 1)]
    some = [statistics.pass_at(counts, j) or 0.0 for j in range(1, least + 1)]
    assert every[0] == close(some[0])
    for one, other in pairwise(every):
        assert 0 <= other <= one + 1e-12 <= 1 + 1e-9
    for one, other in pairwise(some):
        assert 0 <= one <= other + 1e-12 <= 1 + 1e-9
    assert statistics.pass_hat(counts, max(n for n, _ in counts) + 1) is None


# Families


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_l24_corrections_are_those_of_statsmodels(ps: list[float]) -> None:
    for method, named in (("holm", "holm"), ("bh", "fdr_bh")):
        wanted = multipletests(ps, method=named)[1]
        assert statistics.correct(ps, method) == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    assert statistics.correct(ps, "none") == ps


# What could have been seen


@given(st.integers(4, 100_000), st.floats(0, 1), st.sampled_from([0.001, 0.01, 0.05, 0.2]))
def test_l24_the_detectable_rate_is_where_connors_sample_size_is_n(
    n: int, changed: float, alpha: float
) -> None:
    found = statistics.detectable_rate(n, changed, alpha)
    reject, show = stats.norm.ppf(1 - alpha / 2), stats.norm.ppf(rates.POWER)

    def cases(difference: float) -> float:
        share = max(changed, difference)
        spread = reject * sqrt(share) + show * sqrt(share - difference * difference)
        return float((spread / difference) ** 2)

    if found is None:
        assert cases(1.0) > n
    else:
        assert cases(found) == pytest.approx(n, rel=1e-6)


@pytest.mark.parametrize("alpha", [0.5, 0.1, 0.05, 0.01, 1e-6])
def test_l24_the_fewest_changes_that_reject_are_the_fewest(alpha: float) -> None:
    least = statistics.smallest_discordant(alpha)
    assert statistics.mcnemar(0, least).p <= alpha
    assert all(statistics.mcnemar(0, n).p > alpha for n in range(1, least))


# What is simulated, where the truth is known


def rejected(draw: Callable[[np.random.Generator], float]) -> float:
    """In which share of the runs is the p-value that is drawn at most ALPHA?"""
    chance = np.random.default_rng(20_240)
    return sum(draw(chance) <= ALPHA for _ in range(RUNS)) / RUNS


def covered(truth: float, draw: Callable[[np.random.Generator], Any]) -> float:
    """In which share of the runs does the interval that is drawn hold what is true?"""
    chance = np.random.default_rng(20_241)
    intervals = [draw(chance) for _ in range(RUNS)]
    return sum(one.low - 1e-12 <= truth <= one.high + 1e-12 for one in intervals) / RUNS


@cache
def tango(broke: int, fixed: int, n: int) -> statistics.Interval:
    return statistics.paired_rate_interval(broke, fixed, n)


@pytest.mark.parametrize(("n", "changed"), [(20, 0.3), (100, 0.1), (500, 0.2), (50_000, 0.3)])
def test_l24_mcnemar_seldom_rejects_noise(n: int, changed: float) -> None:
    def draw(chance: np.random.Generator) -> float:
        broke, fixed, _ = chance.multinomial(n, [changed / 2, changed / 2, 1 - changed])
        return statistics.mcnemar(int(broke), int(fixed)).p

    assert rejected(draw) <= ALPHA + NOISE


def test_l24_mcnemar_keeps_its_level_unless_nearly_all_cases_change() -> None:
    """Mid-p is no exact test: it may reject noise a little too often where nothing is steady."""
    levels = [sum(comb(m, broke) for broke in range(m + 1)
                  if statistics.mcnemar(broke, m - broke).p <= ALPHA) / 2**m
              for m in range(301)]  # fmt: skip
    assert max(levels) == levels[16] == pytest.approx(0.0768, abs=1e-4)
    for n in (5, 8, 10, 15, 20, 40, 80, 200, 300):
        for changed in (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7):
            chances = stats.binom.pmf(np.arange(n + 1), n, changed)
            assert chances @ levels[: n + 1] <= ALPHA


def trials(chance: np.random.Generator, n: int, k: int, size: int = 1) -> Any:
    """Differences of shares: n cases, k trials a side, cases of unlike difficulty.

    Cases come in clusters of `size`; those of one cluster move together, half of the clusters up.
    """
    ease = chance.beta(2, 1, n)
    move = np.repeat(chance.choice([-0.3, 0.3], -(-n // size)), size)[:n] if size > 1 else 0.0
    before, after = np.clip(ease - move, 0, 1), np.clip(ease + move, 0, 1)
    return (chance.binomial(k, after) - chance.binomial(k, before)) / k


@pytest.mark.parametrize(("n", "k"), [(8, 3), (12, 1), (15, 5), (40, 3), (200, 4)])
def test_l24_sign_flips_seldom_reject_noise(n: int, k: int) -> None:
    assert (
        rejected(lambda chance: statistics.sign_flip(trials(chance, n, k).tolist()))
        <= ALPHA + NOISE
    )


@pytest.mark.parametrize(("n", "size"), [(60, 5), (100, 10), (240, 6)])
def test_l24_sign_flips_by_cluster_seldom_reject_noise(n: int, size: int) -> None:
    clusters = [case // size for case in range(n)]

    def draw(chance: np.random.Generator) -> float:
        differences = trials(chance, n, 3, size).tolist()
        return statistics.paired_mean(differences, ALPHA, clusters).p

    assert rejected(draw) <= ALPHA + NOISE
    assert (
        rejected(lambda chance: statistics.sign_flip(trials(chance, n, 3, size).tolist()))
        > 2 * ALPHA
    )


HEAVY = {
    "normal": lambda chance, n: chance.normal(size=n),
    "heavy": lambda chance, n: chance.standard_t(2, n),
    "latencies": lambda chance, n: np.subtract(*np.exp(1.5 * chance.normal(size=(2, n)))),
    "five outliers": lambda chance, n: chance.choice([-1, 1], n) * ([1.0] * 5 + [0.01] * (n - 5)),
}


@pytest.mark.parametrize("kind", HEAVY)
@pytest.mark.parametrize("n", [10, 25, 60, 300])
def test_l24_sign_flips_seldom_reject_noise_of_any_shape(kind: str, n: int) -> None:
    level = rejected(lambda chance: statistics.sign_flip(HEAVY[kind](chance, n).tolist()))
    assert level <= ALPHA + NOISE


@pytest.mark.parametrize(("k", "least", "most"), [(1, 0.10, 0.16), (3, 0.02, ALPHA + NOISE)])
def test_l24_sign_flips_of_unlike_numbers_of_trials_are_off_as_the_guide_says(
    k: int, least: float, most: float
) -> None:
    def draw(chance: np.random.Generator) -> float:
        ease = chance.beta(19, 1, 30)
        differences = chance.binomial(5, ease) / 5 - chance.binomial(k, ease) / k
        return statistics.sign_flip(differences.tolist())

    assert least <= rejected(draw) <= most


@pytest.mark.parametrize(("n", "share"), [(30, 0.5), (30, 0.8), (60, 0.9), (200, 0.95)])
def test_l24_wilson_covers_as_often_as_it_says(n: int, share: float) -> None:
    found = covered(share, lambda chance: statistics.wilson(int(chance.binomial(n, share)), n))
    assert 0.93 <= found <= 0.97


@pytest.mark.parametrize(("n", "k"), [(20, 5), (30, 3), (100, 4)])
@pytest.mark.parametrize(("a", "b"), [(2, 1), (1, 1), (4, 1)])
def test_l24_shares_of_cases_cover_as_often_as_they_say(n: int, k: int, a: int, b: int) -> None:
    def draw(chance: np.random.Generator) -> statistics.Interval:
        return statistics.share_of_cases((chance.binomial(k, chance.beta(a, b, n)) / k).tolist())

    assert 0.93 <= covered(a / (a + b), draw) <= 0.97


@pytest.mark.parametrize("parts", [5, 10, 30, 60])
def test_l24_clustered_shares_cover_as_often_as_they_say(parts: int) -> None:
    def draw(chance: np.random.Generator) -> statistics.Interval:
        sizes = chance.integers(1, 10, parts)
        clusters = np.repeat(np.arange(parts), sizes)
        passed = chance.binomial(1, np.repeat(chance.beta(4, 4, parts), sizes))
        return statistics.share_of_cases([*map(float, passed)], clusters.tolist())

    assert 0.93 <= covered(0.5, draw) <= 0.97


@pytest.mark.parametrize("n", [5, 30, 100])
def test_l24_means_cover_as_often_as_they_say(n: int) -> None:
    assert (
        0.93 <= covered(0.0, lambda chance: statistics.mean(chance.normal(size=n).tolist())) <= 0.97
    )
    scores = covered(2 / 7, lambda chance: statistics.mean(chance.beta(2, 5, n).tolist()))
    assert 0.93 <= scores <= 0.97


@pytest.mark.parametrize("parts", [5, 20, 50])
def test_l24_clustered_means_cover_as_often_as_they_say(parts: int) -> None:
    clusters = np.repeat(np.arange(parts), 4)

    def draw(chance: np.random.Generator) -> statistics.Estimate:
        values = np.repeat(chance.normal(size=parts), 4) + chance.normal(size=4 * parts)
        return statistics.mean(values.tolist(), clusters.tolist())

    assert 0.93 <= covered(0.0, draw) <= 0.97


@pytest.mark.parametrize(("n", "broken", "fixed"), [(30, 0.1, 0.2), (100, 0.1, 0.1),
                                                    (500, 0.05, 0.1)])  # fmt: skip
def test_l24_differences_of_rates_cover_as_often_as_they_say(
    n: int, broken: float, fixed: float
) -> None:
    def draw(chance: np.random.Generator) -> statistics.Interval:
        broke, better, _ = chance.multinomial(n, [broken, fixed, 1 - broken - fixed])
        return tango(int(broke), int(better), n)

    assert 0.93 <= covered(fixed - broken, draw) <= 0.97


def test_l24_what_is_called_detectable_of_rates_is_seen_four_times_out_of_five() -> None:
    n, changed = 500, 0.2
    effect = statistics.detectable_rate(n, changed, ALPHA)
    assert effect is not None

    def draw(chance: np.random.Generator) -> float:
        shares = [(changed - effect) / 2, (changed + effect) / 2, 1 - changed]
        broke, fixed, _ = chance.multinomial(n, shares)
        return statistics.mcnemar(int(broke), int(fixed)).p

    assert rejected(draw) == pytest.approx(rates.POWER, abs=0.03)


@pytest.mark.parametrize("clustered", [False, True])
def test_l24_what_is_called_detectable_of_means_is_seen_four_times_out_of_five(
    clustered: bool,
) -> None:
    n, size = 240, 4
    clusters = [case // size for case in range(n)] if clustered else None
    spread = sqrt(((size + 1) if clustered else 1) / n)
    effect = float(stats.norm.ppf(1 - ALPHA / 2) + stats.norm.ppf(rates.POWER)) * spread
    stated = []

    def draw(chance: np.random.Generator) -> float:
        tied = np.repeat(chance.normal(size=n // size), size) if clustered else 0.0
        found = statistics.paired_mean(
            (chance.normal(effect, 1, n) + tied).tolist(), ALPHA, clusters
        )
        stated.append(found.detectable)
        return found.p

    assert rejected(draw) == pytest.approx(rates.POWER, abs=0.03)
    assert np.mean(stated) == pytest.approx(effect, rel=0.02)
