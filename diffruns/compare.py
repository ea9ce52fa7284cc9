"""Two runs in, one report out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from converter.bundling import Said
from diffruns import changes, gates, measures
from diffruns.alignment import Pair, Pairs, align
from diffruns.comparability import Properties, comparability
from diffruns.dimensions import values
from diffruns.entries import Attempt, Entry, State, digest
from diffruns.kept import Kept, few_of
from diffruns.modes import Modes
from diffruns.report import (
    CaseRow,
    Change,
    Comparable,
    Delta,
    Gate,
    Group,
    Measures,
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
    count = partial(_counted, pairs, unlisted, options)
    with helping.helpers([count] if len(pairs) >= MANY and helping.cores() > 1 else []) as helpers:
        seen = _Seen((a, b), unlisted, options)
        rows = Kept(CaseRow, few_of(len(pairs))).extend(map(seen.row, pairs)).frozen()
        counted = helpers[0].result() if helpers else count()
    comparable = comparability(a, b, seen.properties, options.ignore)
    summary = Summary(counted.a, counted.b, counted.delta, seen.transitions(), counted.compared)
    tripped = gates.gates(options.asked, gates.Evidence(comparable, summary, rows, pairs))
    report = Report(
        a=run_head(a),
        b=run_head(b),
        comparable=comparable,
        summary=summary,
        buckets={name: seen.buckets[name] for name in WORDS},
        rungs=dict(seen.rungs),
        cases=rows,
        by={name: _by(pairs, rows, name, options) for name in options.by},
        failure_modes=tuple(
            mode
            for mode in counted.modes
            if ("checks" if mode.hard else "soft") not in options.ignore
        ),
        gates=tripped,
        notes=(*_notes(a, b, seen), *_assumed(counted, options)),
        exit_code=_exit_code(comparable, summary, seen.buckets, tripped),
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


Reached: TypeAlias = "tuple[State, State]"
Unlisted: TypeAlias = tuple[measures.Unlisted, measures.Unlisted]


def _reached(pair: Pair, some: tuple[bool, bool], sides: tuple[Side, Side]) -> Reached:
    """In which state is the case on either side? What nobody tried, rows can't say, and is there.

    `some` says which run has unlisted cases.
    """
    found = states(pair, *some)
    if pair.both or pair.entry.attempts:
        return found
    before, after = (
        "skipped" if state == "missing" and side.rows else state
        for state, side in zip(found, sides, strict=True)
    )
    return before, after


class _Seen:
    """What is counted while cases are looked at one by one."""

    def __init__(self, sides: tuple[Side, Side], unlisted: Unlisted, options: Options) -> None:
        self._sides, self._options = sides, options
        self._unlisted = any(unlisted[0]), any(unlisted[1])
        self._reached: Counter[Reached] = Counter()
        self.properties = Properties()
        self.buckets: Counter[Bucket] = Counter()
        self.rungs: Counter[str] = Counter()
        self.untried = 0
        """how many has nobody tried, so that the rows of the other file can't say them?"""
        self.same_words = 0
        """how many broke or were fixed, and said the same?"""
        self.several = False
        """has some case several trials?"""

    def row(self, pair: Pair) -> CaseRow:
        """What became of this case? It is counted in."""
        reached = _reached(pair, self._unlisted, self._sides)
        row = _row(pair, reached, self._options)
        self.buckets[row.bucket] += 1
        if not pair.ambiguous:
            self._reached[reached] += 1
        if pair.a and pair.b:
            self.rungs[pair.rung] += 1
            self.properties.add(pair.a, pair.b)
        elif row.bucket == "unchanged":
            self.untried += 1
        if row.bucket in ("broke", "fixed") and _same_words(pair):
            self.same_words += 1
        self.several = self.several or len(pair.entry.attempts) > 1
        return row

    def transitions(self) -> tuple[Transition, ...]:
        """How many cases went from one state to another?"""
        return tuple(
            Transition(before, after, cases)
            for (before, after), cases in sorted(self._reached.items())
        )


def _row(pair: Pair, reached: Reached, options: Options) -> CaseRow:
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


@dataclass(frozen=True, slots=True)
class _Counted:
    """What all cases come to, and those in the statistics: of both sides, with one input."""

    a: Measures
    b: Measures
    delta: dict[str, Delta]
    modes: list[Mode]
    compared: int
    """cases that were judged on both sides"""
    uneven: bool
    """were some of them not judged equally often?"""
    tested: int
    groups: int
    """how many groups are the tested cases of?"""


def _counted(pairs: Pairs, unlisted: Unlisted, options: Options) -> _Counted:
    """All that is counted and tested, while somebody else looks at case by case."""
    cluster = _cluster(options)
    a, b = measures.Cases(cluster), measures.Cases(cluster)
    differences, modes = measures.Differences(cluster), Modes()
    groups: set[int] = set()
    for pair in pairs:
        if pair.a:
            a.add(pair.a)
        if pair.b:
            b.add(pair.b)
        if pair.a and pair.b and not left_out(pair.a, pair.b, options.ignore):
            differences.add(pair.a, pair.b)
            modes.add(pair.a, pair.b)
            if pair.b.group is not None:
                groups.add(hash(pair.b.group))
    delta = measures.corrected(differences.deltas(options.alpha), options.correct, options.alpha)
    return _Counted(
        a=a.measures(unlisted[0]),
        b=b.measures(unlisted[1]),
        delta=delta,
        modes=modes.told(options.correct),
        compared=differences.compared,
        uneven=differences.uneven,
        tested=len(differences),
        groups=len(groups),
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


Both: TypeAlias = "tuple[measures.Cases, measures.Cases]"


def _by(
    pairs: Sequence[Pair], rows: Sequence[CaseRow], dimension: str, options: Options
) -> tuple[Group, ...]:
    """What do the cases of each value come to? The family of their tests is corrected for.

    The difference is of the cases that have the value on both sides.
    """
    cluster = _cluster(options)
    sides = defaultdict[str, Both](lambda: (measures.Cases(cluster), measures.Cases(cluster)))
    tested = defaultdict[str, measures.Differences](lambda: measures.Differences(cluster))
    for pair, row in zip(pairs, rows, strict=True):
        for place, side in enumerate((pair.a, pair.b)):
            if side is not None:
                for value in values(side, dimension):
                    sides[value][place].add(side)
        if pair.a and pair.b and row.bucket != "input-changed":
            for value in set(values(pair.a, dimension)).intersection(values(pair.b, dimension)):
                tested[value].add(pair.a, pair.b)
    deltas = {value: tested[value].deltas(options.alpha) for value in sorted(sides)}
    corrected = measures.corrected_over(deltas, options.correct, options.alpha)
    return tuple(
        Group(value, sides[value][0].measures(), sides[value][1].measures(), corrected[value])
        for value in sorted(sides)
    )


def _notes(a: Side, b: Side, seen: _Seen) -> Iterator[str]:
    """What should a reader know that no figure says?"""
    if changed := seen.buckets["input-changed"]:
        yield f"left out of the statistics, as their input changed: {changed:,}"
    if ambiguous := seen.buckets["ambiguous"]:
        yield f"left out of the statistics, as named several times: {ambiguous:,}"
    for name, side in (("A", a), ("B", b)):
        count = sum(measures.unlisted(side.run))
        if count:
            yield f"cases that {name} counts and does not list: {count:,}"
    if seen.untried:
        yield f"not tried, and so in no row of the other file: {seen.untried:,}"
    if judge := seen.same_words:
        yield f"another verdict on the same output: {judge:,}; was it the judge that changed?"
    if seen.several:
        yield "pass^j and pass@j take each case's own number of trials"


def _same_words(pair: Pair) -> bool:
    """Did the target say the same on both sides, so far as is known?"""
    if pair.both is None:
        return False
    said = [{attempt.output for attempt in side.attempts} for side in pair.both]
    return said[0] == said[1] != {None}


def _assumed(counted: _Counted, options: Options) -> Iterator[str]:
    """Of what the tests take for granted, what does not hold, or may not?"""
    if counted.uneven:
        yield "cases were not tried equally often in A and B: tests of their means are rough"
    claimed = any(delta.finding != "~" for delta in counted.delta.values())
    if claimed and options.cluster is None and 1 < counted.groups < counted.tested:
        yield (
            f"cases are taken as independent; they come in {counted.groups:,} groups: "
            "--cluster group counts with that"
        )


def _exit_code(
    comparable: Comparable, summary: Summary, buckets: Counter[Bucket], tripped: Sequence[Gate]
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
    return 1 if any(buckets[name] for name in WORSE) else 0


JUDGED = ("passed", "failed", "flaky")
