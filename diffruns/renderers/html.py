"""The report as one page to look at: the verdict first, every case at hand, offline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from diffruns import measures
from diffruns.compare import Comparison
from diffruns.entries import State
from diffruns.renderers import View, words
from diffruns.renderers.page import Section, page, parts, plots
from diffruns.renderers.page.data import Data, Kind, Listed, data
from diffruns.renderers.page.markup import Markup, tag, together, visible
from diffruns.report import Delta, Gate, Group, Measures, Mode, Report
from diffruns.transitions import BETTER, LEAVING, REACHING, STEADY, TABLE, WORDS, WORSE, Bucket

STATES: tuple[State, ...] = (
    "passed",
    "flaky",
    "failed",
    "error",
    "review",
    "skipped",
    "missing",
    "unlisted",
)
"""the matrix from best to worst, then what is not there"""

FINDINGS = {"worse": "bad", "better": "good", "differs": "note", "~": "flat"}
NAMED = 40
"""cases that a gate names in full"""


def render(comparison: Comparison, view: View) -> bytes:
    """The whole report as HTML; `view` says which cases are listed at first."""
    report = comparison.report
    looked = _looked_into(comparison)
    held = _data(comparison, view, looked)
    sections = [
        Section("runs", "Runs", _runs(report)),
        Section("measures", "Measures", _measures(report)),
        Section("changes", "Changes", _changes(report)),
        Section("cases", "Cases", parts.CASES),
        *_where(comparison, looked),
        *_modes(report, comparison.options.alpha),
        *_spreads(comparison),
        *_notes(report, held),
    ]
    return page(_title(report), _verdict(report), sections, held)


def _title(report: Report) -> str:
    return f"{words.verdict(report)} · diffruns"


def _verdict(report: Report) -> Markup:
    rate = report.summary.delta.get("rate")
    tone = FINDINGS[rate.finding] if rate and report.summary.compared else "note"
    sentence, _, evidence = words.verdict(report).partition(": ")
    return together(
        tag("p", "diffruns", class_="kicker"),
        tag("h1", sentence, class_=f"verdict {tone}"),
        tag("p", evidence, class_="evidence") if evidence else None,
        tag("p", words.counted(report), class_="counted"),
        [
            _difference(one.effect, f"{one.field}: {one.a} → {one.b}")
            for one in report.comparable.differences
        ],
        tag("ul", map(_gate, report.gates), class_="gates") if report.gates else None,
    )


def _difference(effect: str, says: str) -> Markup:
    tone = {"blocks": "bad", "limits": "note"}.get(effect, "flat")
    return tag("p", parts.badge(effect, tone), " ", says, class_="difference")


def _gate(gate: Gate) -> Markup:
    state = parts.badge("tripped", "bad") if gate.tripped else parts.badge("holds", "good")
    named = [together(" ", link(id_)) for id_ in gate.cases[:NAMED]]
    more = f" +{len(gate.cases) - NAMED:,} more" if len(gate.cases) > NAMED else None
    return tag("li", state, " ", tag("strong", gate.gate), f" {gate.says}", named, more)


def link(id_: str) -> Markup:
    """A link to a case of this page."""
    return tag("a", id_, href=f"#case={quote(visible(id_), safe='')}")


def _runs(report: Report) -> Markup:
    return tag("div", parts.run_card("A", report.a), parts.run_card("B", report.b), class_="runs")


def _measures(report: Report) -> Markup:
    summary = report.summary
    rows = [*_measure_rows(summary.a, summary.b, summary.delta)]
    head = ["Measure", "A", "B", "B - A", "95 % interval", "Found", "p", "n"]
    curve = parts.powers([summary.a, summary.b])
    return together(
        parts.table(head, rows, "Measures of both runs"),
        tag("ul", _footnotes(summary.delta), class_="footnotes"),
        tag("div", curve, class_="figures") if curve else None,
    )


def _measure_rows(
    a: Measures, b: Measures, delta: Mapping[str, Delta]
) -> Iterator[list[Markup | str]]:
    told = set()
    yield ["cases", f"{a.cases:,}", f"{b.cases:,}", "", "", "", "", ""]
    yield ["trials", f"{a.trials:,}", f"{b.trials:,}", "", "", "", "", ""]
    for label, of_a, of_b, name in words.lines(a, b):
        found = delta.get(name) if name else None
        told.add(name)
        name_of = tag("span", label.strip(), class_="sub" if label.startswith(" ") else None)
        yield [name_of, of_a, of_b, *(_delta(name or "", found) if found else [""] * 5)]
    for name, found in delta.items():
        if name not in told:
            yield [f"{PLAIN.get(name, name)}, mean of cases", "", "", *_delta(name, found)]


PLAIN = {"rate": "pass rate", "latency_ms": "latency ms", "cost_usd": "cost USD"}


def _delta(name: str, delta: Delta) -> list[Markup | str]:
    """How is a difference told, cell by cell?"""
    p = delta.p if delta.corrected is None else delta.corrected
    per_trial = " mean" if name in words.PER_TRIAL else ""
    return [
        words.moved(name, delta) + per_trial,
        words.bounds(name, delta),
        _finding(delta),
        words.p_value(p),
        f"{delta.n:,}",
    ]


def _finding(delta: Delta) -> Markup:
    said = "~" if delta.finding == "~" else delta.finding
    return parts.badge(said, FINDINGS[delta.finding])


def _footnotes(delta: Mapping[str, Delta]) -> Iterator[Markup]:
    """By which tests, and what would they have seen where they found nothing?"""
    tests: dict[str, list[str]] = {}
    for name, found in delta.items():
        exact = f" (exact {words.tested(found.exact_p)})" if found.exact_p is not None else ""
        tests.setdefault(found.test, []).append(PLAIN.get(name, name) + exact)
    yield from (tag("li", f"{test}: {', '.join(names)}") for test, names in tests.items())
    for name, found in delta.items():
        seen = [*_reach(name, found)]
        if seen:
            yield tag("li", f"{PLAIN.get(name, name)}: {'; '.join(seen)}")


def _reach(name: str, delta: Delta) -> Iterator[str]:
    if delta.note:
        yield delta.note
    if delta.finding == "~" and delta.detectable:
        share = words.is_share(name)
        told = words.points(delta.detectable) if share else words.number(delta.detectable)
        yield f"this n would have shown a difference of {told.lstrip('+')} with power 0.8"


def _changes(report: Report) -> Markup:
    cells = {(one.a, one.b): one.cases for one in report.summary.transitions}
    rows = [state for state in STATES if any(a == state for a, _ in cells)]
    columns = [state for state in STATES if any(b == state for _, b in cells)]
    head = tag(
        "tr",
        tag("th", "A ↓  B →", scope="col", class_="corner"),
        [tag("th", state, scope="col") for state in columns],
        tag("th", "in A", scope="col"),
    )
    body = [
        tag(
            "tr",
            tag("th", state, scope="row"),
            [_cell(state, column, cells.get((state, column), 0)) for column in columns],
            tag("td", f"{sum(n for (a, _), n in cells.items() if a == state):,}", class_="total"),
        )
        for state in rows
    ]
    sums = [sum(n for (_, b), n in cells.items() if b == column) for column in columns]
    foot = tag(
        "tr",
        tag("th", "in B", scope="row"),
        [tag("td", f"{n:,}", class_="total") for n in sums],
        tag("td", f"{sum(sums):,}", class_="total"),
    )
    matrix = tag(
        "table",
        tag("caption", "Cases by verdict in A and in B", class_="unseen"),
        tag("thead", head),
        tag("tbody", body),
        tag("tfoot", foot),
        class_="matrix",
    )
    told = [_bucket(name, count) for name, count in report.buckets.items() if count]
    return tag(
        "div",
        tag("div", matrix, class_="wide", tabindex=0, role="group", aria_label="Transition matrix"),
        tag("ul", told, class_="buckets"),
        class_="changes",
    )


def _cell(a: State, b: State, count: int) -> Markup:
    if not count:
        return tag("td", "·", class_="none")
    label = f"{words.cases(count)}: {a} in A, {b} in B"
    button = tag(
        "button",
        f"{count:,}",
        type="button",
        class_="facet cell",
        data_facet="cell",
        data_value=f"{a}.{b}",
        aria_label=label,
    )
    return tag("td", button, class_="same" if a == b else _tone(_became(a, b)))


def _became(a: State, b: State) -> Bucket:
    """In which bucket are cases of these states?"""
    return TABLE.get((a, b)) or REACHING.get(b) or LEAVING[a]


def _tone(bucket: Bucket) -> str:
    if bucket in WORSE:
        return "bad"
    if bucket in BETTER:
        return "good"
    return "flat" if bucket in STEADY else "note"


def _bucket(name: str, count: int) -> Markup:
    number = str(list(WORDS).index(name))  # type: ignore[arg-type]
    button = parts.facet("kind", number, name)
    tone = _tone(name)  # type: ignore[arg-type]
    says = tag("span", words.meaning(name), class_="says")  # type: ignore[arg-type]
    return tag("li", tag("span", f"{count:,}", class_=f"count {tone}"), button, says)


Looked = Mapping[str, Sequence[Group] | Mapping[str, Sequence[Measures]]]
"""by dimension: groups that were tested, or what each side of each value comes to"""


def _looked_into(comparison: Comparison) -> Looked:
    """Which dimensions are shown? Those asked for, else those that look worth it, untested."""
    if comparison.report.by:
        return comparison.report.by
    return {
        name: {
            value: [measures.measure(entries) for entries in sides] for value, sides in held.items()
        }
        for name, held in parts.automatic([comparison.a.entries, comparison.b.entries]).items()
    }


def _where(comparison: Comparison, looked: Looked) -> Iterator[Section]:
    if not looked:
        return
    says = (
        "p is corrected for the number of values of a dimension."
        if comparison.report.by
        else together(
            "Not tested: ",
            tag("code", "--by DIM"),
            " adds differences with p and n, corrected for their number.",
        )
    )
    tables = [_by(number, name, held) for number, (name, held) in enumerate(looked.items())]
    legend = tag("p", _LEGEND, says, class_="says")
    yield Section(
        "where",
        "By dimension",
        together(legend, parts.dimensions_of(tables, wide=bool(comparison.report.by))),
    )


_LEGEND = together(
    tag("span", "A", class_="key a"),
    " ",
    tag("span", "B", class_="key b"),
    " The line is the 95 % interval. ",
)


def _by(number: int, name: str, held: Sequence[Group] | Mapping[str, Sequence[Measures]]) -> Markup:
    if isinstance(held, Mapping):
        return parts.groups_table(name, number, held, {})
    told = {
        group.value: _short_delta(group.delta["rate"]) if "rate" in group.delta else words.NOTHING
        for group in held
    }
    return parts.groups_table(name, number, {one.value: [one.a, one.b] for one in held}, told)


def _short_delta(delta: Delta) -> Markup:
    p = delta.p if delta.corrected is None else delta.corrected
    return together(
        tag("span", words.points(delta.value), " ", _finding(delta), class_="figure"),
        tag("span", f"{words.tested(p)} n={delta.n:,}", class_="under"),
    )


def _modes(report: Report, alpha: float) -> Iterator[Section]:
    modes = report.failure_modes
    if not modes:
        return
    most = max(max(one.a_trials, one.b_trials) for one in modes)
    head = ["Check", "A trials", "B trials", tag("span", "Bars", class_="unseen"), "Change", "p"]
    rows = [_mode(mode, most, alpha) for mode in modes]
    says = (
        "Failed trials, over the cases that both runs have with one input. "
        "p is paired, by case, and corrected for the number of checks."
    )
    content = together(tag("p", says, class_="says"), parts.table(head, rows, "Failure modes"))
    yield Section("failures", "Failure modes", content)


def _mode(mode: Mode, most: int, alpha: float) -> list[Markup | str]:
    tone = {"appeared": "bad", "more": "bad", "vanished": "good", "fewer": "good"}
    rejected = mode.corrected is not None and mode.corrected <= alpha
    found = tone.get(mode.change, "flat") if rejected else "flat"
    return [
        together(parts.facet("check", mode.check, mode.check), None if mode.hard else " (soft)"),
        f"{mode.a_trials:,}",
        f"{mode.b_trials:,}",
        plots.counts([mode.a_trials, mode.b_trials], most),
        parts.badge(mode.change, found),
        words.p_value(mode.corrected),
    ]


def _spreads(comparison: Comparison) -> Iterator[Section]:
    figures = [*parts.distributions([comparison.a.entries, comparison.b.entries])]
    if figures:
        yield Section("spread", "Distributions", tag("div", figures, class_="figures"))


def _notes(report: Report, held: Data) -> Iterator[Section]:
    notes = [*report.notes]
    if held.left_out:
        notes.append(f"{held.left_out:,} cases are listed without their texts: {LEFT_OUT}")
    policy = report.summary.a.rate or report.summary.b.rate
    if policy:
        bracket = "the bracket counts errors as failures, and leaves them out"
        notes.append(f"pass rate: {policy.policy}; {bracket}")
    if notes:
        yield Section("notes", "Notes", tag("ol", [tag("li", note) for note in notes]))


LEFT_OUT = "the page would be too large; diffruns --case ID shows each of them"


def _data(comparison: Comparison, view: View, looked: Looked) -> Data:
    report = comparison.report
    by = {
        name: [*held] if isinstance(held, Mapping) else [group.value for group in held]
        for name, held in looked.items()
    }
    listed = _listed_at_first(report, view)
    kinds = [Kind(name, says, _tone(name), name in listed) for name, says in WORDS.items()]
    cases = [
        Listed(pair, row.id, row.bucket, words.changes(row))
        for pair, row in zip(comparison.pairs, report.cases, strict=True)
    ]
    return data(
        cases,
        comparison.read,
        sides=("A", "B"),
        kinds=kinds,
        by=by,
        more="diffruns --case shows all",
    )


def _listed_at_first(report: Report, view: View) -> set[str]:
    """Which buckets? Those that the view lists; all of them where it lists none of the cases."""
    found = {row.bucket for row in report.cases if view.listed(row)}
    return {*found} or {*WORDS}
