"""Two runs in, one report out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from converter.bundling import Said
from diffruns import changes, gates, measures
from diffruns.alignment import Pair, align
from diffruns.comparability import comparability
from diffruns.counting import Counted, counted, groups
from diffruns.entries import Attempt, Entry, digest
from diffruns.kept import Kept, few_of
from diffruns.looking import Seen
from diffruns.options import DEFAULT, Options
from diffruns.report import CaseRow, Comparable, Gate, Report, RunHead, Summary
from diffruns.sides import Side
from diffruns.transitions import WORDS, WORSE, Bucket
from registry import helping

MANY = 20_000
"""pairs from which on a second process is worth its start"""


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


def compare(a: Side, b: Side, options: Options = DEFAULT) -> Comparison:
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
    count = partial(counted, pairs, unlisted, options)
    with helping.helpers([count] if len(pairs) >= MANY and helping.cores() > 1 else []) as helpers:
        seen = Seen((a, b), (any(unlisted[0]), any(unlisted[1])), options)
        rows = Kept(CaseRow, few_of(len(pairs))).extend(map(seen.row, pairs)).frozen()
        found = helpers[0].result() if helpers else count()
    comparable = comparability(a, b, seen.properties, options.ignore)
    summary = Summary(found.a, found.b, found.delta, seen.transitions(), found.compared)
    tripped = gates.gates(options.asked, gates.Evidence(comparable, summary, rows, pairs))
    report = Report(
        a=run_head(a),
        b=run_head(b),
        comparable=comparable,
        summary=summary,
        buckets={name: seen.buckets[name] for name in WORDS},
        rungs=dict(seen.rungs),
        cases=rows,
        by={name: groups(pairs, rows, name, options) for name in options.by},
        failure_modes=tuple(
            mode
            for mode in found.modes
            if ("checks" if mode.hard else "soft") not in options.ignore
        ),
        gates=tripped,
        notes=(*_notes(a, b, seen), *_assumed(found, options)),
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


def _notes(a: Side, b: Side, seen: Seen) -> Iterator[str]:
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


def _assumed(found: Counted, options: Options) -> Iterator[str]:
    """Of what the tests take for granted, what does not hold, or may not?"""
    if found.uneven:
        yield "cases were not tried equally often in A and B: tests of their means are rough"
    claimed = any(delta.finding != "~" for delta in found.delta.values())
    if claimed and options.cluster is None and 1 < found.groups < found.tested:
        yield (
            f"cases are taken as independent; they come in {found.groups:,} groups: "
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
