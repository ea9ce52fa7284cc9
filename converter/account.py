"""Which fields could the target not say? Counted while a conversion goes by, told in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from converter.rows import Record
from converter.slots import KEY
from registry.errors import LossRefused

if TYPE_CHECKING:
    from converter.delta import Node

NAMED = 4
"""fields that the account names"""


class Losses:
    """The fields of the source that were said only roughly, or not at all, and how often."""

    def __init__(self) -> None:
        self.rough: Counter[str] = Counter()
        self.unsaid: Counter[str] = Counter()
        self.derived: set[str] = set()

    def record(self, number: int, record: Record, delta: Node | None) -> None:
        """Hear of record `number` of the source, in its order."""
        if delta is not None:
            self._hear(delta, "")

    def case(self, number: int, parent: Record, delta: Node | None) -> None:
        """Hear of the own record of case `number`."""
        if delta is not None:
            self._hear(delta, "")

    def lost(self, number: int, parent: Record) -> None:
        """Hear of a case or record that the target has no place for."""
        self.unsaid["(whole records)"] += 1

    def run(self, envelope: Record, delta: Node | None, derived: Sequence[str]) -> None:
        """Hear of the envelope, last."""
        self.derived.update(derived)
        if delta is not None:
            self._hear(delta, "")

    def _hear(self, node: Node, field: str) -> None:
        if "=" in node:
            self.rough[field] += 1
        for _, key, _ in node.get("add", ()):
            if key != KEY and key[:1] != "\0":  # an older carry, or a note between two layouts
                self.unsaid[f"{field}{key}"] += 1
        for key, inner in node.get("in", {}).items():
            self._hear(inner, f"{field}{key}" if "=" in inner else f"{field}{key}.")
        for inner in node.get("at", {}).values():
            self._hear(inner, field.removesuffix(".") if "=" in inner else field)
        if "put" in node:
            self.unsaid[field.removesuffix(".")] += len(node["put"])

    def refuse(self, source: str, target: str) -> None:
        """Raise LossRefused unless the target says everything itself."""
        if self.rough or self.unsaid:
            raise LossRefused(
                found=f"{target} can't say all of {source}: {_named(self.rough | self.unsaid)}",
                expected="nothing carried (--strict)",
                hint="Leave out --strict to carry it along.",
            )

    def line(self, source: str, target: str, records: int, *, carry: bool) -> str:
        """The account of a conversion in one line."""
        told = f"{source} → {target}: {records:,} record{'s' * (records != 1)}; "
        if not self.rough and not self.unsaid:
            return told + "all native"
        if not carry:
            return told + _counted("dropped", self.unsaid | self.rough)
        kinds = (("shadowed", self.rough), ("carried", self.unsaid))
        return told + ", ".join(_counted(state, fields) for state, fields in kinds if fields)


def _counted(state: str, fields: Counter[str]) -> str:
    return f"{state} {len(fields)} field{'s' * (len(fields) != 1)} ({_named(fields)})"


def _named(fields: Counter[str]) -> str:
    names = [name for name, _ in fields.most_common(NAMED)]
    return ", ".join(names) + (", …" if len(fields) > NAMED else "")
