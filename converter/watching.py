"""How is shown how far a long conversion has come?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from converter.chain import Flow, Shared
    from converter.form import Group


def shown(flow: Flow, length: int) -> Flow:
    """The same result, with a bar on standard error that shows how far it has come."""

    def seen(groups: Iterator[Group], length: int) -> Iterator[Group]:
        with click.progressbar(groups, length=length, label="converting", file=sys.stderr) as bar:
            yield from bar

    shared = flow.shared and Watched(
        flow.shared, lambda groups, parts: seen(groups, length // parts)
    )
    return replace(flow, groups=seen(flow.groups, length), shared=shared)


@dataclass(frozen=True, slots=True)
class Watched:
    """A result's groups in parts, of which the first is watched: helpers keep pace with it."""

    shared: Shared
    seen: Callable[[Iterator[Group], int], Iterator[Group]]

    def parts(self, count: int) -> Sequence[Iterator[Group]]:
        """Which parts are there?"""
        first, *rest = self.shared.parts(count)
        return [self.seen(first, len(rest) + 1), *rest]

    def found(self) -> object:
        """What has this process found out?"""
        return self.shared.found()

    def join(self, later: object) -> None:
        """Go on with what another one found out."""
        self.shared.join(later)
