"""Nothing documented is forgotten, and what is said natively stays so."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from converter import chain, formats, generate, slots
from converter.chain import Stage
from converter.delta import Node
from converter.examining import examine
from converter.formats.promptbeat_judgment import PASCAL_NAMES
from converter.places import Places
from evalglot.testing import laws
from registry import catalog, gate
from registry.values import escape, leaves
from tests.converter import samples

FLOORS = samples.FIXTURES / "coverage" / "floors.json"
FIXTURES = {
    id_: path
    for id_ in formats.FORMATS
    for path in (samples.FIXTURES / id_ / formats.find(id_).version / "valid").glob("everything.*")
}
PAIRS = [(id_, target) for id_ in FIXTURES for target in formats.FORMATS if target != id_]
SPELLED = {spelled: name for names in PASCAL_NAMES.values() for spelled, name in names.items()}


def plain(id_: str, path: laws.Keys) -> laws.Keys:
    """The same place in the one form that the format's module speaks of."""
    if id_ == "promptbeat-judgment":
        name, *rest = path[path.index("*") + 1 :]
        return ("*", SPELLED.get(name, name), *rest)
    if id_ == "deepeval" and path[0] == "testRunData":
        return path[1:]
    if id_ == "lm-eval":
        return path[path.index("*") :]
    if id_ == "every-eval-ever" and path[0] == "*":
        return ("samples", *path)
    if id_ == "promptfoo" and path[0] == "*":
        return ("results", "results", *path)
    return path


@pytest.mark.parametrize("id_", formats.FORMATS)
def test_every_documented_field_has_a_row_or_a_reason(id_: str) -> None:
    schema = catalog.parse_ref(id_).schema
    laws.every_field_has_a_row_or_a_reason(
        id_, {plain(id_, path) for path in laws.fields_of(schema, schema)}
    )


@cache
def floors() -> dict[str, float]:
    found: dict[str, float] = gate.load(FLOORS.read_bytes())
    return found


@pytest.mark.parametrize(("id_", "target"), PAIRS)
def test_l10_native_share_keeps_its_floor(id_: str, target: str) -> None:
    share = examine(samples.staged(FIXTURES[id_]), target).native_share
    floor = floors()[f"{id_} → {target}"]
    assert share >= floor
    assert share < floor + 0.02, f"raise the floor to {int(share * 100) / 100}"


def test_floors_are_of_pairs_that_are_measured() -> None:
    assert set(floors()) == {f"{id_} → {target}" for id_, target in PAIRS}


def brought(node: Node | None, place: str = "") -> Iterator[str]:
    """Which leaves does a delta bring in whole?"""
    if node is None:
        return
    if "=" in node:
        yield from (f"{place}{inner}" for inner, _ in leaves(node["="][1]))
    for _, key, value in node.get("add", ()):
        yield from (f"{place}/{escape(key)}{inner}" for inner, _ in leaves(value))
    for key, inner in node.get("in", {}).items():
        yield from brought(inner, f"{place}/{escape(key)}")


def native(source: Stage, target: str) -> set[str]:
    return {
        place
        for field in examine(source, target, pointers=True).fields
        if field.state == "native"
        for place in field.pointers or ()
    }


@pytest.mark.parametrize(("id_", "target"), PAIRS)
def test_l10_the_carry_holds_no_leaf_that_is_also_native(id_: str, target: str) -> None:
    source = samples.staged(FIXTURES[id_])
    form, places = formats.find(target), Places(formats.find(id_).layout, source.parts)
    there = chain.convert(source, target)
    assert there.slot is not None
    carried = set(brought(slots.heard(there.slot.run, unspeakable=True)))
    records = [record for group in there.parts.groups for record in group.records]
    for number, record in enumerate(records):
        slot = slots.record_slot(slots.take(record, form.record_slot)[1])
        place = places.record(number if slot.at is None else slot.at).pointer
        carried |= set(brought(slots.heard(slot.delta, unspeakable=True), place))
    assert native(source, target).isdisjoint(carried)


def test_the_loss_matrix_is_fresh() -> None:
    assert generate.PAGE.read_text(encoding="utf-8") == generate.loss_matrix()
