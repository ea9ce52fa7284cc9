from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from converter import chain, slots
from converter.chain import Stage
from registry import gate
from registry.errors import BadCarry, InvalidDocument
from registry.values import same
from tests.converter import samples

CBL: dict[str, Any] = {
    "evaluation_id": 7,
    "total_passed": 1,
    "total_failed": 1,
    "results": [
        {
            "test_result_id": number,
            "iteration": number,
            "user_input": "Hi",
            "conversation_id": 4 + number,
            "model_response": text,
            "safe_response_score": score,
            "passed": passed,
            "voice": {"pitch": number},
        }
        for number, (text, score, passed) in enumerate([("No.", 0.25, False), ("Yes.", 1.0, True)])
    ],
    "test_case_groups": ["suicidal_ideation"],
}


def through(document: Any, *refs: str) -> Any:
    """The document, converted from version to version, each time through bytes."""
    here, *rest = refs
    for ref in rest:
        id_, _, version = ref.partition("@")
        done = chain.convert(chain.stage(document, here), id_, version or None)
        document, here = gate.load(gate.dump(done.document())), done.ref
    return document


CHAINS = [
    ("cbl@4", "sandtable@1.1", "promptbeat@1", "sandtable@1.1", "cbl@4"),
    ("cbl@4", "promptfoo@3", "cbl@2", "promptfoo@3", "cbl@4"),
    ("cbl@4", "cbl@1", "sandtable@1.0", "cbl@1", "cbl@4"),
    ("cbl@4", "promptbeat-judgment@1", "sandtable@1.1", "promptfoo@3", "cbl@4"),
]


@pytest.mark.parametrize("refs", CHAINS, ids=" → ".join)
def test_a_chain_comes_home(refs: tuple[str, ...]) -> None:
    assert same(through(CBL, *refs), CBL)


def test_each_station_of_the_way_back_is_what_it_was_on_the_way_there() -> None:
    first = through(CBL, "cbl@4", "sandtable@1.1")
    second = through(first, "sandtable@1.1", "promptfoo@3")
    assert same(through(second, "promptfoo@3", "sandtable@1.1"), first)


def test_without_a_version_home_is_where_the_file_first_was() -> None:
    old = through(CBL, "cbl@4", "cbl@2")
    clean = chain.stage({key: old[key] for key in ("type", "data")}, "cbl@2")
    for group in clean.parts.groups:
        group.records[0].pop(slots.KEY, None)
    there = chain.convert(clean, "sandtable")
    assert chain.convert(there, "cbl").ref == "cbl@2"
    assert chain.convert(there, "cbl", "4").ref == "cbl@4"


def test_an_edit_between_versions_is_not_lost() -> None:
    old = through(CBL, "cbl@4", "cbl@2")
    old["note"] = "mine"
    home = through(old, "cbl@2", "promptbeat@1", "cbl@2")
    assert same(home, old)


def test_records_of_the_target_may_be_deleted_copied_and_moved() -> None:
    there = through(CBL, "cbl@4", "promptbeat@1")
    first, second = there["cases"]
    there["cases"] = [second, first, second]
    home = through(there, "promptbeat@1", "cbl@4")
    one, two = CBL["results"]
    assert same(home["results"], [two, one, two])
    assert (home["total_passed"], home["total_failed"]) == (2, 1)


def test_an_edited_value_comes_home_edited_and_its_totals_with_it() -> None:
    there = through(CBL, "cbl@4", "promptbeat@1")
    there["cases"][1]["response"] = "Never."
    there["cases"][1]["passed"] = False
    home = through(there, "promptbeat@1", "cbl@4")
    assert home["results"][1]["model_response"] == "Never."
    assert home["results"][1]["passed"] is False
    assert home["results"][1]["voice"] == {"pitch": 1}
    assert (home["total_passed"], home["total_failed"]) == (0, 2)


def test_foreign_data_in_our_slot_is_data() -> None:
    marked = {**CBL, slots.KEY: {"mine": 1}}
    assert same(through(marked, "cbl@4", "sandtable@1.1", "cbl@4"), marked)


def test_what_all_deltas_miss_is_caught_by_the_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    source = chain.stage(CBL, "cbl@4")
    crossed = chain.flow(source, "sandtable").stage()
    wrong = chain.stage({**CBL, "total_passed": 5, "more": []}, "cbl@4")
    caught = chain.completed(wrong, crossed)
    assert caught.slot is not None
    assert caught.slot.document is not None
    assert same(chain.home(caught).document(), wrong.document())


TAMPERED: dict[str, Any] = {
    "version": {"evalglot": 2, "from": "cbl@4", "to": "sandtable@1.1"},
    "no source": {"evalglot": 1, "to": "sandtable@1.1"},
    "unknown source": {"evalglot": 1, "from": "nix@1", "to": "sandtable@1.1"},
    "unknown version": {"evalglot": 1, "from": "cbl@9", "to": "sandtable@1.1"},
    "cases as list": {"evalglot": 1, "from": "cbl@4", "to": "sandtable@1.1", "cases": []},
    "unknown key": {"evalglot": 1, "from": "cbl@4", "to": "sandtable@1.1", "what": 1},
    "delta of another kind": {
        "evalglot": 1,
        "from": "cbl@4",
        "to": "sandtable@1.1",
        "run": {"x": 1},
    },
    "a record beyond all": {
        "evalglot": 1,
        "from": "cbl@4",
        "to": "sandtable@1.1",
        "lost": [{"at": 10**30, "record": {}}],
    },
    "text that is no JSON": {"evalglot": 1, "from": "cbl@4", "to": "sandtable@1.1", "run": "{"},
}


@pytest.mark.parametrize("slot", TAMPERED.values(), ids=TAMPERED.keys())
def test_a_tampered_carry_is_refused(slot: Any) -> None:
    there = through(CBL, "cbl@4", "sandtable@1.1")
    there[slots.KEY] = slot
    with pytest.raises(BadCarry):
        chain.convert(chain.stage(there, "sandtable@1.1"), "cbl")


def test_a_stage_knows_its_version() -> None:
    stage = chain.stage(CBL, "cbl@4")
    assert isinstance(stage, Stage)
    assert (stage.ref, replace(stage, version="3").ref) == ("cbl@4", "cbl@3")


def test_what_comes_home_is_checked_against_its_schema() -> None:
    there = through(CBL, "cbl@4", "sandtable@1.1")
    delta = there["tasks"][0]["trials"][0][slots.KEY]["delta"]
    next(entry for entry in delta["add"] if entry[1] == "test_result_id")[2] = "one"
    with pytest.raises(InvalidDocument, match="what comes home is not valid cbl@4"):
        chain.convert(chain.stage(there, "sandtable@1.1"), "cbl")


def test_a_bare_array_of_promptfoo_rows_comes_home_as_one() -> None:
    rows = [{"testIdx": 0, "promptIdx": 0, "success": True, "vars": {}, "score": 1}]
    there = chain.convert(chain.stage(rows, "promptfoo@3"), "sandtable")
    assert same(chain.convert(there, "promptfoo").document(), rows)


@pytest.mark.parametrize("target", ["cbl", "promptbeat", "promptbeat-judgment", "promptfoo"])
def test_totals_are_counted_anew_by_numbers_that_the_target_has_no_field_for(target: str) -> None:
    source = samples.staged(samples.FIXTURES / "sandtable/1.1/valid/typical.json")
    there = chain.convert(source, target)
    record = next(group.records[0] for group in there.parts.groups)
    flag = {"promptbeat-judgment": "Status", "promptfoo": "success"}.get(target, "passed")
    record[flag] = "failed" if flag == "Status" else False
    home = chain.convert(there, "sandtable").document()
    assert home["tasks"][0]["passes"] == 2
    assert home["passHat"] == {"1": 0.625, "2": pytest.approx(1 / 3), "3": 0.125, "4": 0.0}
    assert {tag["tag"]: tag["passHatK"] for tag in home["byTag"]}["booking"] == 0


@pytest.mark.parametrize("target", ["promptbeat", "sandtable"])
def test_an_edit_of_one_record_leaves_what_is_counted_of_others(target: str) -> None:
    source = samples.staged(samples.FIXTURES / "promptfoo/3/valid/typical.json")
    there = chain.convert(source, target)
    record = next(group.records[0] for group in there.parts.groups)
    record["provider" if target == "promptbeat" else "agent"] = "another:model"
    before = source.document()["results"]["prompts"]
    prompts = chain.convert(there, "promptfoo").document()["results"]["prompts"]
    labels = {one["provider"]: one["label"] for one in prompts}
    assert {one["provider"]: one["label"] for one in before}.items() <= labels.items()


VERDICTS = {
    "promptfoo/3": lambda home: home["results"]["stats"]["successes"] == 7,
    "sandtable/1.1": lambda home: home["tasks"][0]["passes"] == 3,
    "promptbeat/1": lambda home: (home["passed"], home["errors"]) == (3, 0),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_an_undecided_case_that_was_decided_comes_home_decided(name: str) -> None:
    source = samples.staged(samples.FIXTURES / name / "valid/everything.json")
    there = chain.convert(source, "cbl").document()
    undecided = (one for one in there["results"] if "facts" in one.get("x-evalglot", {}))
    next(undecided)["passed"] = True
    home = chain.convert(chain.stage(there, "cbl@4"), source.format).document()
    assert VERDICTS[name](home)


def test_a_check_that_was_edited_to_have_failed_comes_home_failed() -> None:
    source = samples.staged(samples.FIXTURES / "promptbeat/1/valid/typical.json")
    there = chain.convert(source, "promptfoo")
    there.parts.groups[2].records[0]["gradingResult"]["componentResults"][0]["pass"] = False
    home = chain.convert(there, "promptbeat").document()
    (before,), (after,) = (one["cases"][2]["assertions"] for one in (source.document(), home))
    assert after == {**before, "passed": False}


def test_a_group_that_only_a_formula_makes_does_not_come_with_an_edit() -> None:
    source = samples.staged(samples.FIXTURES / "promptbeat/1/valid/everything.json")
    there = chain.convert(source, "sandtable").document()
    there["tasks"][4]["trials"][0]["passed"] = False
    home = chain.convert(chain.stage(there, "sandtable@1.1"), "promptbeat").document()
    assert home["by_provider"] == source.document()["by_provider"]
