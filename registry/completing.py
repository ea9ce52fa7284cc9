"""What may a shell offer to complete a word with?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import click
from click.shell_completion import CompletionItem

Offer: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def files(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Whatever file the shell finds."""
    del context, parameter
    return [CompletionItem(incomplete, type="file")]


def refs(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Formats, and the versions of one once it is written out with its @."""
    from registry import catalog

    del context, parameter
    formats = catalog.formats()
    if "@" not in incomplete:
        return [
            CompletionItem(one.id, help=one.summary)
            for one in formats
            if one.id.startswith(incomplete)
        ]
    every = [f"{one.id}@{shelf.version}" for one in formats for shelf in one.versions]
    return [CompletionItem(ref) for ref in every if ref.startswith(incomplete)]


def words(known: Callable[[], Iterable[str]]) -> Offer:
    """Those of some words that begin so; they are asked for when they are needed."""

    def offer(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        del context, parameter
        return [CompletionItem(word) for word in known() if word.startswith(incomplete)]

    return offer
