"""Which records of a source are trials of one case, and in which order are they written?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from converter import glimpse
from converter.facts import Case, Trial, identity
from converter.form import Format, Group, Parts, Survey
from converter.gathering import Bundles, gather
from converter.glimpse import Key
from converter.rows import Record

Said: TypeAlias = tuple[Case, Trial]


class Reading(Protocol):
    """What does a document say? See `reading.Reading`."""

    @property
    def carries(self) -> bool:
        """Does the document carry what it came from?"""

    def group(self, group: Group) -> Sequence[Said]:
        """What is said of each trial of a group?"""

    def groups(self) -> Iterator[Sequence[Said]]:
        """What do all groups say, in order?"""

    def number(self, group: Group) -> int | None:
        """Which case of a nested origin is this trial of? None where the carry names none."""


@dataclass(frozen=True, slots=True)
class Plan:
    """In which bundles do the source's groups travel?

    `order` lists, for each case of the target, the numbers of the source's groups; None where every
    group is a bundle of its own, in the source's order. `moved` says whether reading the target
    from front to back gives the groups in another order than the source's.
    """

    survey: Survey
    order: Bundles | None = None
    moved: bool = False


def plan(a: Format, b: Format, source: Parts, reading: Reading) -> Plan:
    """How do the source's groups become the cases of `b`?

    All groups are gone through beforehand only where `b` must know them before it writes the first.
    """
    if b.write_case is not None and a.write_case is None:
        order, names = gather(len(source.groups), _key_of(a, source, reading))
        return Plan(Survey(order.longest, names), order, order.moved)
    if b.shape is None and b.write_case is None:
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


def _key_of(a: Format, source: Parts, reading: Reading) -> Callable[[int], Key]:
    """Which function tells of which case and target a record of a flat source is, by its number?

    No more of it is read, unless it has to be read through the source's carry.
    """
    groups = source.groups

    def whole(number: int) -> Record:
        return groups[number].records[0]

    def carried(number: int) -> Key:
        group = groups[number]
        case, trial = reading.group(group)[0]
        of = reading.number(group)
        return identity(case) if of is None else (str(of),), trial.provider

    if reading.carries:
        return carried
    if source.raws is not None:
        return glimpse.glimpser(a, source.raws, whole)
    read = glimpse.key_reader(a)
    return lambda number: read(whole(number))


def _exchanges(trial: Trial) -> int:
    return sum(event.kind == "agent" for event in trial.transcript or ())


def bundled(
    groups: Sequence[Group], plan: Plan, start: int = 0, stop: int | None = None
) -> Iterator[tuple[Group, Sequence[int]]]:
    """Which groups travel together, as one, and which numbers did they have?

    Bundles are counted from 0; those from `start` to before `stop` are given.
    """
    size = len(groups if plan.order is None else plan.order)
    for number in range(start, size if stop is None else stop):
        if plan.order is None:
            yield groups[number], (number,)
        else:
            numbers = plan.order[number]
            yield Group(None, [groups[one].records[0] for one in numbers]), numbers
