"""Yes or no by one engine, all faults by the other, and one message for them."""

import itertools
from contextlib import contextmanager
from functools import cache

import pytest
from jsonschema import Draft7Validator
from referencing import Registry

from evalglot.testing.fields import KINDS
from registry import engine, validation
from registry.catalog import parse_ref
from registry.drift import unknown_fields, unknown_record_fields
from registry.engine import FetchRefused
from registry.errors import InvalidDocument
from registry.explanation import SHOWN, Problem, explain, refusal
from registry.gate import load
from registry.limits import MAX_DEPTH
from registry.values import at, leaves, same, unescape
from tests.registry import samples

ROW = {
    "test_result_id": 1,
    "iteration": 0,
    "user_input": "hi",
    "conversation_id": 4,
    "model_response": "yo",
    "safe_response_score": 0.3,
    "passed": False,
    "test_case_id": 3,
}
OTHERS = [*KINDS.values(), 0, 1.0, -1, False, "", [None], {"a": None}, float("nan"), 10**400]
JUDGES = [engine.judge, engine.plain_judge]


def _cbl(*rows, **changed):
    run = {"evaluation_id": 7, "total_passed": 1, "total_failed": 0, "results": list(rows)}
    return run | changed


def _schema(**said):
    return {"$schema": "http://json-schema.org/draft-07/schema#", **said}


def _starred_leaves(value):
    """One leaf of each kind of place."""
    by_kind = {}
    for place, _ in leaves(value):
        by_kind.setdefault(samples.starred(place), place)
    return [place for place in by_kind.values() if place]


@contextmanager
def _replaced(value, place, leaf):
    parent, _, key = place.rpartition("/")
    holder = at(value, parent)
    key = int(key) if isinstance(holder, list) else unescape(key)
    kept, holder[key] = holder[key], leaf
    yield
    holder[key] = kept


@cache
def _verdicts(ref, judging):
    """Each engine's yes or no, for one part of a schema."""
    part = engine.part(parse_ref(ref).schema, judging)
    engines = [
        Draft7Validator(part, registry=Registry()).is_valid,
        *(make(part) for make in JUDGES),
    ]
    return lambda value: {keeps(value) for keeps in engines}


@pytest.mark.parametrize(
    "path", samples.files("valid") + samples.files("invalid"), ids=samples.name
)
def test_engines_agree_on_every_fixture(path):
    for _, judging, value in samples.parts(path):
        assert len(_verdicts(samples.ref_of(path), judging)(value)) == 1


@pytest.mark.parametrize(
    "path", samples.files("valid") + samples.files("invalid"), ids=samples.name
)
def test_envelope_is_judged_alike_without_the_schema_of_its_records(path):
    ref = samples.ref_of(path)
    for _, judging, value in samples.parts(path):
        if not judging and value is not samples.document(path):
            assert validation.envelope_check(ref)(value) == validation.is_valid(value, ref)


@pytest.mark.parametrize("ref", samples.REFS)
def test_what_is_left_out_for_an_envelope_is_the_schema_of_records(ref):
    version = parse_ref(ref)
    record = {"$ref": f"#/definitions/{version.shelf.record}"}
    for place in version.containers:
        assert validation._array(version.schema, place).get("items", record) == record


@pytest.mark.parametrize(
    "path", [one for ref in samples.REFS for one in samples.everything(ref)], ids=samples.name
)
def test_engines_agree_on_every_single_leaf_mutation(path):
    others = itertools.cycle(OTHERS)
    seen = set()
    for _, judging, value in samples.parts(path):
        verdicts = _verdicts(samples.ref_of(path), judging)
        for place in _starred_leaves(value):
            if (judging, samples.starred(place)) in seen:
                continue
            seen.add((judging, samples.starred(place)))
            for other in itertools.islice(others, 2):
                with _replaced(value, place, other):
                    assert len(verdicts(value)) == 1, (place, other)


@pytest.mark.parametrize("make", JUDGES)
@pytest.mark.parametrize(
    ("value", "verdict"),
    [(1, True), (1.0, True), (10**400, True), (1.5, False), (True, False), (1e300, True)],
)
def test_integer_is_a_number_without_fraction(make, value, verdict):
    schema = _schema(type="integer")
    assert make(schema)(value) is verdict
    assert (not explain(schema, value)) is verdict


@pytest.mark.parametrize("make", JUDGES)
@pytest.mark.parametrize("uri", ["http://127.0.0.1:9/a", "https://x.invalid/a", "file:///a", "a:b"])
def test_nothing_is_fetched(make, uri):
    with pytest.raises(FetchRefused):
        make(_schema(**{"$ref": uri}))


@pytest.mark.parametrize("make", JUDGES)
def test_document_is_not_changed_by_judging(make):
    value = {"a": {}}
    schema = _schema(properties={"a": {"properties": {"b": {"default": 1}}}, "c": {"default": 2}})
    assert make(schema)(value)
    assert same(value, {"a": {}})


def test_format_asserts_nothing():
    schema = _schema(type="string", format="date-time")
    assert [make(schema)("no date") for make in JUDGES] == [True, True]
    assert explain(schema, "no date") == []


def test_valid_document_has_no_problem():
    assert validation.is_valid(_cbl(ROW), "cbl@4")
    assert validation.problems(_cbl(ROW), "cbl@4") == []
    validation.check(_cbl(ROW), "cbl@4")


def test_problem_says_where_what_was_found_and_what_was_expected():
    assert validation.problems(_cbl(ROW, ROW | {"passed": "no"}), "cbl@4") == [
        Problem("/results/1/passed", "type", "'no'", "boolean")
    ]


def test_every_missing_field_is_named():
    row = {key: value for key, value in ROW.items() if key not in ("passed", "user_input")}
    found = {problem.found for problem in validation.problems(_cbl(row), "cbl@4")}
    assert found == {"no 'passed'", "no 'user_input'"}


def test_one_fault_stands_at_its_place_in_the_message():
    with pytest.raises(InvalidDocument) as caught:
        validation.check(_cbl(ROW | {"passed": 0}), "cbl@4", file="run.json")
    assert caught.value == InvalidDocument(
        found="this is not valid cbl@4: found 0, expected boolean",
        hint="Mend the file, or name the version that it has with --from.",
        file="run.json",
        pointer="/results/0/passed",
    )


def test_faults_of_one_kind_are_counted_and_all_kinds_are_told():
    rows = [ROW | {"passed": "no"} for _ in range(1212)]
    with pytest.raises(InvalidDocument) as caught:
        validation.check(_cbl(*rows, total_passed="x"), "cbl@4")
    assert caught.value.found.splitlines() == [
        "this is not valid cbl@4: ",
        "  /total_passed: found 'x', expected integer",
        "  /results/0/passed: found 'no', expected boolean (… and 1,211 more like it)",
    ]


def test_message_stays_short_however_many_kinds_and_however_long_the_values():
    problems = [Problem(f"/a{number}", "type", "'x'", "integer") for number in range(SHOWN + 1234)]
    lines = str(refusal(problems, "cbl@4")).splitlines()
    assert len(lines) == SHOWN + 2
    assert "… and 1,234 other kinds of faults" in lines[-1]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("\x1b[31m" + "x" * 10**6, r"'\x1b[31m" + "x" * 48 + "..."),
        ("\ud83d", r"'\ud83d'"),
        ({"a": 1}, "an object with 1 field"),
        ({}, "an empty object"),
        ([1, 2], "a list of 2 entries"),
        (None, "null"),
        (True, "true"),
        (float("nan"), "nan"),
        (10**400, "1" + "0" * 56 + "..."),
    ],
)
def test_found_value_is_shown_short_and_harmless(value, told):
    (problem,) = explain(_schema(enum=["z"]), value)
    assert problem.found == told


def test_union_is_explained_by_the_branch_whose_discriminator_matches():
    kinds = [
        {
            "type": "object",
            "required": ["kind", "x", "y"],
            "properties": {"kind": {"const": "a"}, "x": {"type": "string"}},
        },
        {
            "type": "object",
            "required": ["kind"],
            "properties": {"kind": {"const": "b"}, "x": {"type": "integer"}},
        },
    ]
    found = explain(_schema(oneOf=kinds), {"kind": "a", "x": 1})
    assert {(one.pointer, one.keyword) for one in found} == {("", "required"), ("/x", "type")}


EVENT = {"type": "agent", "text": "hi"}
TURN = {"role": "user", "content": "hi"}
SINGLE = {key: value for key, value in ROW.items() if key != "test_case_id"}
MULTI = {
    "test_result_id": 1,
    "min_safe_response_score": 0.3,
    "conversation_id": 4,
    "conversation": [TURN],
    "passed": True,
}


def _without(value, *keys):
    return {key: item for key, item in value.items() if key not in keys}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (_without(SINGLE, "user_input"), [("", "required", "no 'user_input'")]),
        (_without(MULTI, "conversation_id"), [("", "required", "no 'conversation_id'")]),
        (MULTI | {"conversation": "hi"}, [("/conversation", "type", "'hi'")]),
        (
            MULTI | {"conversation": [TURN, TURN | {"role": "tool"}]},
            [("/conversation/1/role", "enum", "'tool'")],
        ),
        (
            MULTI | {"passed": 1, "conversation": [{}]},
            [
                ("/conversation/0", "required", "no 'role'"),
                ("/conversation/0", "required", "no 'content'"),
                ("/passed", "type", "1"),
            ],
        ),
        (3, [("", "type", "3")]),
    ],
)
def test_result_of_cbl_is_explained_as_the_kind_it_was_meant_to_be(row, told):
    found = validation.record_problems(row, "cbl@4", "")
    assert sorted((one.pointer, one.keyword, one.found) for one in found) == sorted(told)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (EVENT | {"text": 3}, [("/text", "type", "3")]),
        ({"type": "agent"}, [("", "required", "no 'text'")]),
        ({"type": "robot", "text": 3}, [("/type", "enum", "'robot'")]),
        ("hi", [("", "type", "'hi'")]),
    ],
)
def test_event_of_sandtable_is_explained_as_the_kind_it_says_it_is(event, told):
    schema = engine.part(parse_ref("sandtable@1.1").schema, "/definitions/event")
    assert [(one.pointer, one.keyword, one.found) for one in explain(schema, event)] == told


def test_fields_of_which_one_is_needed_are_told_together():
    item = {"ScenarioID": "s", "SeedID": "1", "CasePrompt": "Hi", "Passed": True}
    found = validation.record_problems(item, "promptbeat-judgment@1", "/0")
    assert found == [Problem("/0", "required", "none of 'Status', 'status'", "one of these fields")]


def test_word_that_no_branch_knows_is_told_with_all_that_are_known():
    branches = [
        {"properties": {"kind": {"const": "a"}}},
        {"properties": {"kind": {"enum": ["b", 1]}}},
    ]
    found = explain(_schema(anyOf=branches), {"kind": "x"})
    assert found == [Problem("/kind", "enum", "'x'", "one of 'a', 'b', 1")]


def test_union_of_which_no_branch_has_the_type_names_all_types():
    schema = _schema(anyOf=[{"type": "string"}, {"type": "object"}])
    assert explain(schema, 3) == [Problem("", "type", "3", "string or object")]


def test_value_that_fits_two_exclusive_forms_is_explained():
    schema = _schema(oneOf=[{"type": "string"}, {"minLength": 1}])
    assert explain(schema, "a") == [Problem("", "oneOf", "'a'", "exactly one of 2 forms")]


def test_deepest_document_is_judged_and_explained():
    inner = b'{"pass": true, "score": 1, "reason": "", "componentResults": ['
    levels = MAX_DEPTH // 2 - 3
    grading = load(inner * levels + b'{"pass": 3}' + b"]}" * levels)
    row = load(samples.folder("promptfoo@3", "valid").joinpath("smallest-row.jsonl").read_bytes())
    found = validation.record_problems(row | {"gradingResult": grading}, "promptfoo@3", "/0")
    assert any(problem.pointer.endswith("/componentResults/0/pass") for problem in found)


def test_streamed_document_has_the_same_problems():
    bad = ROW | {"passed": "no"}
    whole = validation.problems(_cbl(ROW, bad, total_passed="x"), "cbl@4")
    envelope = _cbl(total_passed="x")
    assert [*validation.stream_problems(envelope, [ROW, bad], "cbl@4", ["results"])] == whole


def test_record_checker_places_the_fault_in_the_whole_document():
    check = validation.record_checker("cbl@4", ["results"], "run.json")
    check(ROW, 0)
    with pytest.raises(InvalidDocument) as caught:
        check(ROW | {"passed": None}, 1999)
    assert (caught.value.pointer, caught.value.file) == ("/results/1999/passed", "run.json")


def test_unknown_field_is_named_with_its_place():
    row = ROW | {"a/b": {"c": 1}}
    assert unknown_fields(_cbl(row, later=1), "cbl@4") == ["/results/0/a~1b", "/later"]
    assert unknown_record_fields(row, "cbl@4", "/results/5") == ["/results/5/a~1b"]


def test_slot_is_no_unknown_field():
    row = ROW | {"x-evalglot": {"anything": 1}}
    assert unknown_fields(_cbl(row) | {"x-evalglot": {"any": 2}}, "cbl@4") == []


@pytest.mark.parametrize("value", [None, 3, [], [3], "x", {"results": 3}])
def test_invalid_document_has_unknown_fields_at_most_where_fields_are_known(value):
    assert unknown_fields(value, "cbl@4") == []
