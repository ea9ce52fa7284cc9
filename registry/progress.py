"""How far has long work come? A bar on standard error, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar

Thing = TypeVar("Thing")


class Watch(Protocol):
    """Who sees things go by, of which there are so many?"""

    def __call__(self, things: Iterable[Any], length: int) -> Iterable[Any]:
        """The same things."""


LONG_BYTES = 16 << 20
"""files from this size take long enough to be watched"""


def unwatched(things: Iterable[Any], length: int) -> Iterable[Any]:
    """The same things, with no bar."""
    del length
    return things


def watched(things: Iterable[Thing], length: int, label: str, size: int) -> Iterable[Thing]:
    """The same things, with a bar while they are gone through if a file of this size is long."""
    if size < LONG_BYTES or sys.stderr is None or not sys.stderr.isatty():
        return things
    return _shown(things, length, label)


def _shown(things: Iterable[Thing], length: int, label: str) -> Iterator[Thing]:
    import click

    with click.progressbar(things, length=length, label=label, file=sys.stderr) as bar:
        yield from bar
