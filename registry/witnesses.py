"""Which document does one schema accept and another refuse, because of one change?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from registry.differences import Change
from registry.engine import Judge, plain_judge
from registry.keywords import DRAFT
from registry.samples import ANY, LONGEST, matching, planted, replaced
from registry.shapes import Shape
from registry.values import JSON, unescape

TRIED = 400
"""How many documents are tried for one change."""

PLANTS = 40
"""Into how many of them other values are put."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A document that one schema accepts and the other refuses."""

    document: JSON


@dataclass(frozen=True, slots=True)
class Fault:
    """What refuses a document: which place of it, by which keyword?"""

    path: tuple[str, ...]
    keyword: str


@dataclass(frozen=True, slots=True)
class Concern:
    """Which faults may come from a kind of change: by which keywords, and also below its place?"""

    prefix: str
    keywords: frozenset[str] | None = None
    below: bool = False

    def fits(self, fault: Fault, tokens: Sequence[str]) -> bool:
        """May a fault come from a change at this place?"""
        if self.keywords is None:
            if fault.keyword in _PRESENCE and len(fault.path) == len(tokens):
                return False
        elif fault.keyword not in self.keywords:
            return False
        if len(fault.path) < len(tokens) or (len(fault.path) > len(tokens) and not self.below):
            return False
        return all(token in ("*", key) for token, key in zip(tokens, fault.path, strict=False))


_MISSING, _SURPLUS = frozenset(["required"]), frozenset(["additionalProperties"])
_PRESENCE = _MISSING | _SURPLUS

CONCERNS: tuple[Concern, ...] = (
    Concern("type-", frozenset(("type", "enum", "const", "anyOf", "oneOf"))),
    Concern("minimum-", frozenset(["minimum"])),
    Concern("maximum-", frozenset(["maximum"])),
    Concern("min-length-", frozenset(["minLength"])),
    Concern("pattern-", frozenset(["pattern"])),
    Concern("property-added-required", _MISSING),
    Concern("required-", _MISSING),
    Concern("property-added-closed", _SURPLUS),
    Concern("property-removed-closed", _SURPLUS),
    Concern("additional-properties-", _SURPLUS),
    Concern("enum-"),
    Concern("const-"),
    Concern("exclusive-union-changed", frozenset(["oneOf"])),
    Concern("", below=True),
)
"""The first whose prefix fits says it."""


class Search:
    """The search for documents that `source` accepts and `target` refuses."""

    def __init__(self, source: JSON, target: JSON) -> None:
        self._shapes = [Shape.of(source, source), Shape.of(target, target)]
        self._judges: tuple[Judge, Judge] = (_judge(source), _judge(target))

    def witness(self, change: Change) -> Witness | None:
        """Which document shows that a change breaks? None where none is found.

        The best is refused for the change alone; the next best has other faults beside it.
        """
        tokens = _tokens(change)
        other: Witness | None = None
        for count, document in enumerate(islice(self.candidates(change), TRIED)):
            if other and count > PLANTS:
                break
            if not self._parts(document):
                continue
            faults = [_concerns(fault, change, tokens) for fault in self._faults(document)]
            if all(faults):
                return Witness(document)
            if any(faults):
                other = other or Witness(document)
        return other

    def candidates(self, change: Change) -> Iterator[JSON]:
        """Which documents might show what a change does? The source need not accept them."""
        tokens = _tokens(change)
        plants = list(islice(planted(self._shapes, tokens), PLANTS))
        probes = list(_telling(change))
        yield from plants
        for plant in plants[:4]:
            for probe in probes:
                yield from replaced(plant, tokens, probe)
        yield from planted(self._shapes[:1], tokens)

    def _parts(self, document: JSON) -> bool:
        """Does the source accept the document and the target refuse it, by both engines?"""
        source, target = self._shapes
        mine, theirs = self._judges
        return (
            mine(document)
            and not theirs(document)
            and source.accepts(document)
            and not target.accepts(document)
        )

    def _faults(self, document: JSON) -> list[list[Fault]]:
        """Which faults does the target find? Those of a union's branches come with its own."""
        errors = self._shapes[1].validator.iter_errors(document)
        return [[fault for one in _whole(error) for fault in _told(one)] for error in errors]


def _tokens(change: Change) -> list[str]:
    return [unescape(token) for token in change.pointer.split("/")[1:]]


def _judge(schema: JSON) -> Judge:
    """Which engine judges by draft-07, also where the schema names no draft?"""
    return plain_judge({**schema, "$schema": DRAFT})


def _whole(error: Any) -> Iterator[Any]:
    yield error
    for inner in error.context or ():
        yield from _whole(inner)


def _told(error: Any) -> Iterator[Fault]:
    """Which keyword refuses what place? That of the field, where one is missing or too many."""
    path = tuple(map(str, error.absolute_path))
    if error.validator == "required":
        names = [name for name in error.validator_value if name not in error.instance]
    elif error.validator == "additionalProperties":
        names = [name for name in error.instance if name not in error.schema.get("properties", ())]
    else:
        yield Fault(path, error.validator)
        return
    yield from (Fault((*path, name), error.validator) for name in names)


def _concerns(faults: Sequence[Fault], change: Change, tokens: Sequence[str]) -> bool:
    """Does one of these faults come from the change?"""
    concern = next(one for one in CONCERNS if change.kind.startswith(one.prefix))
    return any(concern.fits(fault, tokens) for fault in faults)


def _telling(change: Change) -> Iterator[JSON]:
    """Which values might tell the two sides of a change apart?"""
    for said in (change.old, change.new):
        if change.kind.startswith("min-length"):
            yield from ("a" * size for size in (said or 0, (said or 0) - 1) if 0 <= size <= LONGEST)
        elif isinstance(said, bool) or not isinstance(said, (int, float)):
            yield said
        else:
            yield from (said, said - 1, said + 1, said - 0.5, said + 0.5)
        if change.kind.startswith("pattern") and said is not None:
            yield from matching(said)
    yield from (*ANY, True, 1, "a", [None], {"a": None}, 10**6, -(10**6))
