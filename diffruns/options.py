"""What may be asked of a comparison?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from diffruns import gates


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How are the runs compared?

    `by` are dimensions, `cluster` is the one whose values tie cases together;
    `targets` renames A's targets, `renames` A's cases; `explicit` says that
    the entries have keys of their own; `tolerance` is how far a score may move and be the same.
    """

    by: tuple[str, ...] = ()
    alpha: float = 0.05
    correct: str = "holm"
    cluster: str | None = None
    tolerance: float = 0.0
    ignore: frozenset[str] = frozenset()
    explicit: bool = False
    targets: Mapping[str, str] = field(default_factory=dict)
    renames: Mapping[str, str] = field(default_factory=dict)
    asked: gates.Asked = field(default_factory=gates.Asked)


DEFAULT = Options()
