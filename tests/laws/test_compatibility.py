"""L16 and L17: what the compatibility rules promise, and what they warn of, is so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from referencing import Registry

from registry.catalog import Version, catalog
from registry.compat import RULES, Direction, compatibility
from registry.differences import differences
from registry.engine import plain_judge
from tests.strategies import documents as drawn
from tests.strategies import schemas

NEIGHBOURS = [
    (version.predecessor, version)
    for version in catalog().versions
    if version.predecessor is not None
]
DOCUMENTS = 4
"""How many documents are drawn for one pair of schemas."""

PAIRS = 1_000
"""Of how many pairs of schemas does some one show each rule?"""


class Engines:
    """What do both engines say of a document?"""

    def __init__(self, schema: Any) -> None:
        self._quick = plain_judge(schema)
        self._thorough = Draft7Validator(schema, registry=Registry()).is_valid

    def accept(self, document: Any) -> bool:
        quick, thorough = self._quick(document), self._thorough(document)
        assert quick == thorough, document
        return quick


def _directions(old: Any, new: Any) -> Iterator[tuple[Direction, Engines, Engines]]:
    before, after = Engines(old), Engines(new)
    yield "backward", before, after
    yield "forward", after, before


@given(pair=schemas.pairs(), data=st.data())
def test_l16_what_is_ok_keeps_every_document_valid(pair: Any, data: st.DataObject) -> None:
    found = compatibility(*pair)
    for (direction, source, target), schema in zip(_directions(*pair), pair, strict=True):
        if found.verdict(direction) == "ok":
            for _ in range(DOCUMENTS):
                document = data.draw(schemas.documents(schema))
                assert target.accept(document) or not source.accept(document)


@pytest.mark.parametrize("pair", NEIGHBOURS, ids=lambda pair: f"{pair[0].ref}-{pair[1].ref}")
@given(data=st.data())
def test_l16_what_is_ok_keeps_every_document_of_a_version_valid(
    pair: tuple[Version, Version], data: st.DataObject
) -> None:
    found = compatibility(pair[0].schema, pair[1].schema)
    for version, other, verdict in ((*pair, found.backward), (*pair[::-1], found.forward)):
        if verdict == "ok":
            assert Engines(other.schema).accept(data.draw(drawn.documents(version)))


@given(pair=schemas.pairs())
def test_l17_what_breaks_has_a_witness(pair: Any) -> None:
    _witnessed(*pair)


@pytest.mark.parametrize("pair", NEIGHBOURS, ids=lambda pair: f"{pair[0].ref}-{pair[1].ref}")
def test_l17_what_breaks_between_versions_has_a_witness(pair: tuple[Version, Version]) -> None:
    _witnessed(pair[0].schema, pair[1].schema)


def _witnessed(old: Any, new: Any) -> None:
    found = compatibility(old, new)
    for direction, source, target in _directions(old, new):
        for judgement in found.judgements:
            witness = judgement.witness(direction)
            assert witness or judgement.verdict(direction) != "breaks"
            if witness:
                assert source.accept(witness.document)
                assert not target.accept(witness.document)


@given(schema=schemas.schemas())
def test_a_schema_differs_in_nothing_from_itself(schema: Any) -> None:
    assert differences(schema, schema) == []


def test_pairs_show_every_rule() -> None:
    kinds: Counter[str] = Counter()

    @settings(
        max_examples=PAIRS,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(pair=schemas.pairs())
    def draw(pair: Any) -> None:
        kinds.update(change.kind for change in differences(*pair))

    draw()
    assert {rule.id for rule in RULES} - kinds.keys() == set()
