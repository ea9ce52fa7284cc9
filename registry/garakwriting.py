"""Which lines say a document of garak's?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from registry import gate
from registry.garakcolumns import SENT, Entry, as_sent, joined
from registry.slices import Index
from registry.values import JSON


def pieces(index: Index) -> Iterator[bytes]:
    """Which lines are there, in order?"""
    return map(gate.dump, _entries(index))


def _entries(index: Index) -> Iterator[JSON]:
    document, count = index.envelope, len(index)
    yield from (document[name] for name in ("setup", "init") if name in document)
    others: dict[int, list[Entry]] = defaultdict(list)
    for one in document.get("lines", ()):
        others[min(max(one["at"], 0), count)].append(one)
    for start, end in pairwise(sorted({0, *others, count})):
        yield from _run(index, range(start, end), others[start])
    yield from (one["line"] for one in others[count])
    if "completion" in document:
        yield document["completion"]
    yield from document.get("epilog", ())


def _run(index: Index, numbers: Sequence[int], others: Sequence[Entry]) -> Iterator[JSON]:
    """Attempts that follow one another, after all that was said of them before."""
    yield from (one["line"] for one in others if not one.get("late"))
    for number in numbers:
        attempt = index.record(number)
        if SENT in attempt:
            yield as_sent(attempt, attempt[SENT])
    yield from (one["line"] for one in others if one.get("late"))
    yield from (joined(index.record(number)) for number in numbers)
