"""Which records of a source are trials of one case, and in which order are they written?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from converter import glimpse
from converter.facts import Case, Trial, identity
from converter.form import Format, Group, Parts, Survey
from converter.glimpse import Key

Said: TypeAlias = tuple[Case, Trial]


class Reading(Protocol):
    """What does a document say? See `reading.Reading`."""

    @property
    def carries(self) -> bool:
        """Does the document carry what it came from?"""

    def groups(self) -> Iterator[Sequence[Said]]:
        """What do all groups say, in order?"""


@dataclass(frozen=True, slots=True)
class Plan:
    """In which bundles do the source's groups travel?

    `order` lists, for each case of the target, the numbers of the source's groups; None where every
    group is a bundle of its own, in the source's order. `moved` says whether reading the target
    from front to back gives the groups in another order than the source's.
    """

    survey: Survey
    order: tuple[tuple[int, ...], ...] | None = None
    moved: bool = False


def plan(a: Format, b: Format, source: Parts, reading: Reading) -> Plan:
    """How do the source's groups become the cases of `b`?

    All groups are gone through beforehand only where `b` must know them before it writes the first.
    """
    if b.write_case is not None and a.write_case is None:
        return _gathered(_read_keys(reading) if reading.carries else _quick_keys(a, source))
    if b.shape is None:
        return Plan(Survey())
    targets: dict[str, None] = {}
    longest, multi_turn = 1, False
    for group in reading.groups():
        longest = max(longest, len(group))
        for _, trial in group:
            if trial.provider is not None:
                targets[trial.provider] = None
            multi_turn = multi_turn or _exchanges(trial) > 1
    return Plan(Survey(longest, tuple(targets), multi_turn))


def _quick_keys(a: Format, source: Parts) -> Iterator[Key]:
    """Of which case and target is each record of a flat source? No more of it is read."""
    groups = source.groups
    if source.raws is not None:
        return glimpse.keys(a, source.raws, lambda number: groups[number].records[0])
    return map(glimpse.key_reader(a), (group.records[0] for group in groups))


def _read_keys(reading: Reading) -> Iterator[Key]:
    """The same, read through the source's carry."""
    for group in reading.groups():
        case, trial = group[0]
        yield identity(case), trial.provider


def _gathered(found: Iterable[Key]) -> Plan:
    """Which records of a flat source are trials of one case?

    Of one case and one target, where the source has several.
    """
    keys = list(found)
    targets = tuple(dict.fromkeys(target for _, target in keys if target is not None))
    order = _gather(keys if len(targets) > 1 else [case for case, _ in keys])
    longest = max(map(len, order), default=1)
    moved = [number for bundle in order for number in bundle] != list(range(len(keys)))
    return Plan(Survey(longest, targets), order, moved)


def _gather(keys: list[Any]) -> tuple[tuple[int, ...], ...]:
    gathered: dict[Any, list[int]] = {}
    for number, key in enumerate(keys):
        gathered.setdefault(key, []).append(number)
    return tuple(map(tuple, gathered.values()))


def _exchanges(trial: Trial) -> int:
    return sum(event.kind == "agent" for event in trial.transcript or ())


def bundled(
    groups: Sequence[Group], plan: Plan, start: int = 0, stop: int | None = None
) -> Iterator[tuple[Group, Sequence[int]]]:
    """Which groups travel together, as one, and which numbers did they have?

    Bundles are counted from 0; those from `start` to before `stop` are given.
    """
    if plan.order is None:
        for number in range(start, len(groups) if stop is None else stop):
            yield groups[number], (number,)
        return
    for numbers in plan.order[start:stop]:
        yield Group(None, [groups[number].records[0] for number in numbers]), numbers
