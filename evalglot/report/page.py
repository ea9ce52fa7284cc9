"""What does one run come to? As a page: the verdict first, every case at hand, offline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from diffruns import measures
from diffruns.alignment import Pair
from diffruns.compare import run_head
from diffruns.entries import Attempt, Entry
from diffruns.modes import failure_modes
from diffruns.renderers import words
from diffruns.renderers.page import Section, page, parts, plots
from diffruns.renderers.page.data import Data, Kind, Listed, Read, data
from diffruns.renderers.page.markup import Markup, tag, together
from diffruns.report import Measures, Mode
from diffruns.sides import Side

if TYPE_CHECKING:
    from converter.bundling import Said

Groups: TypeAlias = Mapping[str, Mapping[str, Sequence[Sequence[Entry]]]]

STATES = {
    "failed": "fails every trial that was judged",
    "flaky": "passes some of its trials",
    "error": "could not be judged",
    "review": "undecided",
    "skipped": "was not tried",
    "passed": "passes every trial",
}
"""What the verdicts of a case mean, what a reader looks for first."""

MORE = "see the file itself"


class Looked(NamedTuple):
    """A run, what it comes to, and the dimensions that are looked into."""

    side: Side
    whole: Measures
    groups: Groups


def render(side: Side, by: Sequence[str]) -> bytes:
    """The page about this run; `by` are dimensions: what looks worth it where none is given."""
    entries = side.entries
    groups = {name: parts.grouped([entries], name) for name in by} or parts.automatic([entries])
    looked = Looked(side, measures.measure(entries, unlisted=measures.unlisted(side.run)), groups)
    held = _data(looked)
    sections = [
        Section("run", "Run", parts.run_card("", run_head(side))),
        Section("measures", "Measures", _measures(looked.whole)),
        Section("cases", "Cases", parts.CASES),
        *_where(groups),
        *_modes(entries),
        *_spreads(entries),
        *_notes(looked, held),
    ]
    return page(f"{_sentence(looked.whole)} · evalglot", _verdict(looked.whole), sections, held)


def _sentence(whole: Measures) -> str:
    """What is the one sentence that says how the run went?"""
    if whole.rate is None:
        return "Nothing could be assessed"
    return f"{words.percent(whole.rate.value)} pass"


def _verdict(whole: Measures) -> Markup:
    rate = whole.rate
    evidence = None
    if rate:
        counted = f"errors in and out {words.bracket(rate)}"
        evidence = f"95 % interval {words.interval(rate)}, {counted}, n={rate.n:,}"
    counts = [f"{whole.verdicts[state]:,} {state}" for state in STATES if state in whole.verdicts]
    trials = f", {whole.trials:,} trials" if whole.trials != whole.cases else ""
    return together(
        tag("p", "evalglot report", class_="kicker"),
        tag("h1", _sentence(whole), class_="verdict"),
        tag("p", evidence, class_="evidence") if evidence else None,
        tag("p", f"{whole.cases:,} cases{trials}: {', '.join(counts) or 'none'}", class_="counted"),
    )


def _measures(whole: Measures) -> Markup:
    tiles = [
        tag("div", tag("dt", label.strip()), tag("dd", told))
        for label, told, _, _ in words.lines(whole, whole)
    ]
    tiles.append(tag("div", tag("dt", "cases"), tag("dd", f"{whole.cases:,}")))
    curve = parts.powers([whole])
    return tag(
        "div",
        tag("dl", tiles, class_="tiles"),
        tag("div", curve, class_="figures") if curve else None,
        class_="one",
    )


def _where(groups: Groups) -> Iterator[Section]:
    if not groups:
        return
    tables = [
        parts.groups_table(
            name,
            number,
            {value: [measures.measure(held) for held in sides] for value, sides in values.items()},
            {},
        )
        for number, (name, values) in enumerate(groups.items())
    ]
    says = tag("p", "The line is the 95 % interval.", class_="says")
    content = together(says, parts.dimensions_of(tables, wide=False))
    yield Section("where", "By dimension", content)


def _modes(entries: Sequence[Entry]) -> Iterator[Section]:
    """Which checks fail, and how often? The comparison of a run with itself counts them."""
    modes = failure_modes(((entry, entry) for entry in entries), "none")
    if modes:
        most = max(mode.b_trials for mode in modes)
        head = ["Check", "Trials", "Cases", tag("span", "Bars", class_="unseen")]
        rows = [_mode(mode, most) for mode in modes]
        yield Section("failures", "Failure modes", parts.table(head, rows, "Failure modes"))


def _mode(mode: Mode, most: int) -> list[Markup | str]:
    return [
        together(parts.facet("check", mode.check, mode.check), None if mode.hard else " (soft)"),
        f"{mode.b_trials:,}",
        f"{mode.b_cases:,}",
        plots.counts([mode.b_trials], most),
    ]


def _spreads(entries: Sequence[Entry]) -> Iterator[Section]:
    figures = [*parts.distributions([entries])]
    if figures:
        content = tag("div", figures, class_="figures one")
        yield Section("spread", "Distributions", content)


def _notes(looked: Looked, held: Data) -> Iterator[Section]:
    whole, run = looked.whole, looked.side.run
    notes = []
    if whole.rate:
        bracket = "the bracket counts errors as failures, and leaves them out"
        notes.append(f"pass rate: {whole.rate.policy}; {bracket}")
    if len(whole.pass_hat) > 1:
        notes.append("pass^j and pass@j take each case's own number of trials")
    unlisted = sum(measures.unlisted(run))
    if unlisted:
        notes.append(f"the run counts {unlisted:,} cases that it does not list")
    if held.left_out:
        notes.append(f"{held.left_out:,} cases are listed without their texts: {MORE}")
    if notes:
        yield Section("notes", "Notes", tag("ol", [tag("li", note) for note in notes]))


def _data(looked: Looked) -> Data:
    failing = {"failed", "flaky", "error"} & {*looked.whole.verdicts}
    kinds = [
        Kind(state, says, parts.verdict_tone(state), state in failing or not failing)
        for state, says in STATES.items()
    ]
    cases = [
        Listed(Pair(entry, None), entry.label, entry.state, _says(entry))
        for entry in looked.side.entries
    ]
    by = {name: [*values] for name, values in looked.groups.items()}
    return data(cases, _reading(looked.side), sides=("",), kinds=kinds, by=by, more=MORE)


def _says(entry: Entry) -> str:
    """Which checks did the case fail?"""
    return ", ".join(dict.fromkeys(name for one in entry.attempts for name in one.failed))


def _reading(side: Side) -> Read:
    def read(one: Attempt | None, other: Attempt | None) -> tuple[Said | None, Said | None]:
        del other
        return (side.read(one) if one else None), None

    return read
