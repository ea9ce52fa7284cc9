"""How do shares, counts and spreads look? As SVG, drawn when the page is made.

So plots need no script, print, and take their colours from the page's style; a library that draws
in the browser would be larger than all of them together, and draw nothing where scripts are off.
Whatever a plot shows is also told in words: in its label, or in the table that it stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple, TypeAlias

from diffruns.renderers.page.markup import Child, Markup, tag, together
from diffruns.report import Rate

WIDTH, HEIGHT = 400, 190
LEFT, RIGHT, TOP, BOTTOM = 40, 46, 12, 26
Point: TypeAlias = tuple[float, float]
Told: TypeAlias = Callable[[float], str]
Length: TypeAlias = Callable[[float], float]


def bars(rates: Sequence[Rate | None]) -> Markup:
    """How do shares look beside each other? A bar for each side, its interval as a line."""
    height = 9 * len(rates) + 1
    drawn = [_bar(rate, 9 * place + 1, "ab"[place]) for place, rate in enumerate(rates) if rate]
    return tag(
        "svg",
        tag("rect", x=0, y=0, width=100, height=height, class_="track"),
        drawn,
        viewBox=f"0 0 100 {height}",
        preserveAspectRatio="none",
        class_=f"bars bars-{len(rates)}",
        aria_hidden="true",
    )


def _bar(rate: Rate, y: float, side: str) -> Markup:
    return together(
        tag("rect", x=0, y=y, width=_r(100 * rate.value), height=7, class_=f"bar {side}"),
        tag(
            "rect",
            x=_r(100 * rate.low),
            y=y + 3,
            width=_r(100 * (rate.high - rate.low)),
            height=1,
            class_="whisker",
        ),
    )


def counts(numbers: Sequence[int], most: int) -> Markup:
    """How do counts look beside each other, where the largest of all is `most`?"""
    height = 9 * len(numbers) + 1
    drawn = [
        tag(
            "rect",
            x=0,
            y=9 * place + 1,
            width=_r(100 * number / most),
            height=7,
            class_=f"bar {'ab'[place]}",
        )
        for place, number in enumerate(numbers)
    ]
    return tag(
        "svg",
        drawn,
        viewBox=f"0 0 100 {height}",
        preserveAspectRatio="none",
        class_=f"bars bars-{len(numbers)}",
        aria_hidden="true",
    )


class Curve(NamedTuple):
    """One line of a plot: its class in the style, its name, and its shares by number of trials."""

    class_: str
    name: str
    shares: Mapping[str, float]


def curves(lines: Sequence[Curve], label: str) -> Markup:
    """How do shares change with the number of trials?"""
    most = max(int(j) for line in lines for j in line.shares)

    def at(j: float, share: float) -> Point:
        return (
            LEFT + (j - 1) / max(most - 1, 1) * (WIDTH - LEFT - RIGHT),
            TOP + (1 - share) * (HEIGHT - TOP - BOTTOM),
        )

    steps = range(1, most + 1, ceil(most / 10))
    return _svg(
        label,
        [_across(at(1, share)[1], f"{share:.0%}") for share in (0, 0.25, 0.5, 0.75, 1)],
        [_under(at(j, 0)[0], str(j)) for j in steps],
        [_line(line, at) for line in lines],
        [_ends(lines, at)],
    )


def _line(line: Curve, at: Callable[[float, float], Point]) -> Markup:
    points = [at(int(j), share) for j, share in sorted(line.shares.items(), key=_number)]
    dots = [
        tag("circle", cx=_r(x), cy=_r(y), r=2.5, class_=f"dot {line.class_}") for x, y in points
    ]
    return together(tag("path", d=_path(points), class_=f"line {line.class_}"), dots)


def _number(item: tuple[str, float]) -> int:
    return int(item[0])


def _ends(
    lines: Sequence[Curve], at: Callable[[float, float], Point], apart: float = 12
) -> Iterator[Markup]:
    """The names of the lines at their ends, no two on top of each other."""
    ends = sorted((at(*_last(line))[::-1], line) for line in lines)
    free = 0.0
    for (y, x), line in ends:
        free = max(y + 4, free)
        yield tag("text", line.name, x=_r(x + 7), y=_r(free), class_=f"name {line.class_}")
        free += apart


def _last(line: Curve) -> Point:
    j = max(line.shares, key=int)
    return int(j), line.shares[j]


class Scale(NamedTuple):
    """Into which bins do values fall? `edges` are in order; `even` says that they are linear."""

    edges: Sequence[float]
    even: bool


MOST_BINS = 24
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_LEAST = 1e-9
"""the part of a value by which others differ that are drawn apart from it: more is rounding"""
_TINY, _HUGE = 1e-300, 1e300
"""between them, a number has a logarithm, and two have a difference"""
_SPREAD = 30
"""how many times the smallest value the largest is, where the scale is better logarithmic"""


def scale(values: Sequence[float]) -> Scale:
    """Which bins suit these values? Round ones, at most MOST_BINS."""
    low, high = min(values), max(values)
    if high - low <= abs(high) * _LEAST:
        low = high
    if low > 0 and high / low > _SPREAD:
        return Scale(_by_ratio(low, high), even=False)
    return Scale(_by_difference(low, high), even=True)


def _by_ratio(low: float, high: float) -> list[float]:
    decades = log10(high) - log10(low)
    each = next((n for n in (10, 5, 4, 2, 1) if decades * n <= MOST_BINS - 2), 1)
    first = floor(log10(low) * each)
    last = max(ceil(log10(high) * each), first + 1)
    return [10 ** (step / each) for step in range(first, last + 1)]


def _by_difference(low: float, high: float) -> list[float]:
    step = _round_step((high - low) / (MOST_BINS - 2)) if high > low else (abs(high) or 1.0)
    first, last = floor(low / step), ceil(high / step)
    return [step * number for number in range(first, max(last, first + 1) + 1)]


def _round_step(least: float) -> float:
    """The next round number that is no smaller."""
    unit = 10.0 ** floor(log10(least))
    return next(unit * step for step in _STEPS if unit * step >= least * (1 - 1e-9))


def binned(values: Sequence[float], edges: Sequence[float]) -> list[int]:
    """How many values fall between one edge and the next? What is on one belongs to the right."""
    from bisect import bisect_right

    found = [0] * (len(edges) - 1)
    for value in values:
        found[min(max(bisect_right(edges, value) - 1, 0), len(found) - 1)] += 1
    return found


def histogram(sides: Sequence[Sequence[float]], told: Told, label: str) -> Markup:
    """How are values spread, on each side? By the share of a side's own values."""
    sides = [[_drawn(value) for value in side] for side in sides]
    bins = scale([value for side in sides for value in side])
    shares = [[n / max(len(side), 1) for n in binned(side, bins.edges)] for side in sides]
    most = max(max(side) for side in shares)
    low, high = (_place(bins, edge) for edge in (bins.edges[0], bins.edges[-1]))
    right = WIDTH - 12

    def x(value: float) -> float:
        return LEFT + (_place(bins, value) - low) / (high - low) * (right - LEFT)

    def y(share: float) -> float:
        return TOP + (1 - share / most) * (HEIGHT - TOP - BOTTOM)

    areas = [_area(side, bins, x, y, "ab"[place]) for place, side in enumerate(shares) if any(side)]
    return _svg(
        label,
        [_across(y(share), f"{share:.0%}", right) for share in (0, most / 2, most)],
        [_under(x(value), name) for name, value in _named(ticks(bins), told).items()],
        areas,
    )


def _drawn(value: float) -> float:
    """Where is a number drawn that is too small or too large to reckon with?"""
    if abs(value) < _TINY:
        return 0.0
    return float(min(max(value, -_HUGE), _HUGE))


def _named(values: Sequence[float], told: Told) -> dict[str, float]:
    """Under which names do these values stand? Of those that are told alike, the first does."""
    return {told(value): value for value in reversed(values)}


def _area(side: Sequence[float], bins: Scale, x: Length, y: Length, class_: str) -> Markup:
    points = [(x(bins.edges[0]), y(0))]
    for share, (left, right) in zip(side, pairwise(bins.edges), strict=True):
        points += [(x(left), y(share)), (x(right), y(share))]
    return tag("path", d=_path([*points, (x(bins.edges[-1]), y(0))]), class_=f"area {class_}")


def _place(bins: Scale, value: float) -> float:
    return value if bins.even else log10(value)


def ticks(bins: Scale, most: int = 6) -> list[float]:
    """Which values are named under the bins? Round ones, a few."""
    low, high = bins.edges[0], bins.edges[-1]
    if bins.even:
        step = _round_step((high - low) / (most - 1))
        held = [step * n for n in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
    else:
        powers = range(floor(log10(low)), ceil(log10(high)) + 1)
        held = [10.0**power * lead for power in powers for lead in (1, 2, 5)]
        held = [value for value in held if low * 0.999 <= value <= high * 1.001]
        if len(held) > most + 2:
            held = [value for value in held if abs(log10(value) - round(log10(value))) < 1e-9]
    return held[:: ceil(len(held) / (most + 2)) or 1] if held else [low, high]


def _svg(label: str, *drawn: Child) -> Markup:
    return tag(
        "svg",
        *drawn,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=label,
        class_="plot",
    )


def _across(y: float, name: str, right: float = WIDTH - RIGHT) -> Markup:
    """A line across, named at its left."""
    return together(
        tag("path", d=f"M{LEFT} {_r(y)}H{_r(right)}", class_="grid"),
        tag("text", name, x=LEFT - 6, y=_r(y + 3.5), class_="tick left"),
    )


def _under(x: float, name: str) -> Markup:
    return tag("text", name, x=_r(x), y=HEIGHT - 8, class_="tick under")


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{_r(x)} {_r(y)}" for x, y in points)


def _r(value: float) -> str:
    """A length, short."""
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"
