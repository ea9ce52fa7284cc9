"""How is a table shown in a notebook? As HTML without style or script of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from registry.reports.harmless import harmless

LONGEST = 120
"""characters of one text that are shown"""


def cell(text: object) -> str:
    """The text as HTML: nothing in it acts on the page."""
    told = harmless(str(text))
    return escape(told if len(told) <= LONGEST else f"{told[: LONGEST - 1]}…")


def table(head: Sequence[str], rows: Iterable[Sequence[object]], more: int = 0) -> str:
    """A table with this head, and a line that says how many rows it does not show."""
    heads = "".join(f"<th>{cell(one)}</th>" for one in head)
    lines = "".join(f"<tr>{''.join(f'<td>{cell(one)}</td>' for one in row)}</tr>" for row in rows)
    rest = f"<p>+{more:,} more</p>" if more else ""
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>{rest}"
