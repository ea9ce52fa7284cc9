"""What a change breaks, by the table and by example, and fixtures/compat is the examples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from registry.catalog import catalog
from registry.compat import MODES, RULES, VERDICTS, compatibility, holds
from registry.keywords import DRAFT
from registry.witnesses import CONCERNS
from tests.registry import samples

FOLDER = samples.FIXTURES / "compat"
FILES = sorted(FOLDER.glob("*.json"))
RULE = {rule.id: rule for rule in RULES}
ALL_MODES = [*MODES, *(f"{mode}-transitive" for mode in MODES if mode != "none")]


def _read(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _object(**fields: Any) -> Any:
    return {"$schema": DRAFT, "type": "object", "properties": fields}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_change_is_typed_placed_and_judged_as_expected(path: Path) -> None:
    expected = _read(path)
    found = compatibility(expected["old"], expected["new"])
    changes = [
        {
            "kind": one.change.kind,
            "pointer": one.change.pointer,
            "backward": one.backward,
            "forward": one.forward,
        }
        for one in found.judgements
    ]
    assert changes == expected["changes"]
    assert (found.backward, found.forward) == (expected["backward"], expected["forward"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_way_back_has_the_verdicts_swapped(path: Path) -> None:
    expected = _read(path)
    back = compatibility(expected["new"], expected["old"])
    assert (back.forward, back.backward) == (expected["backward"], expected["forward"])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_rule_is_shown_with_its_verdicts_in_both_directions(rule: Any) -> None:
    shown = [
        (change["backward"], change["forward"])
        for path in FILES
        for change in _read(path)["changes"]
        if change["kind"] == rule.id
    ]
    assert (rule.backward, rule.forward) in shown
    assert (FOLDER / f"{rule.id}.json").exists()


def test_the_files_say_that_they_are_made_up() -> None:
    assert "synthetic" in (FOLDER / "README.md").read_text()
    assert all(_read(path)["description"] for path in FILES)


def test_rules_have_ids_of_their_own_and_sentences() -> None:
    assert len(RULE) == len(RULES)
    assert all(rule.sentence.endswith(".") for rule in RULES)
    assert {rule.backward for rule in RULES} == set(VERDICTS)


def test_every_concern_is_that_of_a_rule() -> None:
    assert all(any(id_.startswith(one.prefix) for id_ in RULE) for one in CONCERNS)


@pytest.mark.parametrize("format_", catalog().formats, ids=lambda one: one.id)
def test_the_declared_mode_of_a_format_holds(format_: Any) -> None:
    schemas = [one.schema for one in catalog().versions if one.format == format_.id]
    assert holds(format_.compat, schemas) == []


WITHOUT, WITH, OTHER = (
    _object(),
    _object(id={"type": "string", "minLength": 1}),
    _object(id={"type": "integer"}),
)


@pytest.mark.parametrize(
    ("mode", "broken"),
    [
        ("none", []),
        ("backward", [(1, 2, "backward")]),
        ("forward", [(1, 2, "forward")]),
        ("full", [(1, 2, "backward"), (1, 2, "forward")]),
        ("backward-transitive", [(1, 2, "backward")]),
    ],
)
def test_a_mode_is_violated_by_what_breaks_and_not_by_what_is_undecided(
    mode: str, broken: list[Any]
) -> None:
    found = holds(mode, [WITHOUT, WITH, OTHER])
    assert [(one.older, one.newer, one.direction) for one in found] == broken
    assert all(one.judgement.witness(one.direction) for one in found)


def test_a_transitive_mode_looks_at_all_versions_before() -> None:
    narrow, free = _object(id={"type": "string"}), _object()
    versions = [narrow, free, _object(id={"type": "integer"})]
    assert holds("backward", versions) == []
    assert [(one.older, one.newer) for one in holds("backward-transitive", versions)] == [(0, 2)]


@pytest.mark.parametrize("mode", ALL_MODES)
def test_one_version_keeps_every_mode(mode: str) -> None:
    assert holds(mode, [WITH]) == []


def test_a_mode_that_there_is_not_is_no_mode() -> None:
    with pytest.raises(KeyError):
        holds("sideways", [WITH])


def test_a_witness_has_no_fault_but_that_of_its_change() -> None:
    old = _object(a={"type": "string"}, b={"type": ["string", "null"]})
    new = _object(a={"type": "string", "minLength": 2}, b={"type": "string"})
    found = compatibility({**old, "required": ["b"]}, {**new, "required": ["b", "a"]})
    shown = {
        one.change.kind: one.backward_witness and one.backward_witness.document
        for one in found.judgements
    }
    assert shown == {
        "required-added": {"b": ""},
        "min-length-raised": {"b": "", "a": ""},
        "type-narrowed": {"a": "aa", "b": None},
    }
