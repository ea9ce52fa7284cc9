"""What of a file that was edited does not come home, since a format on the way has no word for it?

From A over B to C, C says facts of A that B only carries. Going home over B, an edit of such a fact
in C has no place in B: the carry brings A's own value. It is found by going there once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from converter import chain, slots
from converter.facts import Case, Trial
from converter.form import Format, Group
from converter.formats import find
from registry.values import same

if TYPE_CHECKING:
    from converter.chain import Stage

LISTED = {"check": "checks", "usage": "usage"}
"""scopes whose facts a trial holds in lists"""


def unkept(source: Stage, back: Stage) -> tuple[str, ...]:
    """Which facts of the source, by their fields there, are edited and not in what came home?

    `back` is what came home, be it as far as one of the formats on the way.
    """
    passed = slots.chain_of(source.slot)
    form, *between, origin = [find(_format(ref)) for ref in (source.ref, *passed)]
    said = _facts(form) & _facts(origin)
    facts = {fact for fact in said if not all(fact in _facts(one) for one in between)}
    if not facts or source.version != form.version:
        return ()
    again = back
    for ref in (*reversed(passed[: passed.index(back.ref)]), source.ref):
        again = chain.convert(again, _format(ref), ref.partition("@")[2])
    if len(again.parts.groups) != len(source.parts.groups):
        return ()
    found: set[str] = set()
    for now, then in zip(_records(form, source), _records(form, again), strict=False):
        found |= {fact for fact in facts if not same(_of(now, fact), _of(then, fact))}
    return tuple(dict.fromkeys(row.path for row in form.rows if row.fact in found))


def _format(ref: str) -> str:
    return ref.partition("@")[0]


def _facts(form: Format) -> set[str]:
    return {row.fact for row in form.rows if row.scope in ("case", "trial", *LISTED)}


def _records(form: Format, stage: Stage) -> Iterator[tuple[Case, Trial]]:
    """What does each record itself say, its carry left out?"""
    for group in stage.parts.groups:
        for record in group.records:
            bare, _ = slots.take(record, form.record_slot)
            yield form.read(bare, _bare_parent(form, group))


def _bare_parent(form: Format, group: Group) -> dict[str, Any] | None:
    return group.parent and slots.take(group.parent, form.record_slot)[0]


def _of(said: tuple[Case, Trial], fact: str) -> Any:
    """Which value has a fact, or which values, where a trial has several?"""
    scope, _, name = fact.partition(".")
    case, trial = said
    if scope in LISTED:
        return [getattr(one, name) for one in getattr(trial, LISTED[scope]) or ()]
    return getattr(case if scope == "case" else trial, name)
