"""How is a trend shown: for people in 80 columns, or for programs?

CSV and Parquet have one row for each target and period.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import msgspec

from evalglot.dataset import shown
from evalglot.dataset.trend import Period, Point, Report, Target
from registry import gate
from registry.reports.harmless import harmless, harmless_json

if TYPE_CHECKING:
    import pyarrow as pa

WIDTH = 80
URN = "urn:evalglot:evalglot-trend-report:1"


def render(kind: str, report: Report) -> bytes:
    """Which bytes show this trend?"""
    return _KINDS[kind](report)


def _json(report: Report) -> bytes:
    told = {"$schema": URN, **msgspec.to_builtins(report)}
    return harmless_json(gate.dump(told, indent=2)) + b"\n"


def _rows(report: Report) -> pa.Table:
    """One row for each target and period, with what is known of the target beside."""
    import pyarrow as pa

    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64()}
    ours = {
        **dict.fromkeys(("subject", "target", "first_failing", "failing_since"), pa.string()),
        "shifts": pa.int64(),
    }
    theirs = {one.name: kinds[_plain(one.type)] for one in msgspec.structs.fields(Period)}
    shape = pa.schema(list({**ours, **theirs}.items()))
    rows = [
        {**_of(report, one), **msgspec.structs.asdict(period), "shifts": _at(one, period)}
        for one in report.targets
        for period in one.periods
    ]
    return pa.Table.from_pylist(rows, schema=shape)


def _plain(hint: Any) -> type:
    from typing import get_args

    inner = [one for one in get_args(hint) if one is not type(None)]
    found: type = inner[0] if inner else hint
    return found


def _of(report: Report, target: Target) -> dict[str, Any]:
    return {
        "subject": report.subject,
        "target": target.target,
        "first_failing": target.first_failing and target.first_failing.ran_at,
        "failing_since": target.failing_since and target.failing_since.ran_at,
    }


def _at(target: Target, period: Period) -> int:
    """How many shifts fall into this period, and so not into a later one?"""
    later = [one.period for one in target.periods if one.period > period.period]
    held = [one.first.ran_at for one in target.shifts if one.first.ran_at >= period.period]
    return sum(not later or at < later[0] for at in held)


def _table(report: Report) -> bytes:
    return "".join(f"{line}\n" for line in _lines(report)).encode()


def _lines(report: Report) -> Iterator[str]:
    yield harmless(f"{report.by} {report.subject}")
    for target in report.targets:
        yield ""
        yield from _target(report, target)
    yield ""
    for said in (f"shifts: {report.test}, alpha {report.alpha:g}", *report.notes):
        yield from wrap(harmless(said), WIDTH)


def _target(report: Report, target: Target) -> Iterator[str]:
    runs = f"{target.runs:,} run{'s'[: target.runs != 1]}"
    span = f"{_day(target.first)} to {_day(target.last)}"
    yield harmless(f"{target.target or '(no target)'}: {runs}, {span}")
    for name, point in (
        ("first failing", target.first_failing),
        ("failing since", target.failing_since),
        ("last passing", target.last_passing),
    ):
        if point is not None:
            yield harmless(f"  {name:13}  {_point(point)}")
    for one in target.shifts:
        p = "p<0.001" if one.p <= 0.001 else f"p={one.p:.3f}"
        change = f"{_share(one.before)} → {_share(one.after)}"
        yield harmless(
            f"  shift          {_day(one.first)}  {change}  {p}, "
            f"{one.runs_before:,} and {one.runs_after:,} runs"
        )
    cells = [_head(report), *(_period(one) for one in target.periods)]
    yield from (f"  {line}" for line in shown.aligned(cells, [False] + [True] * 8))


def _day(point: Point) -> str:
    return point.ran_at[:16].replace("T", " ")


def _point(point: Point) -> str:
    name = point.run_id or point.digest[:12]
    path = _near(point.path or "")
    return f"{_day(point)}  {point.passes}/{point.judged}  {name}  {path}".rstrip()


def _near(path: str) -> str:
    """How is a path called from the folder that this is run in?"""
    return path.removeprefix(f"{Path.cwd()}/")


def _head(report: Report) -> list[str]:
    measures = ["runs", "rate", "low", "high", "flaky", "flips"]
    return [report.per, *measures, f"pass^{report.k}", "$/pass"]


def _period(one: Period) -> list[str]:
    shares = (one.rate, one.low, one.high, one.flaky, one.flips, one.pass_hat)
    cost = "" if one.cost_per_pass is None else f"{one.cost_per_pass:.4g}"
    return [one.period, f"{one.runs:,}", *map(_share, shares), cost]


def _share(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}%"


_KINDS: Mapping[str, Callable[[Report], bytes]] = {
    "table": _table,
    "json": _json,
    "csv": lambda report: shown.render("csv", _rows(report)),
    "parquet": lambda report: shown.render("parquet", _rows(report)),
}
