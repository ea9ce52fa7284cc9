"""There and back over the steps between two versions of one format, to see what is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from converter import slots
from converter.chain import Stage
from converter.delta import diff
from converter.formats import age, find, steps
from converter.listening import LossListener
from converter.rows import Record
from converter.stepping import Hop, Shape, Side
from registry.values import nulled


def way(id_: str, here: str, there: str) -> list[Hop]:
    """Which hops lead from one version of the format to another?"""
    start, goal = age(id_, here), age(id_, there)
    if goal >= start:
        return [Hop(step, up=True) for step in steps(id_)[start:goal]]
    return [Hop(step, up=False) for step in steps(id_)[goal:start][::-1]]


@dataclass(frozen=True, slots=True)
class _Leg:
    """One turn of a way there and back: what says the other version, and in which shape."""

    side: Side | Hop
    shape: Shape


def _legs(hops: Sequence[Hop], shape: Shape) -> Iterator[_Leg]:
    shapes = [shape]
    for hop in hops:
        shapes.append(hop.there.shape(shapes[-1]))
        yield _Leg(hop, shapes[-1])
    for hop, before in zip(reversed(hops), reversed(shapes[:-1]), strict=True):
        yield _Leg(hop.here, before)


def turn(source: Stage, version: str, listener: LossListener) -> None:
    """There and back over the steps between two versions of one format."""
    hops = way(source.format, source.version, version)
    legs = list(_legs(hops, source.parts.shape))
    path = find(source.format).record_slot
    row = 0
    for number, group in enumerate(source.parts.groups):
        if group.parent is not None:
            back = _turned(_bare(group.parent, path), legs, lambda side: side.case)
            hear = listener.case if group.records else listener.childless
            hear(number, group.parent, diff(back, group.parent))
        for record in group.records:
            back = _turned(_bare(record, path), legs, lambda side: side.record)
            if back is None:
                listener.unlisted(row, record)
            else:
                listener.record(row, record, diff(back, record))
            row += 1
    envelope = source.parts.envelope
    back = _turned(_bare(envelope, find(source.format).run_slot), legs, lambda side: side.run)
    listener.run(envelope, diff(back, envelope), ())


def _bare(record: Record, path: tuple[str, ...]) -> Record:
    bare: Record = nulled(slots.take(record, path)[0])
    return bare


def _turned(
    record: Record | None, legs: Sequence[_Leg], said: Callable[[Side | Hop], Any]
) -> Record | None:
    for leg in legs:
        record = None if record is None else said(leg.side)(record, leg.shape)
    return record
