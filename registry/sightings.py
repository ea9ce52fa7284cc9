"""How often was a field there in real documents, and how often null?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeAlias

from registry.values import JSON

Path: TypeAlias = tuple[str | None, ...]
"""The keys that lead to a place; None is every entry of a list."""


@dataclass(frozen=True, slots=True)
class Sightings:
    """What was counted, by path: objects, fields that were there, fields that were null."""

    objects: Counter[Path] = field(default_factory=Counter)
    there: Counter[Path] = field(default_factory=Counter)
    null: Counter[Path] = field(default_factory=Counter)

    def add(self, document: JSON) -> None:
        """Count what is in one more document."""
        pending: list[tuple[Path, JSON]] = [((), document)]
        while pending:
            path, value = pending.pop()
            if isinstance(value, list):
                pending += [((*path, None), item) for item in value]
            elif isinstance(value, dict):
                self.objects[path] += 1
                inner = [((*path, key), item) for key, item in value.items()]
                self.there.update(place for place, _ in inner)
                self.null.update(place for place, item in inner if item is None)
                pending += inner

    def told(self, path: Path) -> str:
        """How often was the field at a path there, and null, in a sentence?"""
        there, around, null = self.there[path], self.objects[path[:-1]], self.null[path]
        often = "always" if there == around else "sometimes"
        return f"Seen {often} ({there:,} of {around:,}), {_nulls(null, there)} null."


def _nulls(null: int, there: int) -> str:
    """How often, in a word?"""
    if null in (0, there):
        return "always" if null else "never"
    return "once" if null == 1 else f"{null:,} times"
