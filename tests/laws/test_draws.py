"""The laws are worth what is drawn for them: every documented field, and every awkward kind."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from evalglot.testing import documents as drawn
from evalglot.testing.fields import documented, typed
from registry import values
from tests.converter import samples

AWKWARD = {
    "minus zero": lambda leaf: leaf == 0 and str(leaf) == "-0.0",
    "a float zero": lambda leaf: type(leaf) is float and str(leaf) == "0.0",
    "a huge integer": lambda leaf: type(leaf) is int and abs(leaf) > 2**53,
    "an empty text": lambda leaf: leaf == "",
    "half a surrogate pair": lambda leaf: isinstance(leaf, str) and "\ud83d" in leaf,
    "beyond ASCII": lambda leaf: isinstance(leaf, str) and "ï" in leaf,
    "null": lambda leaf: leaf is None,
    "an empty object": lambda leaf: leaf == {},
}
RARE = "/definitions/metrics/"
"""promptfoo's counters per prompt lie five optional levels deep: the draws do not reach them all"""

TEXTS_ONLY = ("junit",)
"""formats that have numbers in unknown fields only, which are fewer"""

ROUNDS = 4
"""of 250 documents at the most: fields that lie under many optional ones come up late"""

SHARE = 0.02
"""of the documents have each awkward kind, at the least"""


@pytest.mark.parametrize("version", samples.versions(), ids=lambda version: version.ref)
def test_draws_hold_every_documented_field_and_every_awkward_kind(version: samples.Version) -> None:
    schema = version.schema
    held: set[str] = set()
    kinds: Counter[str] = Counter()
    keys: Counter[str] = Counter()
    count = 0

    @settings(
        max_examples=250,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(document=drawn.documents(version))
    def draw(document: Any) -> None:
        nonlocal count
        count += 1
        for field in typed(schema, document):
            held.update(field.documented)
        leaves = list(values.leaves(document))
        kinds.update(
            {kind for kind, fits in AWKWARD.items() if any(fits(leaf) for _, leaf in leaves)}
        )
        keys.update({name for at, _ in leaves for name in at.split("/")})

    containers = {f"/properties{place}" for place in version.containers}
    wanted = {place for place in {*documented(schema)} - containers if not place.startswith(RARE)}
    for number in range(ROUNDS):
        seed(number)(draw)()
        if wanted <= held:
            break
    assert wanted - held == set()
    least = dict.fromkeys(AWKWARD, SHARE * count)
    if version.format in TEXTS_ONLY:
        least["minus zero"] = 1
    assert {kind for kind in AWKWARD if kinds[kind] < least[kind]} == set()
    assert {"a~1b~0c", "__proto__"} <= keys.keys()
