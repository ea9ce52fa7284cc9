"""L20 to L23: comparing runs, over every fixture and over drawn pairs of every version."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from converter import chain
from converter.runs import run_file
from diffruns import kept
from diffruns.compare import Comparison, compare
from diffruns.options import Options
from diffruns.renderers import View, render
from diffruns.report import Delta, Group, Report, Summary
from diffruns.sides import Side, side
from diffruns.transitions import MIRROR
from registry.catalog import Version
from registry.errors import BadCarry
from registry.values import digest
from tests.converter import samples
from tests.strategies import runs

VERSIONS = samples.versions()
BY = ("risk_type", "tag", "target")


def side_of(document: Any, ref: str, *, lines: bool = False) -> Side:
    return side(run_file(chain.stage(document, ref, lines=lines)), "", digest(document))


def compared(a: Any, b: Any, ref: str, other: str | None = None) -> Comparison:
    return compare(side_of(a, ref), side_of(b, other or ref), Options(by=BY, cluster="group"))


def outcome(report: Report) -> tuple[Any, ...]:
    """What a report comes to, whatever its files are called and in which order they are."""
    cases = Counter(
        (case.bucket, case.a and repr(case.a), case.b and repr(case.b)) for case in report.cases
    )
    measures = [
        (side.cases, side.trials, side.verdicts, side.pass_hat and _rounded(side.pass_hat))
        for side in (report.summary.a, report.summary.b)
    ]
    return cases, report.buckets, measures, _tests(report.summary.delta), report.exit_code


def _rounded(shares: dict[str, float]) -> dict[str, float]:
    """Sums in another order are the same but for their last digits."""
    return {j: round(share, 9) for j, share in shares.items()}


def _tests(deltas: dict[str, Delta]) -> dict[str, tuple[Any, ...]]:
    return {
        name: (delta.n, delta.finding, delta.p and round(delta.p, 6))
        for name, delta in deltas.items()
    }


@pytest.mark.parametrize("path", samples.valid(), ids=samples.name)
def test_l20_a_run_does_not_differ_from_itself(path: Path) -> None:
    stage = samples.staged(path)
    one = side(run_file(stage), "", "")
    report = compare(one, one, Options(by=BY)).report
    assert {name for name, count in report.buckets.items() if count} <= {"unchanged"}
    assert all(not case.changes and case.rung for case in report.cases)
    unfinished = {"status", "pending review", "cases"}
    assert {one.field for one in report.comparable.differences} <= unfinished
    assert all(delta.value == 0 for delta in report.summary.delta.values())
    assert all(mode.change == "same" for mode in report.failure_modes)
    assert report.exit_code in (0, 3, 4)


@pytest.mark.parametrize("path", samples.valid(), ids=samples.name)
def test_l20_many_cases_held_in_a_file_come_to_the_same(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_, last = sorted(path.parent.iterdir())
    runs_ = [run_file(samples.staged(one)) for one in (path, first, last)]

    def told() -> list[bytes]:
        a, *others = (side(run, "", "") for run in runs_)
        options = Options(by=BY, cluster="group")
        return [render("json", compare(a, b, options), View()) for b in others]

    held = told()
    monkeypatch.setattr(kept, "FEW", 0)
    assert told() == held


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(version=st.sampled_from(VERSIONS), data=st.data())
def test_l20_l21_l23_any_two_runs(version: Version, data: st.DataObject) -> None:
    a, b = data.draw(runs.pairs(version))
    there, back = compared(a, b, version.ref), compared(b, a, version.ref)
    same = compared(a, a, version.ref).report
    assert {name for name, count in same.buckets.items() if count} <= {"unchanged"}
    assert mirrored(there.report) == {name: n for name, n in back.report.buckets.items() if n}
    assert_mirrored(there.report.summary, back.report.summary)
    for dimension, groups in there.report.by.items():
        others = back.report.by[dimension]
        assert [group.value for group in groups] == [group.value for group in others]
        for group, other in zip(groups, others, strict=True):
            assert_mirrored(group, other)
    every_case_is_in_one_bucket(there)


def assert_mirrored(there: Summary | Group, back: Summary | Group) -> None:
    """The sides change places, and every difference its sign."""
    assert (there.a, there.b) == (back.b, back.a)
    assert there.delta.keys() == back.delta.keys()
    for name, delta in there.delta.items():
        other = back.delta[name]
        assert delta.value == pytest.approx(-other.value, abs=1e-9, rel=1e-9)
        assert delta.p == pytest.approx(other.p, abs=1e-9)
        assert delta.n == other.n


def mirrored(report: Report) -> dict[str, int]:
    """The buckets of the report the other way round."""
    return {MIRROR.get(name, name): count for name, count in report.buckets.items() if count}  # type: ignore[call-overload]


def every_case_is_in_one_bucket(comparison: Comparison) -> None:
    report = comparison.report
    for entries, sides in (
        (comparison.a.entries, [pair.a for pair in comparison.pairs if pair.a is not None]),
        (comparison.b.entries, [pair.b for pair in comparison.pairs if pair.b is not None]),
    ):
        assert Counter(map(id, entries)) == Counter(map(id, sides))
    assert sum(report.buckets.values()) == len(report.cases) == len(comparison.pairs)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(version=st.sampled_from(VERSIONS), data=st.data())
def test_l22_order_of_cases_and_keys_format_and_version_do_not_matter(
    version: Version, data: st.DataObject
) -> None:
    """But for what a flat format's rows can't say: a case without trials, two cases of one id."""
    a, b = (
        runs.sayable_in_rows(chain.stage(one, version.ref)).document()
        for one in data.draw(runs.pairs(version))
    )
    plain = outcome(compared(a, b, version.ref).report)
    shuffled = data.draw(reordered(b, version))
    assert outcome(compared(a, shuffled, version.ref).report) == plain
    other = data.draw(st.sampled_from([one for one in VERSIONS if one != version]))
    try:
        moved = chain.convert(chain.stage(b, version.ref), other.format, other.version)
    except BadCarry:
        assume(False)
    assert outcome(compared(a, moved.document(), version.ref, other.ref).report) == plain


@st.composite
def reordered(draw: st.DrawFn, document: Any, version: Version) -> Any:
    """The same run with its cases, and the keys of its objects, in another order."""
    stage = chain.stage(document, version.ref)
    groups = draw(st.permutations(list(stage.parts.groups)))
    moved = runs.with_groups(stage, stage.parts.envelope, groups).document()
    return turned(moved)


def turned(value: Any) -> Any:
    """The value with the keys of every object in reverse."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(item) for item in value] if isinstance(value, list) else value
