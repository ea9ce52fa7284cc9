"""What became of every value of a source on its way to a target? The loss report.

`examining.examine` makes one, going there and back once more; `account.Losses` is the cheap way,
which counts lossy fields while a conversion goes by.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from registry.gate import dump

VERSION = 1
SCHEMA = "urn:evalglot:evalglot-loss-report:1"
NAMED = 3
"""fields that the one-line account names"""

State = Literal["native", "shadowed", "carried", "dropped"]


class Leavings(msgspec.Struct, frozen=True):
    """How many leaves of the source are in each state?"""

    native: int
    shadowed: int
    carried: int
    dropped: int

    @property
    def total(self) -> int:
        """How many leaves has the source?"""
        return self.native + self.shadowed + self.carried + self.dropped


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of the leaves at one place, with `*` for positions in lists?"""

    path: str
    state: State
    count: int
    pointers: tuple[str, ...] | None = None


class Count(msgspec.Struct, frozen=True):
    """How often is something so at one place, with `*` for positions in lists?"""

    path: str
    count: int


class LossReport(msgspec.Struct, frozen=True):
    """What became of every value of a source on its way to a target?"""

    version: int
    source: str
    target: str
    file: str | None
    carry: bool
    returned: bool
    """the source came from the target, and went home through its carry: nothing is lost"""
    records: int
    leaves: Leavings
    fields: tuple[Field, ...]
    derived: tuple[Count, ...]
    """fields of the target that the source says nothing of, filled with placeholders"""
    moved: int
    """records that stand elsewhere in the target than in the source"""
    reordered: tuple[Count, ...]
    """objects of the source whose keys the target writes in another order"""
    disagreements: tuple[str, ...]
    """pointers to totals of the source that counting its records does not give"""
    stale: tuple[str, ...]
    """where the carry gave way to an edit, by pointer within its record"""

    @property
    def native_share(self) -> float:
        """Which share of the source's leaves says the target natively? From 0 to 1."""
        return self.leaves.native / self.leaves.total if self.leaves.total else 1.0

    def having(self, state: State) -> tuple[Field, ...]:
        """Which fields have leaves in this state, the most frequent first?"""
        held = (field for field in self.fields if field.state == state)
        return tuple(sorted(held, key=lambda field: (-field.count, field.path)))

    @property
    def lossless(self) -> bool:
        """Does the target say everything itself?"""
        return not (self.leaves.shadowed or self.leaves.carried or self.leaves.dropped)

    def line(self) -> str:
        """The account in one line."""
        told = f"{self.source} → {self.target}: {self.records:,} record{'s' * (self.records != 1)}"
        if self.returned:
            count = len(self.stale)
            edited = f"; {count:,} value{'s' * (count != 1)} edited since" if count else ""
            return f"{told}, come home through the carry{edited}"
        said = [f"native {int(100 * self.native_share)} %"]
        said += [self._named(state) for state in ("shadowed", "carried") if self.having(state)]
        said.append(self._named("dropped") if self.leaves.dropped else "dropped 0")
        if self.disagreements:
            said.append(f"{len(self.disagreements)} totals differ from the recount")
        return f"{told}; {', '.join(said)}"

    def _named(self, state: State) -> str:
        names = dict.fromkeys(_short(field.path) for field in self.having(state))
        shown = ", ".join(list(names)[:NAMED]) + (", …" if len(names) > NAMED else "")
        return f"{state} {len(names)} field{'s' * (len(names) != 1)} ({shown})"

    def document(self) -> Any:
        """The report as a JSON value, always the same for the same conversion."""
        value: dict[str, Any] = msgspec.to_builtins(self)
        return {"$schema": SCHEMA, **value}

    def json(self) -> bytes:
        """The report as bytes of JSON, ready to be written."""
        return dump(self.document()) + b"\n"


def _short(path: str) -> str:
    names = [name for name in path.split("/") if name not in ("", "*")]
    return names[-1] if names else "the document"
