"""What are the smallest values that keep to a schema, and to others beside it as far as possible?

Deterministic and small. Of several shapes the first must accept a value, the others should: so a
document for the one schema is, wherever it can be, one for the other too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice, product

from registry.keywords import KINDS, NUMERIC
from registry.shapes import Shape
from registry.values import JSON

DEPTH = 16
"""How deep samples go: a shape that must hold itself has none."""

STEPS = 4_000
"""How many shapes are looked at for one search: unions in unions have no end."""

CHOICES = 64
"""How many choices of branches are tried for one value."""

LONGEST = 64
"""How many characters a sample text has, at the most."""

FRESH = "unnamed"
"""What is a field called that no schema names?"""

ANY: tuple[JSON, ...] = (None, False, 0, 0.5, "", [], {})
"""One value of each type."""

Shapes = Sequence[Shape]


@dataclass(frozen=True, slots=True)
class Room:
    """How deep does a sample lie already, and how many steps may still be taken for all of it?"""

    depth: int = 0
    steps: Iterator[int] = field(default_factory=lambda: iter(range(STEPS)))

    @property
    def inside(self) -> Room:
        """How much room is there one level deeper?"""
        return Room(self.depth + 1, self.steps)

    def spent(self) -> bool:
        """Is there none left? Asking is a step."""
        return self.depth > DEPTH or next(self.steps, None) is None


def smallest(schema: JSON) -> JSON:
    """Which small value keeps to a schema? Raises LookupError when none is found."""
    return _first([Shape.of(schema, schema)], Room())


def values(shapes: Shapes, room: Room | None = None) -> Iterator[JSON]:
    """Which values might keep to all of these shapes, smallest first? Some may miss."""
    room = room or Room()
    if room.spent():
        return
    for plain in _plain(shapes):
        listed = [value for shape in plain for value in shape.listed or ()]
        yield from listed
        if any(shape.listed is not None for shape in plain):
            continue
        for kind in KINDS:
            if all(kind in shape.kinds for shape in plain):
                yield from _of_kind(kind, plain, room)


def planted(shapes: Shapes, tokens: Sequence[str], room: Room | None = None) -> Iterator[JSON]:
    """Which values might show what the first shape allows at a place below, or nothing there?

    The place is given by the keys that lead there; `*` is an entry, or a field without a name.
    """
    room = room or Room()
    if not tokens:
        yield from islice(values(shapes, room), 40)
        yield from islice(values(shapes[:1], room), 40)
        return
    token, *rest = tokens
    for plain in _plain(shapes):
        if "object" in plain[0].kinds:
            yield from _planted_field(plain, token, rest, room)
        if token == "*" and "array" in plain[0].kinds:
            inner = planted([shape.items for shape in plain], rest, room.inside)
            yield from ([value] for value in inner)


def replaced(document: JSON, tokens: Sequence[str], value: JSON) -> Iterator[JSON]:
    """How does a document look with another value at a place, for each place that fits?"""
    if not tokens:
        yield value
        return
    token, *rest = tokens
    if isinstance(document, list) and token == "*":
        for position, item in enumerate(document):
            for other in replaced(item, rest, value):
                yield [*document[:position], other, *document[position + 1 :]]
    if isinstance(document, dict):
        key = FRESH if token == "*" else token
        for other in replaced(document.get(key), rest, value):
            yield {**document, key: other}


def _plain(shapes: Shapes) -> Iterator[list[Shape]]:
    """Which choices of branches are there, so that no shape has a union any more?"""
    for choice in islice(product(*(_choices(shape) for shape in shapes)), CHOICES):
        yield [part for parts in choice for part in parts]


def _choices(shape: Shape) -> list[tuple[Shape, ...]]:
    if not shape.branches:
        return [(shape,)]
    inner = (one for branch in shape.branches for one in _choices(branch))
    return [(shape.base, *parts) for parts in islice(inner, CHOICES)]


def _of_kind(kind: str, shapes: Shapes, room: Room) -> Iterator[JSON]:
    if kind in NUMERIC:
        yield from _numbers(kind, shapes)
    elif kind == "string":
        yield from _texts(shapes)
    elif kind == "array":
        yield []
        yield from ([item] for item in islice(values(_items(shapes), room.inside), 4))
    elif kind == "object":
        yield from _objects(shapes, room)
    else:
        yield from {"null": (None,), "boolean": (False, True)}[kind]


def _items(shapes: Shapes) -> list[Shape]:
    return [shape.items for shape in shapes]


def _numbers(kind: str, shapes: Shapes) -> Iterator[JSON]:
    said = [shape.says(limit, 0) for shape in shapes for limit in ("minimum", "maximum")]
    near = dict.fromkeys([0, 1, *said])
    yield from near
    if kind == "number":
        yield from (number + step for number in near for step in (0.5, -0.5))
    else:
        yield from (number + step for number in near for step in (1, -1))


def _texts(shapes: Shapes) -> Iterator[str]:
    yield from ("", "a")
    yield from ("a" * min(shape.says("minLength", 0), LONGEST) for shape in shapes)
    for shape in shapes:
        if "pattern" in shape.schema:
            yield from matching(shape.schema["pattern"])


@cache
def matching(pattern: str) -> tuple[str, ...]:
    """Which short texts does a regular expression find? Written in its own characters."""
    letters = sorted({letter for letter in pattern if letter.isalnum()} | {"a", "0"})
    signs = sorted({letter for letter in pattern if not letter.isalnum()})
    alphabet = [*letters[:6], *signs[:12]]
    texts = ("".join(chosen) for size in range(5) for chosen in product(alphabet, repeat=size))
    found = re.compile(pattern)
    return tuple(islice((text for text in islice(texts, 120_000) if found.search(text)), 3))


def _objects(shapes: Shapes, room: Room) -> Iterator[JSON]:
    """An object with what is required, and with one more field each."""
    try:
        least = _object(shapes, room, frozenset())
    except LookupError:
        return
    yield least
    names = dict.fromkeys(name for shape in shapes for name in shape.says("properties", ()))
    for name in [*names, FRESH]:
        if name not in least and (fields := _fields(shapes, name)):
            yield from ({**least, name: value} for value in islice(values(fields, room.inside), 3))


def _object(shapes: Shapes, room: Room, without: frozenset[str]) -> dict[str, JSON]:
    """Which object has what all of these shapes require? Raises LookupError when none can."""
    names = dict.fromkeys(name for shape in shapes for name in _ordered(shape))
    found = {}
    for name in names:
        fields = _fields(shapes, name)
        if name in without or (not fields and name not in shapes[0].required):
            continue
        found[name] = _first(fields, room.inside)
    return found


def _ordered(shape: Shape) -> list[str]:
    """Which fields does it require, in the order in which it names them?"""
    named = [name for name in shape.says("properties", ()) if name in shape.required]
    return [*named, *sorted(shape.required - {*named})]


def _fields(shapes: Shapes, name: str) -> list[Shape]:
    """Which shapes speak of a field? None when the first shape, or what stands for it, forbids."""
    if shapes[0].field(name) is None:
        return []
    return [one for shape in shapes if (one := shape.field(name)) is not None]


def _first(shapes: Shapes, room: Room) -> JSON:
    """Which is the first sample that all accept, or else the first shape?"""
    if not shapes:
        raise LookupError
    for wanted in (shapes, shapes[:1]):
        for value in islice(values(wanted, room), 60):
            if all(shape.accepts(value) for shape in wanted):
                return value
    raise LookupError


def _planted_field(
    shapes: Shapes, token: str, rest: Sequence[str], room: Room
) -> Iterator[dict[str, JSON]]:
    name = FRESH if token == "*" else token
    try:
        around = _object(shapes, room, frozenset([name]))
    except LookupError:
        return
    if not rest:
        yield around
    if fields := _fields(shapes, name):
        yield from ({**around, name: value} for value in planted(fields, rest, room.inside))
