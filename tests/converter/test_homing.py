"""Going home record by record is going home as a whole, whatever was done to the file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from converter import chain, source
from converter.chain import Flow, Stage
from converter.homing import Homing
from evalglot.testing import documents as drawn
from registry import gate
from registry.catalog import parse_ref
from registry.errors import EvalglotError
from registry.values import same
from tests.converter import samples
from tests.laws import pairs

PAIRS = pytest.mark.parametrize(("path", "id_"), pairs.pairs(), ids=pairs.pair_name)
STREAMED = {"sandtable", "promptbeat", "promptfoo", "cbl"}


def read(stage: Stage) -> Stage:
    """The document as it is read from a file's bytes."""
    return source.read(gate.dump(stage.document()), "", parse_ref(stage.ref), "reject")


def outcome(flow: Flow) -> tuple[Any, Any]:
    """What comes home, and what was stale."""
    stage = flow.stage()
    return stage.document(), sorted(stage.stale)


def both_ways(there: Stage, to: str) -> tuple[Any, Any]:
    """The document that comes home both ways; or what is wrong, which both ways find."""
    told: list[Any] = []
    for check in (True, False):
        try:
            told.append(outcome(chain.flow(read(there), to, check=check)))
        except EvalglotError as error:
            told.append((type(error), error.expected))
    whole, streamed = told
    if not isinstance(whole[0], type):
        assert same(list(whole), list(streamed))
    else:
        assert whole[0] is streamed[0]
    return whole[0], whole[1]


def edited(stage: Stage, groups: list[Any]) -> Stage:
    """The document with other groups."""
    return replace(stage, parts=replace(stage.parts, groups=groups, raws=None))


@PAIRS
def test_what_was_moved_copied_and_deleted(path: Path, id_: str) -> None:
    origin = samples.staged(path)
    there = chain.convert(origin, id_)
    groups = list(there.parts.groups)
    for some in (groups[::-1], groups[1:], groups[:-1], [*groups, *groups[:1]], []):
        both_ways(edited(there, some), origin.format)


@PAIRS
def test_in_parts_it_is_the_same(path: Path, id_: str) -> None:
    origin = samples.staged(path)
    there = read(chain.convert(origin, id_))
    flow = chain.flow(there, origin.format)
    if not isinstance(flow.shared, Homing):
        return
    whole = [group for part in flow.shared.parts(3) for group in part]
    home = replace(flow, groups=iter(whole)).stage()
    assert same(home.document(), samples.document(path))


@pytest.mark.parametrize("path", pairs.NEWEST, ids=samples.name)
def test_fixtures_do_go_home_record_by_record(path: Path) -> None:
    origin = samples.staged(path)
    id_ = "promptfoo" if origin.format != "promptfoo" else "sandtable"
    there = read(chain.convert(origin, id_))
    if there.slot is None or there.slot.document is not None or not len(there.parts.groups):
        return
    assert chain.flow(there, origin.format).shared is not None


@pytest.mark.parametrize("ref", ["promptbeat@1", "sandtable@1.1", "promptfoo@3", "cbl@4"])
@settings(deadline=None)
@given(data=st.data())
def test_any_document_comes_home_both_ways(ref: str, data: st.DataObject) -> None:
    document = data.draw(drawn.documents(parse_ref(ref)))
    origin = chain.stage(document, ref)
    others = sorted(STREAMED - {origin.format})
    there = chain.convert(origin, data.draw(st.sampled_from(others)))
    home, _ = both_ways(there, origin.format)
    assert same(home, document)


def test_a_position_beyond_all_reason_is_no_traceback() -> None:
    path = next(path for path in pairs.NEWEST if samples.ref(path) == "promptbeat@1")
    there = chain.convert(samples.staged(path), "sandtable")
    document = there.document()
    slot = document["tasks"][0]["trials"][0]["x-evalglot"]
    for at in (-1, -7, 0, 2**62, 10**40, None, "1"):
        slot["at"] = at
        stage = chain.stage(document, there.ref)
        both_ways(stage, "promptbeat")
