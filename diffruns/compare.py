"""Two runs in, one report out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TypeAlias

from converter.bundling import Said
from diffruns import changes, gates, measures
from diffruns.alignment import Pair, align
from diffruns.comparability import comparability
from diffruns.dimensions import values
from diffruns.entries import Attempt, Entry, State, digest
from diffruns.modes import failure_modes
from diffruns.report import (
    CaseRow,
    Change,
    Comparable,
    Gate,
    Group,
    Mode,
    Report,
    RunHead,
    Summary,
    Transition,
)
from diffruns.sides import Side
from diffruns.transitions import WORDS, WORSE, Bucket, alike, bucket, left_out, states
from registry import helping

MANY = 20_000
"""pairs from which on a second process is worth its start"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How are the runs compared?

    `by` are dimensions, `cluster` is the one whose values tie cases together;
    `targets` renames A's targets, `renames` A's cases; `explicit` says that
    the entries have keys of their own; `tolerance` is how far a score may move and be the same.
    """

    by: tuple[str, ...] = ()
    alpha: float = 0.05
    correct: str = "holm"
    cluster: str | None = None
    tolerance: float = 0.0
    ignore: frozenset[str] = frozenset()
    explicit: bool = False
    targets: Mapping[str, str] = field(default_factory=dict)
    renames: Mapping[str, str] = field(default_factory=dict)
    asked: gates.Asked = field(default_factory=gates.Asked)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A report, the pairs that it is about, in the order of its cases, and where to read more."""

    report: Report
    pairs: Sequence[Pair]
    a: Side
    b: Side
    options: Options

    def read(self, one: Attempt | None, other: Attempt | None) -> tuple[Said | None, Said | None]:
        """What do these two trials, of A and of B, say in full?"""
        return self.a.read(one) if one else None, self.b.read(other) if other else None


def compare(a: Side, b: Side, options: Options = Options()) -> Comparison:
    """What changed from run A to run B?"""
    pairs = align(
        a.entries,
        b.entries,
        (_content(a), _content(b)),
        explicit=options.explicit,
        targets=options.targets,
        renames=options.renames,
    )
    unlisted = measures.unlisted(a.run), measures.unlisted(b.run)
    reached = _reached(pairs, (a, b), unlisted)
    tested = _tested(pairs, options.ignore)
    count = partial(_counted, pairs, reached, tested, unlisted, options)
    with helping.helpers([count] if len(pairs) >= MANY and helping.cores() > 1 else []) as helpers:
        comparable = comparability(a, b, pairs, options.ignore)
        rows = [_row(pair, states, options) for pair, states in zip(pairs, reached, strict=True)]
        summary, modes = helpers[0].result() if helpers else count()
    tripped = gates.gates(options.asked, gates.Evidence(comparable, summary, rows, pairs))
    report = Report(
        a=run_head(a),
        b=run_head(b),
        comparable=comparable,
        summary=summary,
        buckets=_buckets(rows),
        rungs=dict(Counter(row.rung for row in rows if row.rung)),
        cases=tuple(rows),
        by={name: _by(pairs, rows, name, options) for name in options.by},
        failure_modes=tuple(
            mode for mode in modes if ("checks" if mode.hard else "soft") not in options.ignore
        ),
        gates=tripped,
        notes=(*_notes(a, b, rows, pairs), *_assumed(tested, summary, options)),
        exit_code=_exit_code(comparable, summary, rows, tripped),
    )
    return Comparison(report, pairs, a, b, options)


def _content(side: Side) -> Callable[[Entry], Hashable]:
    """Which function reads all that a case's trials say, but for what differs every time?"""

    def content(entry: Entry) -> Hashable:
        said = [
            {**changes.told(side.read(attempt), ()), "output": attempt.output}
            for attempt in entry.attempts
        ]
        return tuple(sorted(map(digest, said)))

    return content


Unlisted: TypeAlias = tuple[measures.Unlisted, measures.Unlisted]


def _reached(
    pairs: Sequence[Pair], sides: tuple[Side, Side], unlisted: Unlisted
) -> list[tuple[State, State]]:
    """In which state is each case on either side?"""
    some = any(unlisted[0]), any(unlisted[1])
    return [
        _both(pair.a.state, pair.b.state)
        if pair.a and pair.b
        else _absent(states(pair, *some), pair, sides)
        for pair in pairs
    ]


@cache
def _both(before: State, after: State) -> tuple[State, State]:
    """The one copy of two states that many cases share."""
    return before, after


def _absent(
    found: tuple[State, State], pair: Pair, sides: tuple[Side, Side]
) -> tuple[State, State]:
    """The states of a case of one side. What nobody tried, rows can't say, and is there."""
    if pair.entry.attempts:
        return found
    before, after = (
        "skipped" if state == "missing" and side.rows else state
        for state, side in zip(found, sides, strict=True)
    )
    return before, after


def _untried(pair: Pair, row: CaseRow) -> bool:
    """Has nobody tried the case, so that the rows of the other file can't say it?"""
    return pair.both is None and row.bucket == "unchanged"


def _row(pair: Pair, reached: tuple[State, State], options: Options) -> CaseRow:
    a, b = pair.a, pair.b
    entry = b or pair.entry
    if a and b and not pair.ambiguous and alike(a, b):
        found: Bucket = "unchanged"
        before = after = changes.side(a)
        changed: tuple[Change, ...] = ()
    else:
        found = bucket(pair, *reached, options.tolerance, options.ignore)
        before, after = changes.side(a), changes.side(b)
        changed = changes.changes(pair, options.ignore, options.tolerance)
    return CaseRow(
        entry.label,
        entry.group,
        entry.target,
        pair.rung,
        before,
        after,
        found,
        pair.entry.critical or entry.critical,
        entry.tags,
        changed,
    )


def _tested(pairs: Sequence[Pair], ignore: Collection[str]) -> list[tuple[Entry, Entry]]:
    """Which cases are in the statistics? Those that both sides have, with one input."""
    return [
        (pair.a, pair.b)
        for pair in pairs
        if pair.a and pair.b and not left_out(pair.a, pair.b, ignore)
    ]


def _counted(
    pairs: Sequence[Pair],
    reached: Sequence[tuple[State, State]],
    tested: Sequence[tuple[Entry, Entry]],
    unlisted: Unlisted,
    options: Options,
) -> tuple[Summary, list[Mode]]:
    """All that is counted and tested, while somebody else looks at case by case."""
    summary = _summary(pairs, reached, tested, unlisted, options)
    return summary, failure_modes(tested, options.correct)


def _summary(
    pairs: Sequence[Pair],
    reached: Sequence[tuple[State, State]],
    tested: Sequence[tuple[Entry, Entry]],
    unlisted: Unlisted,
    options: Options,
) -> Summary:
    cluster = _cluster(options)
    matrix = Counter(held for held, pair in zip(reached, pairs, strict=True) if not pair.ambiguous)
    return Summary(
        a=measures.measure([pair.a for pair in pairs if pair.a], cluster, unlisted[0]),
        b=measures.measure([pair.b for pair in pairs if pair.b], cluster, unlisted[1]),
        delta=measures.corrected(
            measures.deltas(tested, options.alpha, cluster), options.correct, options.alpha
        ),
        transitions=tuple(
            Transition(before, after, cases) for (before, after), cases in sorted(matrix.items())
        ),
        compared=sum(bool(one.judged and other.judged) for one, other in tested),
    )


def _cluster(options: Options) -> measures.Cluster:
    """Which function names the cluster of a case?"""
    name = options.cluster
    return None if name is None else lambda entry: values(entry, name)


def run_head(side: Side) -> RunHead:
    """Which run is it, as a report names it?"""
    targets = dict.fromkeys(entry.target for entry in side.entries if entry.target)
    return RunHead(
        file=side.source.file,
        format=side.source.format,
        version=side.source.version,
        sha256=side.source.sha256,
        run_id=side.run.id,
        suite=side.run.suite,
        targets=tuple(targets),
        started=side.run.started,
    )


def _buckets(rows: Sequence[CaseRow]) -> dict[str, int]:
    """How many cases are in each bucket? Every bucket is named, in the order of its table."""
    counts = Counter(row.bucket for row in rows)
    return {name: counts[name] for name in WORDS}


def _by(
    pairs: Sequence[Pair], rows: Sequence[CaseRow], dimension: str, options: Options
) -> tuple[Group, ...]:
    """What do the cases of each value come to? The family of their tests is corrected for.

    The difference is of the cases that have the value on both sides.
    """
    sides: dict[str, tuple[list[Entry], list[Entry]]] = {}
    tested: dict[str, list[tuple[Entry, Entry]]] = {}
    for pair, row in zip(pairs, rows, strict=True):
        of_a = values(pair.a, dimension) if pair.a else ()
        of_b = values(pair.b, dimension) if pair.b else ()
        for value in of_a:
            sides.setdefault(value, ([], []))[0].append(pair.a)  # type: ignore[arg-type]
        for value in of_b:
            sides.setdefault(value, ([], []))[1].append(pair.b)  # type: ignore[arg-type]
        if pair.both and row.bucket != "input-changed":
            for value in of_a:
                if value in of_b:
                    tested.setdefault(value, []).append(pair.both)
    cluster = _cluster(options)
    deltas = {
        value: measures.deltas(tested.get(value, []), options.alpha, cluster)
        for value in sorted(sides)
    }
    corrected = measures.corrected_over(deltas, options.correct, options.alpha)
    return tuple(
        Group(
            value,
            measures.measure(sides[value][0], cluster),
            measures.measure(sides[value][1], cluster),
            corrected[value],
        )
        for value in sorted(sides)
    )


def _notes(a: Side, b: Side, rows: Sequence[CaseRow], pairs: Sequence[Pair]) -> Iterator[str]:
    """What should a reader know that no figure says?"""
    buckets = Counter(row.bucket for row in rows)
    if buckets["input-changed"]:
        yield f"left out of the statistics, as their input changed: {buckets['input-changed']:,}"
    if buckets["ambiguous"]:
        yield f"left out of the statistics, as named several times: {buckets['ambiguous']:,}"
    for name, side in (("A", a), ("B", b)):
        count = sum(measures.unlisted(side.run))
        if count:
            yield f"cases that {name} counts and does not list: {count:,}"
    untried = sum(map(_untried, pairs, rows))
    if untried:
        yield f"not tried, and so in no row of the other file: {untried:,}"
    judge = sum(
        row.bucket in ("broke", "fixed") and _same_words(pair)
        for row, pair in zip(rows, pairs, strict=True)
    )
    if judge:
        yield f"another verdict on the same output: {judge:,}; was it the judge that changed?"
    several = any(len(pair.entry.attempts) > 1 for pair in pairs)
    if several:
        yield "pass^j and pass@j take each case's own number of trials"


def _same_words(pair: Pair) -> bool:
    """Did the target say the same on both sides, so far as is known?"""
    if pair.both is None:
        return False
    said = [{attempt.output for attempt in side.attempts} for side in pair.both]
    return said[0] == said[1] != {None}


def _assumed(
    tested: Sequence[tuple[Entry, Entry]], summary: Summary, options: Options
) -> Iterator[str]:
    """Of what the tests take for granted, what does not hold, or may not?"""
    if any(one.judged != other.judged for one, other in tested if one.judged and other.judged):
        yield "cases were not tried equally often in A and B: tests of their means are rough"
    groups = {entry.group for _, entry in tested if entry.group is not None}
    claimed = any(delta.finding != "~" for delta in summary.delta.values())
    if claimed and options.cluster is None and 1 < len(groups) < len(tested):
        yield (
            f"cases are taken as independent; they come in {len(groups):,} groups: "
            "--cluster group counts with that"
        )


def _exit_code(
    comparable: Comparable, summary: Summary, rows: Sequence[CaseRow], tripped: Sequence[Gate]
) -> int:
    """0 nothing, 1 findings, 3 nothing may be compared, 4 nothing could be assessed."""
    if not any(side.verdicts.get(state) for side in (summary.a, summary.b) for state in JUDGED):
        return 4
    if comparable.verdict == "not comparable":
        return 3
    if not summary.compared:
        return 4
    if tripped:
        return 1 if any(gate.tripped for gate in tripped) else 0
    return 1 if any(row.bucket in WORSE for row in rows) else 0


JUDGED = ("passed", "failed", "flaky")
