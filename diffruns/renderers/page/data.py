"""What does the page's script know of the cases? As JSON, small, and in parts.

`meta` says what the figures mean, `rows` has a line for each case, and `details-N` what is told of
the cases of one chunk when one of them is opened. Texts are cut to what a page can hold, and what
is left out is counted; the cases come in the order of their kinds, so what matters least is left
out first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec

from diffruns import changes, dimensions
from diffruns.alignment import Pair
from diffruns.entries import Attempt, Entry, check_name, tokens_of
from diffruns.renderers.page.markup import visible

if TYPE_CHECKING:
    from converter.bundling import Said
    from converter.facts import Check, Event, Trial

CHUNK = 100
"""cases whose details are decoded together"""

TEXT, REASON, EVENT, CASE = 4_000, 400, 1_000, 24_000
"""characters of an output or input, a reason, an event, and of one case in all"""

TRIALS, CHECKS, EVENTS = 16, 40, 80
"""how many of them are told of a case, or a trial, at most"""

PAGE = 24_000_000
"""bytes of details in one page"""

Read: TypeAlias = "Callable[[Attempt | None, Attempt | None], tuple[Said | None, Said | None]]"
Values: TypeAlias = Mapping[str, Sequence[str]]


class Kind(NamedTuple):
    """By what are cases told apart? `tone` is how it looks, `listed` whether it is shown first."""

    id: str
    says: str
    tone: str
    listed: bool


class Listed(NamedTuple):
    """One case as it is listed: `says` is told in its line, beside its verdicts."""

    pair: Pair
    id: str
    kind: str
    says: str


@dataclass(frozen=True, slots=True)
class Data:
    """The blocks of JSON by name, and how many cases have no details for want of room."""

    blocks: Sequence[tuple[str, bytes]]
    left_out: int


def data(
    cases: Sequence[Listed],
    read: Read,
    *,
    sides: Sequence[str],
    kinds: Sequence[Kind],
    by: Values,
    more: str,
) -> Data:
    """What is known of these cases? `more` says where the rest is to be seen."""
    place = {kind.id: number for number, kind in enumerate(kinds)}
    ordered = sorted(cases, key=lambda one: place[one.kind])
    checks = _checks_failed(ordered)
    rows = [_row(one, place, checks, by) for one in ordered]
    chunks, told = _chunks(ordered, read)
    meta = {
        "sides": sides,
        "kinds": [[*kind] for kind in kinds],
        "checks": [visible(name) for name in checks],
        "by": [[name, [visible(value) for value in values]] for name, values in by.items()],
        "chunk": CHUNK,
        "more": more,
    }
    blocks = [("meta", msgspec.json.encode(meta)), ("rows", msgspec.json.encode(rows))]
    numbered = [(f"details-{number}", chunk) for number, chunk in enumerate(chunks)]
    return Data([*blocks, *numbered], len(ordered) - told)


def _checks_failed(cases: Sequence[Listed]) -> dict[str, int]:
    """Which checks fail anywhere, and which number has each?"""
    names = {name for one in cases for side in _sides(one.pair) if side for name in _failed(side)}
    return {name: number for number, name in enumerate(sorted(names))}


def _sides(pair: Pair) -> tuple[Entry | None, Entry | None]:
    return pair.a, pair.b


def _failed(entry: Entry) -> set[str]:
    return {name for one in entry.attempts for name in (*one.failed, *one.broken)}


def _row(one: Listed, place: Mapping[str, int], checks: Mapping[str, int], by: Values) -> list[Any]:
    """One case: id, kind, what is said of it, group, target, tags, both sides, checks, values."""
    entry = one.pair.b or one.pair.entry
    held = [side for side in _sides(one.pair) if side]
    critical = any(side.critical for side in held)
    return [
        visible(one.id),
        place[one.kind],
        visible(one.says),
        entry.group and visible(entry.group),
        entry.target and visible(entry.target),
        [visible(name) for name in entry.tags] + ["critical"] * critical,
        *map(_side, _sides(one.pair)),
        sorted({checks[name] for side in held for name in _failed(side)}),
        [_values(held, name, values) for name, values in by.items()],
        one.pair.rung,
    ]


def _side(entry: Entry | None) -> list[Any] | None:
    held = changes.side(entry)
    if held is None:
        return None
    return [held.verdict, held.passes, held.judged, held.score, changes.unjudged(held)]


def _values(held: Sequence[Entry], dimension: str, values: Sequence[str]) -> list[int]:
    said = {value for side in held for value in dimensions.values(side, dimension)}
    return [number for number, value in enumerate(values) if value in said]


def _chunks(cases: Sequence[Listed], read: Read) -> tuple[list[bytes], int]:
    """The details of as many cases as the page has room for, and how many that are."""
    chunks: list[bytes] = []
    size = 0
    for start in range(0, len(cases), CHUNK):
        held = cases[start : start + CHUNK]
        chunk = msgspec.json.encode([_detail(one.pair, read) for one in held])
        size += len(chunk)
        if size > PAGE:
            return chunks, start
        chunks.append(chunk)
    return chunks, len(cases)


@dataclass(slots=True)
class _Room:
    """How many characters of a case may still be told, and how many were left out?"""

    left: int = CASE
    cut: int = 0

    def text(self, text: str | None, most: int) -> str | None:
        """As much of the text as there is room for."""
        if text is None:
            return None
        kept = text[: max(min(most, self.left), 0)]
        self.left -= len(kept)
        self.cut += len(text) - len(kept)
        return visible(kept) + "…" if len(kept) < len(text) else visible(kept)

    def some(self, things: Sequence[Any], most: int, least: int) -> Sequence[Any]:
        """As many of the things as are told, each at least so long."""
        self.cut += max(len(things) - most, 0) * least
        return things[:most]


def _detail(pair: Pair, read: Read) -> dict[str, Any]:
    """What is told of a case when it is opened?"""
    room = _Room()
    told: list[list[Any]] = []
    asked: list[str | None] = [None, None]
    for one, other in room.some(changes.matched(pair), TRIALS, 1):
        said = read(one, other)
        if not told:
            asked = _asked(said, room)
        trials = [side and _trial(side[1], room) for side in said]
        told.append(_once(*trials))
    return _said({"in": asked if any(asked) else None, "trials": told, "cut": room.cut or None})


def _asked(said: tuple[Said | None, Said | None], room: _Room) -> list[str | None]:
    """The input on either side; only on the first where it is the same."""
    a, b = (side[0].input if side else None for side in said)
    return [room.text(a, TEXT), None if a == b else room.text(b, TEXT)]


def _once(a: dict[str, Any] | None, b: dict[str, Any] | None) -> list[Any]:
    """Both trials, where what B says in the same way as A is only named."""
    if a is None or b is None:
        return [a, b]
    same = [key for key in ("out", "why", "checks", "events") if key in a and a[key] == b.get(key)]
    rest = {key: value for key, value in b.items() if key not in same}
    return [a, {**rest, "same": same} if same else rest]


def _trial(trial: Trial, room: _Room) -> dict[str, Any]:
    checks = room.some(trial.checks or (), CHECKS, 1)
    events = room.some(trial.transcript or (), EVENTS, 1)
    return _said(
        {
            "verdict": trial.verdict or "review",
            "score": trial.score,
            "out": room.text(trial.output, TEXT),
            "why": room.text(trial.reason or trial.error, TEXT),
            "checks": [_check(one, room) for one in checks] or None,
            "events": [_event(one, room) for one in events] or None,
            "ms": trial.latency_ms if trial.latency_ms is not None else trial.duration_ms,
            "tokens": tokens_of(trial),
            "usd": trial.cost_usd,
        }
    )


def _check(check: Check, room: _Room) -> list[Any]:
    name = visible(check_name(check))
    return [name, check.passed, check.hard, room.text(check.reason, REASON)]


def _event(event: Event, room: _Room) -> list[Any]:
    return [event.kind, event.name and visible(event.name), room.text(_happened(event), EVENT)]


def _happened(event: Event) -> str:
    if event.kind != "tool":
        return event.text or ""
    said = "" if event.arguments is None else _compact(event.arguments)
    ended = event.error if event.error is not None else _compact(event.result)
    return f"({said}) → {ended}"


def _compact(value: Any) -> str:
    from registry.gate import dump

    return dump(value).decode()


def _said(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Only what is said."""
    return {key: value for key, value in fields.items() if value is not None}
