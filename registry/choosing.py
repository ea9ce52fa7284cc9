"""Which of some words was meant? What is none of them is told with the one that is near it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click


def near(word: str, known: Iterable[str]) -> str:
    """What to say to somebody who wrote a word that is none of these? "" if none is near."""
    from difflib import get_close_matches

    found = get_close_matches(word.lower(), [*known], n=1)
    return f"Did you mean {found[0]}?" if found else ""


class Choice(click.Choice[str]):
    """One of these words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Which word is it? Raises BadParameter."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            said = f"{error.message} {near(str(value), self.choices)}".rstrip()
            raise click.BadParameter(said, ctx, param) from None
