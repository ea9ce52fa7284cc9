"""Pairs of runs that have cases in common: as drawn, some dropped, some moved, some other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from converter.chain import Stage, stage
from converter.facts import identity
from converter.form import Parts
from converter.runs import run_file
from diffruns.entries import digest
from evalglot.testing import documents as drawn
from registry.catalog import Version


@st.composite
def pairs(draw: st.DrawFn, version: Version) -> tuple[Any, Any]:
    """Two documents of this version; the second has groups of both, in any order."""
    a, b = (stage(draw(drawn.documents(version)), version.ref) for _ in range(2))
    alike = a.parts.shape == b.parts.shape
    groups = [*a.parts.groups, *(b.parts.groups if alike else ())]
    kept = draw(st.lists(st.sampled_from(range(len(groups))), unique=True)) if groups else []
    envelope = draw(
        st.sampled_from([a.parts.envelope, b.parts.envelope] if alike else [a.parts.envelope])
    )
    return a.document(), with_groups(a, envelope, [groups[number] for number in kept]).document()


def with_groups(of: Stage, envelope: Any, groups: list[Any]) -> Stage:
    """The same run with another envelope and other cases."""
    return replace(of, parts=Parts(envelope, groups, of.parts.shape))


def sayable_in_rows(of: Stage) -> Stage:
    """The same run without cases that nobody tried, and without repeats of a case."""
    kept = {}
    for number, (group, (case, _)) in enumerate(
        zip(of.parts.groups, run_file(of).groups(), strict=True)
    ):
        if group.records:
            name = digest(identity(case)) if run_file(of).nested else number
            kept.setdefault(name, group)
    return with_groups(of, of.parts.envelope, list(kept.values()))
