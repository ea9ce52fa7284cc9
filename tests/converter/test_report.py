"""The loss report: every leaf in one state, and the states are what really happens."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import fastjsonschema
import msgspec
import pytest

from converter import chain, formats
from converter.chain import Stage
from converter.delta import diff
from converter.examining import examine
from converter.lossy import Lossy
from converter.report import SCHEMA, Count, Field, Leavings, LossReport
from registry import gate
from registry.shelves import versions_root
from registry.values import at, leaves, same
from tests.converter import samples

PAIRS = [
    (path, version.ref)
    for path in samples.valid()
    for version in samples.versions()
    if samples.ref(path) != version.ref
    and formats.knows(version.ref)
    and formats.knows(samples.ref(path))
]
CASES = [pytest.param(*pair, id=f"{samples.name(pair[0])}-{pair[1]}") for pair in PAIRS]
NEWEST = [
    pytest.param(*pair, id=f"{samples.name(pair[0])}-{pair[1]}")
    for pair in PAIRS
    if {samples.ref(pair[0]), pair[1]} <= {formats.find(id_).ref for id_ in formats.FORMATS}
]
SORTED = "cbl@1/fields-that-later-versions-name.json"
EPOCHS = (f"{SORTED}-inspect@2", f"{SORTED}-every-eval-ever@0.3")
IN_ORDER = [case for case in CASES if case.id not in EPOCHS]
"""not where attempts at one case come back as iterations, by which older cbl files are sorted"""

BY_POSITION = ("/iteration",)
"""written from a record's position where nothing is known of it"""

INCONSISTENT = samples.FIXTURES / "promptbeat/1/valid/inconsistent-totals.json"
RUN = {
    "evaluation_id": 7,
    "total_passed": 1,
    "total_failed": 1,
    "results": [
        {
            "test_result_id": 1,
            "iteration": 0,
            "user_input": "Hi",
            "conversation_id": 2,
            "model_response": "No.",
            "safe_response_score": 0.25,
            "passed": False,
        },
        {
            "test_result_id": 2,
            "iteration": 0,
            "user_input": "Ho",
            "conversation_id": 3,
            "model_response": "Yes.",
            "safe_response_score": 1.0,
            "passed": True,
        },
    ],
}


@cache
def schema() -> Any:
    path = versions_root() / "evalglot-loss-report" / "1" / "schema.json"
    return gate.load(path.read_bytes())


def report(path: Path, ref: str, *, carry: bool = True) -> LossReport:
    id_, _, version = ref.partition("@")
    return examine(samples.staged(path), id_, version, carry=carry, pointers=True)


def pointers(told: LossReport, *states: str) -> set[str]:
    return {
        place for field in told.fields if field.state in states for place in field.pointers or ()
    }


def holds(document: Any, place: str, value: Any) -> bool:
    try:
        return same(at(document, place), value)
    except KeyError:
        return False


def rows(stage: Stage) -> list[Any]:
    return [record for group in stage.parts.groups for record in group.records]


def form(stage: Stage) -> tuple[dict[str, Any], list[int]]:
    return dict(stage.parts.shape), [len(group.records) for group in stage.parts.groups]


def shifted(place: str, away: set[str]) -> bool:
    """Does an element before it in one of its lists not come back?"""
    steps = place.split("/")
    for depth, step in enumerate(steps):
        if step.isdigit():
            earlier = ("/".join([*steps[:depth], str(index)]) for index in range(int(step)))
            if any(one == gone or gone.startswith(f"{one}/") for one in earlier for gone in away):
                return True
    return False


@pytest.mark.parametrize(("path", "ref"), CASES)
def test_l08_every_source_leaf_is_in_exactly_one_state(path: Path, ref: str) -> None:
    told = [place for field in report(path, ref).fields for place in field.pointers or ()]
    assert sorted(told) == sorted(place for place, _ in leaves(samples.document(path)))


@pytest.mark.parametrize(("path", "ref"), IN_ORDER)
def test_l07_what_is_told_native_comes_back_without_a_carry(path: Path, ref: str) -> None:
    source = samples.staged(path)
    told = report(path, ref, carry=False)
    id_, _, version = ref.partition("@")
    clean = chain.convert(source, id_, version, carry=False)
    reread = chain.stage(gate.load(gate.dump(clean.document())), ref)
    back = chain.convert(reread, source.format, source.version, carry=False)
    if told.moved or form(back) != form(source):
        # which spelling, order and grouping the file had is no leaf: only records can be counted
        assert len(rows(back)) <= len(rows(source))
        return
    document, away = samples.document(path), pointers(told, "shadowed", "dropped")
    lost = {
        place
        for place in pointers(told, "native")
        if not holds(back.document(), place, at(document, place))
        and not shifted(place, away)
        and not place.endswith(BY_POSITION)
    }
    assert lost == set()


@pytest.mark.parametrize(("path", "ref"), NEWEST)
def test_every_report_is_as_its_schema_says(path: Path, ref: str) -> None:
    check = fastjsonschema.compile(schema(), use_default=False)
    check(gate.load(report(path, ref).json()))
    check(gate.load(report(path, ref, carry=False).json()))


def test_the_report_names_its_schema() -> None:
    assert schema()["$id"] == SCHEMA


def test_what_is_carried_is_dropped_without_a_carry() -> None:
    stage = chain.stage(RUN, "cbl@4")
    kept = examine(stage, "sandtable", pointers=True)
    dropped = examine(stage, "sandtable", carry=False, pointers=True)
    assert kept.leaves.carried > 0
    assert kept.leaves.dropped == 0
    assert dropped.leaves.carried == 0
    assert pointers(kept, "carried") <= pointers(dropped, "dropped", "shadowed")


def test_without_pointers_none_are_listed() -> None:
    told = examine(chain.stage(RUN, "cbl@4"), "sandtable")
    assert {field.pointers for field in told.fields} == {None}


def test_a_result_that_the_target_does_not_list_is_carried_whole() -> None:
    told = examine(chain.stage(RUN, "cbl@4"), "cbl", "3", pointers=True)
    listed = {place for place, _ in leaves(RUN["results"][1])}  # type: ignore[index]
    assert {f"/results/1{place}" for place in listed} <= pointers(told, "carried")
    assert "/results/0/user_input" in pointers(told, "native")


def test_placeholders_are_told_as_derived() -> None:
    told = examine(chain.stage(RUN, "cbl@4"), "sandtable")
    assert Count("/agent", 1) in told.derived
    assert Count("/tasks/*/trials/*/endReason", 2) in told.derived


def test_totals_that_the_cases_do_not_give_are_disagreements() -> None:
    told = report(INCONSISTENT, "sandtable@1.1")
    assert told.disagreements == ("/passed", "/failed", "/pass_rate")
    assert "3 totals differ from the recount" in told.line()


def test_a_homecoming_loses_nothing() -> None:
    there = chain.convert(chain.stage(RUN, "cbl@4"), "sandtable")
    told = examine(there, "cbl")
    assert told.returned
    assert told.lossless
    assert told.target == "cbl@4"
    assert told.line() == "sandtable@1.1 → cbl@4: 2 records, come home through the carry"


def test_the_line_names_the_most_frequent_fields() -> None:
    told = msgspec.structs.replace(
        examine(chain.stage(RUN, "cbl@4"), "promptbeat-judgment"),
        leaves=Leavings(native=6, shadowed=1, carried=9, dropped=0),
        fields=(
            Field("/results/*/a", "carried", 1),
            Field("/results/*/b", "carried", 3),
            Field("/results/*/c", "carried", 2),
            Field("/results/*/d", "carried", 3),
            Field("/results/*/e", "shadowed", 1),
        ),
    )
    assert told.line() == (
        "cbl@4 → promptbeat-judgment@1: 2 records; native 37 %, shadowed 1 field (e),"
        " carried 4 fields (b, d, c, …), dropped 0"
    )


def test_the_same_conversion_gives_the_same_bytes() -> None:
    first, second = (examine(chain.stage(RUN, "cbl@4"), "promptbeat") for _ in range(2))
    assert first.json() == second.json()


def test_the_cheap_count_names_each_lossy_field_with_how_often() -> None:
    lossy = Lossy()
    old = {"a": {"b": 1, "c": [{"d": 1}, {"d": 2}], "e": [1]}, "f": 1}
    new = {"a": {"b": 2, "c": [{"d": 3}, {"d": 4}], "e": [1, 2], "g": 5}, "f": 1, "h": 6}
    for _ in range(2):
        delta = diff(old, new)
        assert delta is not None
        lossy.hear(delta)
    assert lossy.counts("rough") == {"a.b": 2, "a.c.d": 4}
    assert lossy.counts("unsaid") == {"h": 2, "a.g": 2, "a.e": 2}
