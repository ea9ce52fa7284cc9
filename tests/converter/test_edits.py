"""An edit that has no place in a format on the way home is told, and nothing else is."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from converter import chain, edits
from converter.formats import FORMATS
from tests.converter import samples

TYPICAL = samples.FIXTURES / "promptbeat/1/valid/typical.json"
FILES = [path for path in samples.valid() if path.stem in ("typical", "everything")]
NEWEST = [
    path
    for path in FILES
    if samples.staged(path).version == chain.newest(samples.staged(path).format)
]


@pytest.mark.parametrize("path", NEWEST, ids=samples.name)
def test_what_was_not_edited_is_not_told(path: Path) -> None:
    source = samples.staged(path)
    others = [id_ for id_ in FORMATS if id_ != source.format]
    for over, to in list(permutations(others, 2))[:: 1 + len(others) // 3]:
        there = chain.convert(chain.convert(source, over), to)
        back = chain.homeward(there, source.format, None)
        assert back is not None
        assert edits.unkept(there, back) == (), (over, to)
    for over in others:
        there = chain.convert(source, over)
        assert edits.unkept(there, chain.home(there)) == (), over


@pytest.mark.parametrize("home", ["promptbeat", "cbl"])
def test_an_edit_that_a_format_on_the_way_can_not_say_is_told(home: str) -> None:
    there = chain.convert(chain.convert(samples.staged(TYPICAL), "cbl"), "promptfoo")
    record = there.parts.groups[0].records[0]
    record["latencyMs"] = 5
    record["response"]["output"] = "another answer"  # cbl says that, too
    back = chain.homeward(there, home, None)
    assert back is not None
    assert edits.unkept(there, back) == ("latencyMs",)
