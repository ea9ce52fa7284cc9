"""L16 and L17: what the compatibility rules promise, and what they warn of, is so."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from referencing import Registry

from evalglot.testing import documents as drawn
from registry.catalog import Version, catalog
from registry.compat import RULES, Compatibility, Direction, compatibility
from registry.differences import differences
from registry.engine import plain_judge
from registry.samples import values
from registry.shapes import Shape
from registry.witnesses import Search
from tests.registry import samples
from tests.strategies import schemas

NEIGHBOURS = [
    (version.predecessor, version)
    for version in catalog().versions
    if version.predecessor is not None
]
EXAMPLES = sorted((samples.FIXTURES / "compat").glob("*.json"))
DOCUMENTS = 4
"""How many documents are drawn for one pair of schemas."""

EDGES = 60
"""How many more are tried at each change?"""

PAIRS = 600
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
            told = [data.draw(schemas.documents(schema)) for _ in range(DOCUMENTS)]
            for document in (*told, *_near(direction, pair, found)):
                assert target.accept(document) or not source.accept(document)


def _near(direction: Direction, pair: Any, found: Compatibility) -> Iterator[Any]:
    """Documents at the edge of each change, where a random one hardly ever is."""
    source, target = pair if direction == "backward" else pair[::-1]
    search = Search(source, target)
    yield from islice(values([Shape.of(source, source)]), EDGES)
    for change in found.changes:
        yield from islice(search.candidates(change), EDGES)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_l16_what_is_ok_in_an_example_keeps_what_lies_near_the_change_valid(path: Path) -> None:
    example = json.loads(path.read_bytes())
    pair = example["old"], example["new"]
    found = compatibility(*pair)
    for direction, source, target in _directions(*pair):
        if found.verdict(direction) == "ok":
            for document in _near(direction, pair, found):
                assert target.accept(document) or not source.accept(document)


@pytest.mark.parametrize("pair", NEIGHBOURS, ids=lambda pair: f"{pair[0].ref}-{pair[1].ref}")
@given(data=st.data())
def test_l16_what_is_ok_keeps_every_document_of_a_version_valid(
    pair: tuple[Version, Version], data: st.DataObject
) -> None:
    found = _between(*pair)
    for version, other, verdict in ((*pair, found.backward), (*pair[::-1], found.forward)):
        if verdict == "ok":
            assert _engines(other).accept(data.draw(drawn.documents(version)))


@cache
def _between(old: Version, new: Version) -> Compatibility:
    return compatibility(old.schema, new.schema)


@cache
def _engines(version: Version) -> Engines:
    return Engines(version.schema)


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
