"""What is amiss with a list of a sandtable suite: an entry twice, one missing, another order?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from registry.findings import Finding
from registry.recounts import counted, is_number, shown, told
from registry.values import JSON


def twice(rule: str, place: str, names: Sequence[str], because: str) -> Iterator[Finding]:
    """Which names has a list a second time?"""
    first: dict[str, int] = {}
    for position, name in enumerate(names):
        if first.setdefault(name, position) != position:
            found = f"{shown(name)}, as at {place.format(first[name])}"
            where, wanted = place.format(position), "one entry for each"
            yield told(rule, where, found, wanted, because)


def missing(rule: str, place: str, names: Sequence[str], because: str) -> Iterator[Finding]:
    """Which names has a list no entry for?"""
    if names:
        found = f"nothing for {shown(names[0])}"
        if len(names) > 1:
            found += f" and {counted(len(names) - 1, 'other')}"
        yield told(rule, place, found, "all that occur", because)


def tasks(
    rule: str, place: str, stated: JSON, recounted: Iterable[str], because: str
) -> Iterator[Finding]:
    """Are these the tasks where something happened, where they are listed?"""
    if stated is not None and set(stated) != set(recounted):
        odd = sorted(set(stated) ^ set(recounted))
        where = "listed, and" if odd[0] in stated else "missing, and"
        found = f"{shown(odd[0])} {where} {counted(len(odd) - 1, 'other')} amiss"
        yield told(rule, place, found, "the tasks where it happened", because)


def rising(values: Sequence[JSON]) -> bool:
    """Does no value go below the one before it, as far as they are numbers?"""
    known = [value for value in values if is_number(value)]
    return all(one <= other for one, other in pairwise(known))


def is_share(value: JSON) -> bool:
    """Is it a fraction from 0 to 1?"""
    return is_number(value) and 0 <= value <= 1


def beyond(place: str, value: JSON) -> Finding:
    """Which finding tells that a fraction is none?"""
    return told("sandtable/bounds", place, shown(value), "a fraction from 0 to 1")
