"""Which fields could the target not say? Counted while a conversion goes by, told in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from converter.formats.every_eval_ever_layout import ROWS
from converter.lossy import Lossy
from converter.rows import Record
from converter.slots import KEY
from registry.errors import LossRefused

if TYPE_CHECKING:
    from converter.delta import Node
    from converter.report import LossReport

NAMED = 4
"""fields that the account names"""

WHOLE = "whole records"


class Losses:
    """The fields of the source that were said only roughly, or not at all, and how often."""

    def __init__(self) -> None:
        self._lossy = Lossy()
        self._whole = 0

    def record(self, number: int, record: Record, delta: Node | None) -> None:
        """Hear of record `number` of the source, in its order."""
        if delta is not None:
            self._lossy.hear(delta)

    def case(self, number: int, parent: Record, delta: Node | None) -> None:
        """Hear of the own record of case `number`."""
        if delta is not None:
            self._lossy.hear(delta)

    def lost(self, number: int, parent: Record) -> None:
        """Hear of a case or record that the target has no place for."""
        self._whole += 1

    def run(self, envelope: Record, delta: Node | None, derived: Sequence[str]) -> None:
        """Hear of the envelope, last."""
        if delta is not None:
            self._lossy.hear(delta)

    def join(self, later: Losses) -> None:
        """Count in what another has heard of the records that follow."""
        self._lossy.join(later._lossy)
        self._whole += later._whole

    def told(self) -> Told:
        """Which fields were said only roughly, or not?"""
        unsaid = _real(self._lossy.counts("unsaid"))
        if self._whole:
            unsaid[WHOLE] = self._whole
        return Told(_real(self._lossy.counts("rough")), unsaid)


class Told(NamedTuple):
    """Which fields did a conversion say only roughly, or not at all, and how often?"""

    rough: Counter[str]
    unsaid: Counter[str]

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


def told_by(report: LossReport) -> Told:
    """What does a report tell of, in the same terms?

    A conversion over several versions hears of fields that only versions in between have; a report
    knows what the source has.
    """
    rough, unsaid = Counter[str](), Counter[str]()
    for field in report.fields:
        if field.state != "native":
            told = rough if field.state == "shadowed" else unsaid
            told[".".join(_names(field.path))] += field.count
    return Told(rough, unsaid)


def _names(path: str) -> list[str]:
    """By which names is a field called within its record, or within the envelope?"""
    _, _, inner = path.partition("/*/")
    return [name for name in (inner or path).split("/") if name not in ("", "*")]


def _counted(state: str, fields: Counter[str]) -> str:
    return f"{state} {len(fields)} field{'s' * (len(fields) != 1)} ({_named(fields)})"


def _real(fields: Counter[str]) -> Counter[str]:
    """The fields that are the tool's: no older carry, and no note between two layouts."""
    real: Counter[str] = Counter()
    for path, count in fields.items():
        name = "rows" if path == ROWS else path.removeprefix(f"{ROWS}.")
        if KEY not in name and "\0" not in name:
            real[name] += count
    return real


def _named(fields: Counter[str]) -> str:
    return named([name for name, _ in fields.most_common()])


def named(fields: Sequence[str]) -> str:
    """The first few of these names, for an account in one line."""
    return ", ".join(fields[:NAMED]) + (", …" if len(fields) > NAMED else "")
