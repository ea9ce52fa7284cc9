"""What of a file that was edited does not come home, since there is no place for it?

Home itself may have no field for a fact that was edited, or a format on the way: from A over B to
C, C says facts of A that B only carries, and the carry brings A's own value. It is found by going
there once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from converter import chain, slots
from converter.bundling import Said
from converter.form import Format, Group
from converter.formats import find
from registry.values import same

if TYPE_CHECKING:
    from converter.chain import Stage


def unkept(source: Stage, back: Stage) -> tuple[str, ...]:
    """Which facts of the source are edited and not in what came home, by their fields if plain?"""
    form = find(source.format)
    passed = slots.chain_of(source.slot)
    again = back
    for ref in (*reversed(passed[: passed.index(back.ref)]), source.ref):
        again = chain.convert(again, _format(ref), ref.partition("@")[2])
    if source.version != form.version or len(again.parts.groups) != len(source.parts.groups):
        return ()
    found: dict[str, None] = {}
    for now, then in zip(_records(form, source), _records(form, again), strict=False):
        found |= dict.fromkeys(_differing(now, then))
    fields = {row.fact: row.path for row in form.rows}
    return tuple(fields.get(fact, fact.partition(".")[2]) for fact in found)


def _differing(now: Said, then: Said) -> Iterator[str]:
    """Which facts do two readings of one record not share?"""
    for scope, one, other in zip(("case", "trial"), now, then, strict=True):
        for name in one.__struct_fields__:
            if not same(to_builtins(getattr(one, name)), to_builtins(getattr(other, name))):
                yield f"{scope}.{name}"


def _format(ref: str) -> str:
    return ref.partition("@")[0]


def _records(form: Format, stage: Stage) -> Iterator[Said]:
    """What does each record itself say, its carry left out?"""
    for group in stage.parts.groups:
        for record in group.records:
            bare, _ = slots.take(record, form.record_slot)
            yield form.read(bare, _bare_parent(form, group))


def _bare_parent(form: Format, group: Group) -> dict[str, Any] | None:
    return group.parent and slots.take(group.parent, form.record_slot)[0]
