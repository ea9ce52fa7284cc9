"""How are figures and cases told in short words, the same in every report for people?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from diffruns.changes import told_verdict
from diffruns.report import CaseRow, CaseSide, Change, Delta, Mean, Measures, Rate, Report, Total
from diffruns.transitions import WORDS, Bucket

NOTHING = "-"
"""what stands where a file says nothing: never a zero"""


def value(held: Rate | Mean | Total | None) -> float | None:
    """What is the figure itself? None where the file says nothing."""
    return None if held is None else held.value


def shortened(text: str, length: int) -> str:
    """How is a text told in no more characters than that? By how it starts and ends."""
    if len(text) <= length:
        return text
    end = length // 3
    return f"{text[: length - end - 1]}…{text[-end:]}"


CUTS = 8
"""how often names that look alike are cut elsewhere"""


def apart(names: Sequence[str], length: int) -> dict[str, str]:
    """How are names told in no more characters, so that no two look alike?"""
    told = {name: shortened(name, length) for name in names}
    for _ in range(CUTS):
        for group in _alike(told):
            place = _differ(group)
            told |= {name: _from(name, place, length) for name in group}
    for group in _alike(told):
        told |= {name: _numbered(name, n, length) for n, name in enumerate(group, start=1)}
    return told


def _alike(told: Mapping[str, str]) -> list[list[str]]:
    """Which names are told in the same way?"""
    held: dict[str, list[str]] = {}
    for name, short in told.items():
        held.setdefault(short, []).append(name)
    return [group for group in held.values() if len(group) > 1]


def _differ(names: Sequence[str]) -> int:
    """From which place on do they differ? The first and the last in order differ first."""
    first, last = min(names), max(names)
    places = enumerate(zip(first, last, strict=False))
    return next((place for place, (one, other) in places if one != other), len(first))


def _numbered(name: str, number: int, length: int) -> str:
    """What differs by length alone is counted."""
    mark = f"…#{number}"
    return name[: length - len(mark)] + mark


def _from(name: str, place: int, length: int) -> str:
    """The start of a name, and what it says from that place on."""
    head = min(length // 3, place)
    room = length - head - 1
    if len(name) - place <= room:
        return f"{name[:head]}…{name[-room:]}"
    return f"{name[:head]}…{name[place : place + room - 1]}…"


def ending(text: str, length: int) -> str:
    """How is a path told in no more characters than that? By how it ends."""
    return text if len(text) <= length else f"…{text[1 - length :]}"


def percent(share: float | None) -> str:
    """How is a share told?"""
    return NOTHING if share is None else f"{share:.1%}"


def points(share: float) -> str:
    """How is a difference of shares told? In percentage points, with its sign."""
    return f"{hundredfold(share)}pp"


def hundredfold(share: float) -> str:
    """How many percentage points are a difference, with its sign? Never minus nothing."""
    return f"{round(share * 100, 1) + 0.0:+.1f}"


def number(value: float | None) -> str:
    """How is a number told? With three significant digits, or all of a large one's."""
    if value is None:
        return NOTHING
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def signed(value: float) -> str:
    """How is a difference told?"""
    return f"{value:+,.0f}" if abs(value) >= 1000 else f"{value:+.3g}"


def p_value(p: float | None) -> str:
    """How is a p-value told?"""
    if p is None:
        return NOTHING
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def tested(p: float | None) -> str:
    """How is the outcome of a test told?"""
    told = p_value(p)
    return f"p{told}" if told.startswith("<") else f"p={told}"


def interval(rate: Rate | None) -> str:
    """How is the interval of a rate told?"""
    return NOTHING if rate is None else _percents(rate.low, rate.high)


def bracket(rate: Rate | None) -> str:
    """How are both denominators told: errors as failures, errors left out?"""
    return NOTHING if rate is None else _percents(*rate.bracket)


def _percents(low: float, high: float) -> str:
    return f"[{low * 100:.1f}, {high * 100:.1f}]"


def several(report: Report) -> bool:
    """Does a run hold several targets, so that a case's id alone does not name it?"""
    return any(len(head.targets) > 1 for head in (report.a, report.b))


def name(case: CaseRow, report: Report) -> str:
    """What is a case called? With its target where the runs hold several."""
    return f"{seen(case.id)} [{case.target}]" if case.target and several(report) else seen(case.id)


def seen(text: str) -> str:
    """How is a name told that may be nothing but spaces?"""
    return text if text.strip() else f'"{text}"'


def change_of_verdict(case: CaseRow) -> str:
    """How is told which verdict a case had, and has?"""
    sides = [_verdict(side) for side in (case.a, case.b)]
    return sides[0] if sides[0] == sides[1] else " → ".join(sides)


def _verdict(side: CaseSide | None) -> str:
    return "absent" if side is None else told_verdict(side)


def change(one: Change) -> str:
    """How is one change in a case told, in a few words?"""
    if isinstance(one.a, list):
        gone = [f"-{seen(name)}" for name in one.a if name not in one.b]
        new = [f"+{seen(name)}" for name in one.b if name not in one.a]
        return f"{one.field} {' '.join((*new, *gone))}"
    if one.a is None and one.b is None:
        return f"another {one.field}"
    sides = [number(side) if not isinstance(side, str) else side for side in (one.a, one.b)]
    return f"{one.field} {sides[0]} → {sides[1]}"


def changes(case: CaseRow) -> str:
    """How are a case's changes told, beside that of its verdict?"""
    return ", ".join(change(one) for one in case.changes if one.field != "verdict")


def cases(count: int) -> str:
    """How is told that there are so many cases?"""
    return f"{count:,} case" if count == 1 else f"{count:,} cases"


def counted(report: Report) -> str:
    """How many cases are there, and what became of them?"""
    told = [f"{count:,} {name}" for name, count in report.buckets.items() if count]
    return f"{cases(sum(report.buckets.values()))}: {', '.join(told) or 'none'}"


def meaning(name: Bucket) -> str:
    """What does the name of a bucket mean?"""
    return WORDS[name]


def verdict(report: Report) -> str:
    """What is the one sentence that says how the runs differ?"""
    rate = report.summary.delta.get("rate")
    if not report.cases:
        return "nothing could be assessed: neither run has a case"
    if report.comparable.verdict == "not comparable":
        return "not comparable: no case is in both runs"
    if rate is None or not report.summary.compared:
        return "nothing could be assessed: no case was judged on both sides"
    said = {
        "worse": "B is worse than A",
        "better": "B is better than A",
        "differs": "B differs from A",
        "~": "no difference beyond noise",
    }[rate.finding]
    summary = report.summary
    label = "pass rate of listed cases" if _lists_some(summary.a, summary.b) else "pass rate"
    return f"{said}: {label} {points(rate.value)}, {tested(rate.p)}, n={rate.n:,}"


def _lists_some(*sides: Measures) -> bool:
    """Does a file list only some of the cases that it counts?"""
    return any(side.whole_rate is not None for side in sides)


def reach(report: Report) -> str | None:
    """Where nothing was found: what would have been, and could anything?"""
    rate = report.summary.delta.get("rate")
    if rate is None or rate.finding != "~" or not report.summary.compared:
        return None
    said = [rate.note] if rate.note else []
    if rate.detectable is not None:
        least = f"{rate.detectable * 100:.1f}pp"
        said.append(f"{cases(rate.n)} would have shown a change of {least} (power 0.8)")
    return "; ".join(said) or None


class Line(NamedTuple):
    """What is told of one measure: of either side, and by which difference?"""

    label: str
    of: Callable[[Measures], str]
    delta: str | None = None


FIRST = (
    Line("pass rate", lambda m: percent(value(m.rate)), "rate"),
    Line("  95% interval", lambda m: interval(m.rate)),
    Line("  errors in, out", lambda m: bracket(m.rate)),
    Line("  with unlisted", lambda m: percent(m.whole_rate)),
)
LAST = (
    Line("score", lambda m: number(value(m.score)), "score"),
    Line(
        "latency p50 ms", lambda m: number(m.latency_ms.p50 if m.latency_ms else None), "latency_ms"
    ),
    Line("latency p95 ms", lambda m: number(m.latency_ms.p95 if m.latency_ms else None)),
    Line("tokens", lambda m: number(value(m.tokens)), "tokens"),
    Line("cost USD", lambda m: number(value(m.cost_usd)), "cost_usd"),
)


def lines(a: Measures, b: Measures) -> Iterator[tuple[str, str, str, str | None]]:
    """What is told of both sides, measure by measure, and by which difference?"""
    listed = "listed pass rate" if _lists_some(a, b) else "pass rate"
    for line in (*FIRST, *_powers(a, b), *LAST):
        of_a, of_b = line.of(a), line.of(b)
        if (of_a, of_b) != (NOTHING, NOTHING):
            yield listed if line.delta == "rate" else line.label, of_a, of_b, line.delta


def _powers(a: Measures, b: Measures) -> Iterator[Line]:
    """pass^j for every j from 2, and pass@k for the largest k only."""
    powers = sorted({*a.pass_hat, *b.pass_hat} - {"1"}, key=int)
    for j in powers:
        yield _power("pass^", j, lambda m: m.pass_hat)
    for k in powers[-1:]:
        yield _power("pass@", k, lambda m: m.pass_at)


def _power(label: str, k: str, held: Callable[[Measures], dict[str, float]]) -> Line:
    return Line(f"{label}{k}", lambda m: percent(held(m).get(k)), f"{label}{k}")


PER_TRIAL = ("latency_ms", "tokens", "cost_usd")
"""measures whose difference is that of the mean trial, where the sides tell something else"""


def is_share(name: str) -> bool:
    """Is that measure a share, told in percentage points?"""
    return name == "rate" or name.startswith("pass")


def difference(name: str, delta: Delta) -> str:
    """How is a difference told, with its interval?"""
    said = f"{moved(name, delta)} {bounds(name, delta)}".rstrip()
    return f"{said} mean" if name in PER_TRIAL else said


def still(delta: Delta) -> bool:
    """Does nothing differ at all, in any case?"""
    return delta.value == delta.low == delta.high == 0


def moved(name: str, delta: Delta) -> str:
    """How is a difference told, without its interval?"""
    return points(delta.value) if is_share(name) else signed(delta.value)


def bounds(name: str, delta: Delta) -> str:
    """How is the interval of a difference told? Not at all where there is none."""
    if delta.low is None or delta.high is None:
        return ""
    told = [
        hundredfold(bound) if is_share(name) else signed(bound) for bound in (delta.low, delta.high)
    ]
    return f"[{', '.join(told)}]"


def found(delta: Delta) -> str:
    """How is told what the test found? `~` unless it rejects."""
    said = "~" if delta.finding == "~" else delta.finding
    p = delta.p if delta.corrected is None else delta.corrected
    return f"{said} {tested(p)} n={delta.n:,}"
