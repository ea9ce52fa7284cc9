"""What pages about one run and about two show alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from diffruns import dimensions
from diffruns.entries import Attempt, Entry
from diffruns.renderers import words
from diffruns.renderers.page import plots
from diffruns.renderers.page.markup import Child, Markup, tag, together
from diffruns.renderers.page.plots import Curve
from diffruns.report import Measures, Rate, RunHead

NAMES = {1: ("",), 2: ("A", "B")}
"""what the sides are called, by how many there are"""

CASES = tag("div", id="list-of-cases")
"""where the page's script puts the list"""

AUTOMATIC = (
    "target",
    "group",
    "dataset",
    "risk_type",
    "severity",
    "tag",
    "evidence_level",
)
"""dimensions that a page looks into by itself"""

MOST_VALUES = 30
"""values of a dimension that are worth a table that nobody asked for"""

VERDICT_TONES = {"passed": "good", "failed": "bad", "skipped": "flat"}


def verdict_tone(state: str) -> str:
    """How does a verdict look?"""
    return VERDICT_TONES.get(state, "note")


def badge(text: str, tone: str) -> Markup:
    """How is a state told?"""
    return tag("span", text, class_=f"badge {tone}")


def table(head: Sequence[Child], rows: Sequence[Sequence[Child]], caption: str) -> Markup:
    """Which table has this head, and these rows? The first cell of a row is its name.

    A table that is too wide is moved by itself, also by keyboard.
    """
    top = tag("tr", [tag("th", one, scope="col") for one in head])
    lines = [
        tag("tr", tag("th", row[0], scope="row"), [tag("td", cell) for cell in row[1:]])
        for row in rows
    ]
    told = tag(
        "table",
        tag("caption", caption, class_="unseen"),
        tag("thead", top),
        tag("tbody", lines),
    )
    return tag("div", told, class_="wide", tabindex=0, role="group", aria_label=caption)


def run_card(name: str, head: RunHead) -> Markup:
    """Which run is it?"""
    facts = (
        ("format", f"{head.format} {head.version}"),
        ("target", ", ".join(head.targets)),
        ("suite", head.suite),
        ("started", head.started),
        ("run id", head.run_id),
        ("sha256", head.sha256[:16]),
    )
    said = [tag("div", tag("dt", key), tag("dd", value)) for key, value in facts if value]
    file = tag("p", tag("span", name, class_="side") if name else None, head.file or "(a document)")
    return tag("div", tag("h3", file_name(file)), tag("dl", said), class_=f"run {name.lower()}")


def file_name(file: Markup) -> Markup:
    """The name of a file as a heading: it is no paragraph there."""
    return Markup(file.removeprefix("<p>").removesuffix("</p>"))


def facet(kind: str, value: str, text: str) -> Markup:
    """A button that leaves only some of the cases in the list; see the page's script."""
    name = text if text.strip() else "(empty)"
    return tag("button", name, type="button", class_="facet", data_facet=kind, data_value=value)


def rate_cell(rate: Rate | None) -> Markup:
    """How is a rate told in a cell? With its interval."""
    if rate is None:
        return Markup(words.NOTHING)
    return together(
        tag("span", words.percent(rate.value), class_="figure"),
        tag("span", words.interval(rate), class_="under"),
    )


def powers(sides: Sequence[Measures]) -> Markup | None:
    """The curve of pass^j and pass@j, where any case has several trials."""
    if max(len(side.pass_hat) for side in sides) < 2:
        return None
    names = NAMES[len(sides)]
    lines = [
        Curve(f"{'ab'[place]} {dash}".strip(), f"{name} {sign}".strip(), shares)
        for place, (name, side) in enumerate(zip(names, sides, strict=True))
        for dash, sign, shares in (("", "all", side.pass_hat), ("any", "any", side.pass_at))
        if len(shares) > 1
    ]
    told = "; ".join(
        f"{line.name} {', '.join(f'{j}: {words.percent(s)}' for j, s in line.shares.items())}"
        for line in lines
    )
    return figure(
        plots.curves(lines, f"Share of cases by number of trials: {told}"),
        "pass^k and pass@k",
        "how likely all of k trials pass (solid), and any of them (dashed)",
    )


def figure(plot: Markup, title: str, says: str) -> Markup:
    """A plot with its title and what it shows."""
    return tag("figure", tag("figcaption", tag("strong", title), " ", tag("span", says)), plot)


def distributions(sides: Sequence[Sequence[Entry]]) -> Iterator[Markup]:
    """How are latency, cost and tokens spread over trials? Not told where all are the same."""
    for title, of, told in _SPREADS:
        values = [
            [value for one in entries for trial in one.attempts if (value := of(trial)) is not None]
            for entries in sides
        ]
        if len({value for side in values for value in side}) > 1:
            yield _distribution(title, values, told)


def _distribution(
    title: str, values: Sequence[Sequence[float]], told: Callable[[float], str]
) -> Markup:
    from converter.aggregates import nearest_rank

    said = []
    for name, side in zip(NAMES[len(values)], values, strict=True):
        p50, p95 = nearest_rank(side, 0.5), nearest_rank(side, 0.95)
        if p50 is not None and p95 is not None:
            said.append(f"{name} p50 {told(p50)}, p95 {told(p95)}, n={len(side):,}".strip())
    line = " · ".join(said)
    return figure(plots.histogram(values, told, f"{title} by share of trials: {line}"), title, line)


def milliseconds(value: float) -> str:
    """How is a time told?"""
    if value < 1_000:
        return f"{value:.3g} ms"
    return f"{value / 1_000:.3g} s" if value < 120_000 else f"{value / 60_000:.3g} min"


def dollars(value: float) -> str:
    """How is a cost told?"""
    return f"${value:,.2f}" if value >= 100 else f"${value:.3g}"


_SPREADS: tuple[tuple[str, Callable[[Attempt], float | None], Callable[[float], str]], ...] = (
    ("Latency", lambda one: one.latency_ms, milliseconds),
    ("Cost", lambda one: one.cost_usd, dollars),
    ("Tokens", lambda one: one.tokens, words.number),
)


def grouped(sides: Sequence[Sequence[Entry]], name: str) -> dict[str, list[list[Entry]]]:
    """Which cases has each value of a dimension, on each side? In the values' order."""
    found: dict[str, list[list[Entry]]] = {}
    for place, entries in enumerate(sides):
        for entry in entries:
            for value in dimensions.values(entry, name):
                found.setdefault(value, [[] for _ in sides])[place].append(entry)
    return dict(sorted(found.items()))


def automatic(sides: Sequence[Sequence[Entry]]) -> dict[str, dict[str, list[list[Entry]]]]:
    """Into which dimensions is it worth looking?

    Those with some values, and not too many, that part the cases as no other one before them.
    """
    found: dict[str, dict[str, list[list[Entry]]]] = {}
    parted = set()
    for name in AUTOMATIC:
        held = grouped(sides, name)
        parts = frozenset(frozenset(map(id, chain(*cases))) for cases in held.values())
        if 2 <= len(held) <= MOST_VALUES and parts not in parted:
            found[name] = held
            parted.add(parts)
    return found


def dimensions_of(tables: Sequence[Markup], *, wide: bool) -> Markup:
    """The tables of all dimensions, `wide` ones each below the other."""
    return tag("div", tables, class_="dimensions each" if wide else "dimensions")


def groups_table(
    dimension: str, number: int, rows: Mapping[str, Sequence[Measures]], extra: Mapping[str, str]
) -> Markup:
    """The table of a dimension's values, with a bar for each side. `extra` is told at the end."""
    names = NAMES[len(next(iter(rows.values())))]
    head = [
        tag("span", dimension, class_="unseen"),
        *[label for name in names for label in (f"{name} n".strip(), f"{name} pass rate".strip())],
    ]
    lines = []
    for place, (value, sides) in enumerate(rows.items()):
        cells = [cell for side in sides for cell in (f"{side.cases:,}", rate_cell(side.rate))]
        button = facet("by", f"{number}.{place}", value)
        bars = plots.bars([side.rate for side in sides])
        lines.append([button, *cells, bars, *([extra[value]] if extra else [])])
    head += [tag("span", "Bars", class_="unseen"), *(["B - A"] if extra else [])]
    return tag(
        "div",
        tag("h3", dimension.replace("_", " ")),
        table(head, lines, f"By {dimension}"),
        class_=f"by by-{len(names)}",
    )
