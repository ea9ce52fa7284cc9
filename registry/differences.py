"""In what do two schemas differ, each difference typed and placed in the document?

Nothing is judged here; `registry.compat` does that by table. The list is complete: between schemas
without a difference, the same documents are valid. A recursive shape is compared once on its way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from registry.keywords import KINDS, NUMERIC, asserts, check
from registry.shapes import UNIONS, Shape, disjoint, kind, plainly
from registry.values import JSON, canonical, escape


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: its kind, where in the document, and what each schema says there.

    In `pointer`, `*` is every entry of a list and every field that is not named. None stands
    for what one of the two does not say.
    """

    kind: str
    pointer: str
    old: JSON = None
    new: JSON = None


Stack = tuple[tuple[int, int], ...]


def differences(old: JSON, new: JSON) -> list[Change]:
    """Which changes lead from one schema to another, in the order of the document?

    Raises OutsideSubset when one of them uses more than the keyword subset.
    """
    check(old)
    check(new)
    found = _compare(Shape.of(old, old), Shape.of(new, new), "", ())
    unique = {canonical([one.kind, one.pointer, one.old, one.new]): one for one in found}
    return list(unique.values())


def _compare(old: Shape, new: Shape, place: str, stack: Stack) -> Iterator[Change]:
    pair = (id(old.schema), id(new.schema))
    if pair in stack or (old.anything and new.anything):
        return
    if old.anything or new.anything:
        yield Change("shape-given" if old.anything else "shape-dropped", place, *_both(old, new))
        return
    stack = (*stack, pair)
    if old.branches or new.branches:
        yield from _with_unions(old, new, place, stack)
    else:
        yield from _plain(old, new, place, stack)


def _both(old: Shape, new: Shape) -> tuple[JSON, JSON]:
    return (
        None if old.anything else old.schema,
        None if new.anything else new.schema,
    )


def _plain(old: Shape, new: Shape, place: str, stack: Stack) -> Iterator[Change]:
    listed = [shape.members is not None for shape in (old, new)]
    if not all(listed):
        yield from _types(old, new, place)
    shared = old.kinds & new.kinds
    if any(listed):
        yield from _members(old, new, place, old.kinds | new.kinds if all(listed) else shared)
        return
    if shared & NUMERIC:
        yield from _limit("minimum", old, new, place)
        yield from _limit("maximum", old, new, place)
    if "string" in shared:
        yield from _limit("minLength", old, new, place)
        yield from _pattern(old, new, place)
    if "array" in shared:
        yield from _compare(old.items, new.items, f"{place}/*", stack)
    if "object" in shared:
        yield from _object(old, new, place, stack)


def _types(old: Shape, new: Shape, place: str) -> Iterator[Change]:
    added, removed = new.kinds - old.kinds, old.kinds - new.kinds
    if added or removed:
        change = "changed" if added and removed else "widened" if added else "narrowed"
        yield Change(f"type-{change}", place, _type(old), _type(new))


def _type(shape: Shape) -> JSON:
    names = [name for name in KINDS if name in plainly(shape.kinds)]
    return names[0] if len(names) == 1 else names


def _members(old: Shape, new: Shape, place: str, kinds: frozenset[str]) -> Iterator[Change]:
    """Which listed values of these types came and went, or has one side a list and one none?"""
    gone = [one for one in old.members or () if kind(one) in kinds and not new.accepts(one)]
    come = [one for one in new.members or () if kind(one) in kinds and not old.accepts(one)]
    if len(gone) == len(come) == 1 and "const" in old.schema and "const" in new.schema:
        yield Change("const-changed", place, gone[0], come[0])
        return
    yield from (Change("enum-member-removed", place, old=one) for one in gone)
    yield from (Change("enum-member-added", place, new=one) for one in come)
    if old.members is None and kinds and not _few(old, new, kinds):
        yield Change("enum-closed", place, _type(old), list(new.members or ()))
    if new.members is None and kinds and not _few(new, old, kinds):
        yield Change("enum-opened", place, list(old.members or ()), _type(new))


def _few(shape: Shape, other: Shape, shared: frozenset[str]) -> bool:
    """Does a list name all that the shape may be, of the types that both may have?"""
    can = [value for value in (None, False, True) if kind(value) in shared and shape.accepts(value)]
    listed = all(any(value is one for one in other.members or ()) for value in can)
    return shared <= {"null", "boolean"} and listed


_LIMITS = {
    "minimum": ("minimum-raised", "minimum-lowered"),
    "maximum": ("maximum-raised", "maximum-lowered"),
    "minLength": ("min-length-raised", "min-length-lowered"),
}


def _limit(keyword: str, old: Shape, new: Shape, place: str) -> Iterator[Change]:
    nothing = {"minimum": float("-inf"), "maximum": float("inf"), "minLength": 0}[keyword]
    before, after = old.says(keyword, nothing), new.says(keyword, nothing)
    if before != after:
        change = _LIMITS[keyword][after < before]
        yield Change(change, place, old.says(keyword, None), new.says(keyword, None))


def _pattern(old: Shape, new: Shape, place: str) -> Iterator[Change]:
    before, after = old.says("pattern", None), new.says("pattern", None)
    if before != after:
        change = "changed" if before and after else "removed" if before else "added"
        yield Change(f"pattern-{change}", place, before, after)


def _object(old: Shape, new: Shape, place: str, stack: Stack) -> Iterator[Change]:
    names = dict.fromkeys((*old.says("properties", {}), *new.says("properties", {})))
    for name in dict.fromkeys((*names, *sorted(old.required | new.required))):
        where = f"{place}/{escape(name)}"
        yield from _required(old, new, name, where)
        if name in names:
            yield from _field(old, new, name, where, stack)
    before, after = old.others, new.others
    if before and after:
        yield from _compare(before, after, f"{place}/*", stack)
    elif before or after:
        change = "closed" if before else "opened"
        said = [one and one.schema for one in (before, after)]
        yield Change(f"additional-properties-{change}", f"{place}/*", *said)


def _required(old: Shape, new: Shape, name: str, place: str) -> Iterator[Change]:
    if name in old.required and name not in new.required:
        yield Change("required-removed", place, old=True)
    elif name in new.required and name not in old.required:
        known = name in old.says("properties", {})
        yield Change("required-added" if known else "property-added-required", place, new=True)


def _field(old: Shape, new: Shape, name: str, place: str, stack: Stack) -> Iterator[Change]:
    """What became of one field that is named by one of them, at the least?"""
    before, after = old.field(name), new.field(name)
    named = [name in shape.says("properties", {}) for shape in (old, new)]
    if before is None or after is None:
        if before or after:
            change = "removed-closed" if before else "added-closed"
            said = [one and one.schema for one in (before, after)]
            yield Change(f"property-{change}", place, *said)
        return
    if all(named):
        yield from _compare(before, after, place, stack)
        return
    nameless, in_use = (after, new.required) if named[0] else (before, old.required)
    shaped = not (before.anything and after.anything)
    if nameless.anything and shaped and name not in in_use:
        change = "property-removed" if named[0] else "property-added"
        yield Change(change, place, *_both(before, after))
    else:
        change = "property-unnamed" if named[0] else "property-named"
        yield Change(change, place, *_both(before, after))
        yield from _compare(before, after, place, stack)


def _with_unions(old: Shape, new: Shape, place: str, stack: Stack) -> Iterator[Change]:
    """In what do shapes differ of which one has a union, at the least?"""
    beside = [asserts(shape.base.schema) for shape in (old, new)]
    if any(beside) and not all(beside):
        yield from _lifted(old, new, place, stack)
        return
    if all(beside):
        yield from _plain(old.base, new.base, place, stack)
    if bool(old.branches) != bool(new.branches) and all(beside):
        change = "union-removed" if old.branches else "union-added"
        yield Change(change, place, _union(old), _union(new))
        return
    yield from _branches(old.branches, new.branches, place, stack)
    yield from _exclusion(old, new, place)


def _lifted(old: Shape, new: Shape, place: str, stack: Stack) -> Iterator[Change]:
    """In what does a plain shape differ from a mere union? As if it were a union, type by type."""
    yield from _branches(old.split(), new.split(), place, stack)
    yield from _exclusion(old, new, place)


def _exclusion(old: Shape, new: Shape, place: str) -> Iterator[Change]:
    """Does anything differ in or below branches of which a value may fit but one?"""
    if (_exclusive(old) or _exclusive(new)) and old.spelled() != new.spelled():
        yield Change("exclusive-union-changed", place, _union(old), _union(new))


def _union(shape: Shape) -> JSON:
    return {union: shape.schema[union] for union in UNIONS if union in shape.schema} or None


def _exclusive(shape: Shape) -> bool:
    """May a value be refused because it fits two branches of oneOf?"""
    if "oneOf" not in shape.schema:
        return False
    branches = shape.branches
    pairs = ((one, two) for at, one in enumerate(branches) for two in branches[:at])
    return not all(disjoint(one, two) for one, two in pairs)


def _branches(
    olds: Sequence[Shape], news: Sequence[Shape], place: str, stack: Stack
) -> Iterator[Change]:
    pairs, gone, come = _paired(olds, news, stack)
    for old, new in pairs:
        yield from _compare(old, new, place, stack)
    yield from (Change("union-branch-removed", place, old=one.schema) for one in gone)
    yield from (Change("union-branch-added", place, new=one.schema) for one in come)


def _paired(
    olds: Sequence[Shape], news: Sequence[Shape], stack: Stack
) -> tuple[list[tuple[Shape, Shape]], list[Shape], list[Shape]]:
    """Which branch became which? The most alike first, and none that can't be."""
    scored = [
        (_likeness(old, new, stack), -abs(before - after), before, after)
        for before, old in enumerate(olds)
        for after, new in enumerate(news)
    ]
    taken: dict[int, int] = {}
    for likeness, _, before, after in sorted(scored, reverse=True):
        if likeness > 0 and before not in taken and after not in taken.values():
            taken[before] = after
    pairs = [(olds[before], news[after]) for before, after in sorted(taken.items())]
    gone = [old for at, old in enumerate(olds) if at not in taken]
    return pairs, gone, [new for at, new in enumerate(news) if at not in taken.values()]


def _likeness(old: Shape, new: Shape, stack: Stack) -> float:
    """How alike are two branches? From 0, no value can be both, to 2, nothing differs."""
    if old.spelled() == new.spelled():
        return 2
    if disjoint(old, new):
        return 0
    if next(_compare(old, new, "", stack), None) is None:
        return 2
    mine, theirs = _fields(old), _fields(new)
    return 0.5 + len(mine & theirs) / max(1, len(mine | theirs))


def _fields(shape: Shape) -> set[Any]:
    return {*shape.says("properties", ()), *shape.required, *shape.kinds}
