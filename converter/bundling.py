"""Which records of a source are trials of one case, and in which order are they written?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from converter.facts import Case, Trial, identity
from converter.form import Format, Group, Survey, reach

Said: TypeAlias = tuple[Case, Trial]


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


def plan(a: Format, b: Format, groups: Sequence[Group], said: Iterator[Sequence[Said]]) -> Plan:
    """How do the source's groups become the cases of `b`?

    The groups, or what they say, are gone through beforehand only where `b` must know all cases
    before it writes the first.
    """
    if b.write_case is not None and a.write_case is None:
        return _gathered(a, groups)
    if b.shape is None:
        return Plan(Survey())
    targets: dict[str, None] = {}
    longest, multi_turn = 1, False
    for group in said:
        longest = max(longest, len(group))
        for _, trial in group:
            if trial.provider is not None:
                targets[trial.provider] = None
            multi_turn = multi_turn or _exchanges(trial) > 1
    return Plan(Survey(longest, tuple(targets), multi_turn))


def _gathered(a: Format, groups: Sequence[Group]) -> Plan:
    """Which of a flat source's records are trials of one case?

    Of one case and one target, where the source has several.
    """
    provider = a.provider
    keys = []
    targets: dict[str, None] = {}
    for group in groups:
        record = group.records[0]
        target = reach(record, provider) if provider else None
        if isinstance(target, str):
            targets[target] = None
        keys.append((identity(a.read_case(record)), target))
    order = _gather(keys if len(targets) > 1 else [key for key, _ in keys])
    longest = max(map(len, order), default=1)
    moved = [number for bundle in order for number in bundle] != list(range(len(keys)))
    return Plan(Survey(longest, tuple(targets)), order, moved)


def _gather(keys: list[Any]) -> tuple[tuple[int, ...], ...]:
    gathered: dict[Any, list[int]] = {}
    for number, key in enumerate(keys):
        gathered.setdefault(key, []).append(number)
    return tuple(map(tuple, gathered.values()))


def _exchanges(trial: Trial) -> int:
    return sum(event.kind == "agent" for event in trial.transcript or ())


def bundled(groups: Sequence[Group], plan: Plan) -> Iterator[tuple[Group, Sequence[int]]]:
    """Which groups travel together, as one, and which numbers did they have?"""
    if plan.order is None:
        for number, group in enumerate(groups):
            yield group, (number,)
        return
    for numbers in plan.order:
        yield Group(None, [groups[number].records[0] for number in numbers]), numbers
