"""Which records of a big file need no look here, since a helper has found nothing wrong with them?

Most files have nothing wrong. So helpers look at the later records while this process checks the
earlier ones; what a helper vouches for is then only counted. What it does not vouch for is checked
here as if nobody had looked, so whatever is told of a file is the same however many help.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from registry.engine import Judge
from registry.errors import NotJson
from registry.helping import helpers
from registry.slices import Index

SHARED_BYTES = 8 << 20
"""bytes of a file from which on helpers are worth starting"""

LOOK, COUNT = 3.0, 1.0
"""what checking a record takes, and counting one that needs no check, in the same unit"""


def shared(index: Index, keeps: Judge, jobs: int) -> Iterator[tuple[range, bool]]:
    """Which records come next, part by part, and does somebody vouch for them?

    Raises HelperLost when a helper ended before its time.
    """
    large = memoryview(index.source).nbytes >= SHARED_BYTES
    mine, *theirs = _parts(len(index), jobs if large else 1)
    with helpers([partial(_sound, index, keeps, part) for part in theirs]) as started:
        yield mine, False
        for part, helper in zip(theirs, started, strict=True):
            yield part, helper.result()


def _parts(size: int, jobs: int) -> Sequence[range]:
    """Which records does each process look at, so that all are done at the same time?"""
    others = LOOK / max(jobs - 1, 1)
    own = max((others - COUNT) / (LOOK - COUNT + others), 0) if jobs > 1 else 1
    first = int(size * own)
    bounds = [first + (size - first) * at // max(jobs - 1, 1) for at in range(jobs)]
    return [range(first), *(range(*bound) for bound in pairwise(bounds))]


def _sound(index: Index, keeps: Judge, numbers: range) -> bool:
    """Is there nothing wrong with these records?"""
    try:
        return all(keeps(index.record(number, placed=False)) for number in numbers)
    except NotJson:
        return False
