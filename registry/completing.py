"""What may a shell offer to complete a word with?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from click import Context, Parameter
    from click.shell_completion import CompletionItem

Offer: TypeAlias = "Callable[[Context, Parameter, str], list[CompletionItem]]"


def files(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """Whatever file the shell finds."""
    from click.shell_completion import CompletionItem

    del context, parameter
    return [CompletionItem(incomplete, type="file")]


def words(known: Callable[[], Iterable[str]]) -> Offer:
    """Those of some words that begin so; they are asked for when they are needed."""

    def offer(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        del context, parameter
        return [CompletionItem(word) for word in known() if word.startswith(incomplete)]

    return offer


def _refs() -> Iterable[str]:
    from registry import catalog

    for one in catalog.formats():
        yield one.id
        yield from (f"{one.id}@{shelf.version}" for shelf in one.versions)


refs = words(_refs)
"""Formats, and their versions."""
