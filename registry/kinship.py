"""How much is a document like the files of a version, whether or not it is one?

Detection asks for a few telling fields. Where it says yes and the schema no, it may have met a
stranger who has those fields, too; where it says no, a file whose telling fields, or the field that
holds its records, were renamed. Both are told apart by all fields together.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from registry.catalog import Version, catalog
from registry.errors import UnknownFormat
from registry.outlines import Fields, folded, is_own, objects, schematic
from registry.values import JSON

STRANGER = 0.5
"""Below this, a file that breaks a schema was never meant to keep to it."""

NEAR = 0.8
"""From this on, a file of no known format may be one whose tool changed it."""

FEW = 3
"""A document with fewer fields that a version knows is like nothing."""

OWN = 2
"""How many names that others hardly use must objects have that may stand anywhere?"""

SPARED = 1
"""How many of the fields that such objects need may be missing, as they were renamed?"""

DEEP, WIDE = 3, 1_000
"""How many fields down, and at how many values, is a document looked at for objects?"""


class Near(UnknownFormat):
    """No registered format fits the content, but one almost does."""


class _Pair(NamedTuple):
    """The fields that an object may and must have, and those that one has, all folded."""

    named: frozenset[str]
    required: frozenset[str]
    held: frozenset[str]

    @property
    def known(self) -> int:
        """How many of the fields that the object has may it have?"""
        return len(self.named & self.held)


_NO_PAIR = _Pair(frozenset(), frozenset(), frozenset())


def nearest(document: JSON) -> Version | None:
    """Which version's files are most like this document of no known format? None when none are.

    Of several that are like it as much, the newest is told. Its objects count where a file of the
    version has them, or, if their names tell enough, wherever they stand. In which case names are
    written, and how they are joined, does not matter.
    """
    shapes = list(dict.fromkeys(islice(_shapes(document), WIDE)))
    likened = [
        (max(likeness(version, document), _scattered(version, shapes)), version)
        for version in catalog().versions
    ]
    alike, version = max(reversed(likened), key=lambda one: one[0])
    return version if alike >= NEAR else None


def _shapes(document: JSON) -> Iterator[frozenset[str]]:
    """Which fields have the objects of a document, of lists the first, outer ones first?

    One that holds nothing but objects is a map of them, such as the fields that a schema names.
    """
    pending = deque([(document, 0)])
    while pending:
        value, depth = pending.popleft()
        if isinstance(value, list):
            pending.extend((one, depth) for one in value[:1])
        elif isinstance(value, dict):
            if not all(isinstance(one, dict) for one in value.values()):
                yield folded(value)
            if depth < DEEP:
                pending.extend((one, depth + 1) for one in islice(value.values(), WIDE))


def _scattered(version: Version, shapes: Iterable[frozenset[str]]) -> float:
    """How much is what is most like each object of a file, wherever it stands, like a file?"""
    levels = (
        max((_Pair(*level, held) for held in shapes), key=_surplus, default=_NO_PAIR)
        for level in _levels(version)
    )
    pairs = [pair for pair in levels if _surplus(pair) > 0]
    own = frozenset[str]().union(*(pair.held for pair in pairs)) & _own(version)
    return _alike(pairs, spared=SPARED) if len(own) >= OWN else 0.0


def _surplus(pair: _Pair) -> int:
    """How many more of an object's fields are known than unknown?"""
    return 2 * pair.known - len(pair.held)


@cache
def _levels(version: Version) -> tuple[Fields, ...]:
    return tuple(map(_folded, schematic(version)))


@cache
def _folded(fields: Fields) -> Fields:
    return Fields(folded(fields.named), folded(fields.required))


@cache
def _own(version: Version) -> frozenset[str]:
    return folded(name for level in schematic(version) for name in level.named if is_own(name))


def is_stranger(version: Version, document: JSON) -> bool:
    """Does this document, which breaks the version's schema, have little else of it?"""
    return likeness(version, document) < STRANGER


def likeness(version: Version, document: JSON) -> float:
    """Which share of its fields does the version name, or if less, does it have of those needed?

    From 0 to 1. Its envelope counts, and its first record. Too few fields are like nothing.
    """
    return max(_likeness(version, document, place) for place in version.containers)


def _likeness(version: Version, document: JSON, place: str) -> float:
    held = objects(version, document, place)
    return _alike([_Pair(*_folded(fields), folded(value)) for fields, value in held])


def _alike(pairs: Iterable[_Pair], spared: int = 0) -> float:
    known = sum(pair.known for pair in pairs)
    if known < FEW:
        return 0.0
    keys = sum(len(pair.held) for pair in pairs)
    needed = sum(len(pair.required) for pair in pairs)
    had = sum(len(pair.required & pair.held) for pair in pairs) + spared
    return min(known / keys, had / needed if needed else 1.0)
