"""What in a case is not the same on both sides, told short, and told in full?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec

from converter.facts import Case, Trial
from diffruns.alignment import Pair
from diffruns.entries import Attempt, Entry
from diffruns.report import CaseSide, Change
from diffruns.transitions import asked_otherwise, failures, moved, same_failures, same_outputs

FIELDS = ("score", "checks", "soft", "output", "input", "prompt")
"""what `--ignore` may name: the fields by which a case is compared, beside its verdict"""


def side(entry: Entry | None) -> CaseSide | None:
    """What did a case come to on one side? None where it is not there."""
    if entry is None:
        return None
    trials = len(entry.attempts)
    return CaseSide(entry.state, entry.passes, entry.judged, entry.errors, trials, entry.score)


def told_verdict(side: CaseSide) -> str:
    """How is told what a case came to? Of several trials, how many passed and were judged."""
    if side.trials < 2 or not side.judged:
        return side.verdict
    return f"{side.verdict} {side.passes}/{side.judged}{unjudged(side)}"


def unjudged(side: CaseSide) -> str:
    """How is told that some trials were not judged?"""
    counts = (("error", side.errors), ("not judged", side.trials - side.judged - side.errors))
    return "".join(f" +{count} {word}" for word, count in counts if count)


def changes(pair: Pair, ignore: Collection[str], tolerance: float) -> tuple[Change, ...]:
    """What has changed in a case, by the fields that are kept of it?"""
    if pair.both is None:
        return ()
    return tuple(one for one in _changes(*pair.both, tolerance) if one.field not in ignore)


def _changes(a: Entry, b: Entry, tolerance: float) -> Iterator[Change]:
    rates_differ = a.passes * b.judged != b.passes * a.judged
    if a.state != b.state or rates_differ or a.undecided != b.undecided:
        yield Change("verdict", *(told_verdict(one) for one in map(side, (a, b)) if one))
    if moved(a.score, b.score, tolerance):
        yield Change("score", a.score, b.score)
    if not same_failures(a, b, ()):
        after = failures(b)
        for field, here in failures(a).items():
            if here != after[field]:
                yield Change(field, sorted(here), sorted(after[field]))
    if not same_outputs(a, b):
        yield Change("output", None, None)
    if asked_otherwise(a, b):
        yield Change("input", None, None)
    if a.prompt != b.prompt:
        yield Change("prompt", None, None)


class Detail(msgspec.Struct, frozen=True):
    """One place in a case's facts that is not the same, as JSON Pointer, and both its values."""

    place: str
    kind: str
    a: Any
    b: Any


QUIET = ("id", "session_id", "conversation_id", "latency_ms", "duration_ms")
"""facts of a trial that are another every time, and say nothing about the target"""


def details(a: tuple[Case, Trial], b: tuple[Case, Trial], ignore: Collection[str]) -> list[Detail]:
    """What in two trials of a case is not the same, place by place? In the order of the facts."""
    from deepdiff import DeepDiff

    found = DeepDiff(
        told(a, ignore), told(b, ignore), view="tree", threshold_to_diff_deeper=0, verbose_level=2
    )
    places = [_detail(kind, level) for kind, levels in found.items() for level in levels]
    return sorted(places, key=lambda detail: detail.place)


def told(side: tuple[Case, Trial], ignore: Collection[str]) -> dict[str, Any]:
    """What do a case and one of its trials say, but for what is another every time?"""
    case, trial = (msgspec.to_builtins(one) for one in side)
    kept = {key: value for key, value in trial.items() if key not in QUIET}
    return {key: value for key, value in {**case, **kept}.items() if key not in ignore}


def _detail(kind: str, level: Any) -> Detail:
    place = "".join(f"/{step}" for step in level.path(output_format="list"))
    words = {"item_added": "added", "item_removed": "removed"}
    said = next((word for end, word in words.items() if kind.endswith(end)), "changed")
    return Detail(place, said, _value(level.t1), _value(level.t2))


def _value(value: Any) -> Any:
    return None if type(value).__name__ == "NotPresent" else value


def matched(pair: Pair) -> list[tuple[Attempt | None, Attempt | None]]:
    """Which trials of a case are looked at side by side? Those of one place in the order.

    Trials of a case are exchangeable, so this is for reading only; nothing is counted by it.
    """
    a, b = (side.attempts if side else () for side in (pair.a, pair.b))
    length = max(len(a), len(b))
    padded: list[Sequence[Attempt | None]] = [
        [*side, *[None] * (length - len(side))] for side in (a, b)
    ]
    return list(zip(*padded, strict=True))
