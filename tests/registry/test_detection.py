"""Which version a document has, from its content; the fixtures are in test_fixtures."""

import json

import pytest

from registry import heading
from registry.detection import accepted, detect, detect_bytes, detect_document, look
from registry.errors import NotJson, UnknownFormat, UnknownVersion
from registry.gate import dump, load
from registry.values import at, pointer, same
from tests.registry import samples

CASE = {"Status": "PASS", "ScenarioID": "a", "SeedID": 1}
CBL = {"evaluation_id": 1, "total_passed": 1, "total_failed": 0}
SANDTABLE = {"runId": "r", "k": 1, "version": 1, "tasks": []}
FOO = {"results": {"version": 3, "results": []}}

KNOWN = [
    ({"type": "single_turn", "object": {"failed_results": []}}, "cbl@1"),
    ({"type": "single_turn", "data": {"failed_results": []}}, "cbl@2"),
    ({"total_passed": 1, "total_failed": 0, "failed_results": []}, "cbl@3"),
    ({**CBL, "failed_results": []}, "cbl@3.1"),
    ({**CBL, "results": []}, "cbl@4"),
    (CBL, "cbl@4"),
    (SANDTABLE, "sandtable@1.0"),
    ({**SANDTABLE, "sandtable": "1.1.0"}, "sandtable@1.1"),
    ({**SANDTABLE, "tasks": [{"id": "t", "critical": True}]}, "sandtable@1.1"),
    (FOO, "promptfoo@3"),
    ({"results": {"version": 2, "results": []}}, "promptfoo@2"),
    ([CASE], "promptbeat-judgment@1"),
    ({"Results": [CASE]}, "promptbeat-judgment@1"),
]


@pytest.mark.parametrize(("document", "ref"), KNOWN)
def test_document_tells_its_version(document, ref):
    assert detect_document(document).ref == ref
    assert detect_bytes(dump(document)).ref == ref


@pytest.mark.parametrize("document", [[], {}, {"results": []}, {"items": []}])
def test_document_with_nothing_in_it_is_refused(document):
    with pytest.raises(UnknownFormat, match="nothing in it tells its format") as caught:
        detect_document(document)
    assert "--from" in caught.value.hint


@pytest.mark.parametrize("document", [None, 3, "text", [1], [[]], {"a": 1}, {"results": 3}])
def test_other_json_is_refused(document):
    with pytest.raises(UnknownFormat, match="no registered format fits"):
        detect_document(document)


def test_refusal_says_what_is_missing_for_formats_that_have_something_in_common():
    with pytest.raises(UnknownFormat) as caught:
        detect_document({"k": 3, "evaluation_id": "e"})
    assert "fits: a file of cbl@4 has " in caught.value.found
    assert "promptfoo" not in caught.value.found


def test_refusal_gives_the_reason_of_the_nearest_version():
    with pytest.raises(UnknownFormat, match=r"a file of sandtable@1\.0 has /runId"):
        detect_document({"k": 1, "version": 1, "tasks": []})


@pytest.mark.parametrize(
    ("document", "newest"),
    [
        ({**SANDTABLE, "version": 2}, "sandtable@1.1"),
        ({**SANDTABLE, "version": 2, "sandtable": "2.0"}, "sandtable@1.1"),
        ({"results": {"version": 4, "results": []}}, "promptfoo@3"),
    ],
)
def test_newer_document_is_refused_with_the_newest_known(document, newest):
    with pytest.raises(UnknownVersion, match=f"newest known version {newest}"):
        detect_document(document)


@pytest.mark.parametrize("version", [True, 4.5, "4", 10**400])
def test_odd_number_of_a_version_is_refused(version):
    with pytest.raises((UnknownFormat, UnknownVersion)):
        detect_document({"results": {"version": version, "results": []}})


def test_tie_is_settled_by_the_schemas():
    both = {**CBL, "results": [], "eval_id": "e", "status": "x", "total_cases": 1, "pass_rate": 1}
    assert detect_document(both).ref == "cbl@4"


def test_tie_that_schemas_do_not_settle_is_refused_with_all_that_fit():
    both = {**CBL, "results": [], **SANDTABLE, "total_passed": "?", "k": "?"}
    with pytest.raises(UnknownFormat, match=r"several formats fit: cbl@4, sandtable@1\.0"):
        detect_document(both)


def test_envelope_and_first_record_are_enough():
    assert detect({"Items": []}, CASE).ref == "promptbeat-judgment@1"
    assert detect([], CASE).ref == "promptbeat-judgment@1"


def test_lines_are_told_by_their_first_record():
    lines = dump(CASE) + b"\n" + dump(CASE) + b"\n"
    assert detect_bytes(lines, lines=True).ref == "promptbeat-judgment@1"
    assert detect(None, CASE, lines=True).ref == "promptbeat-judgment@1"
    assert detect_document([CASE, CASE], lines=True).ref == "promptbeat-judgment@1"


@pytest.mark.parametrize("lines", [b"", b"\n", b"{}\n"])
def test_lines_that_tell_nothing_are_refused(lines):
    with pytest.raises(UnknownFormat):
        detect_bytes(lines, lines=True)


def test_converted_file_states_its_version():
    carried = {**CBL, "results": [], "x-evalglot": {"evalglot": 1, "to": "cbl@4"}}
    assert detect_document({**carried, **SANDTABLE}).ref == "cbl@4"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encoding_does_not_matter(encoding):
    assert detect_bytes(json.dumps(CBL).encode(encoding)).ref == "cbl@4"


def test_lone_surrogate_does_not_matter():
    assert detect_bytes(dump({**CBL, "results": [{"user_input": "\ud83d"}]})).ref == "cbl@4"


@pytest.mark.parametrize("data", [b"", b"{", b'{"results": [1,', b"\xff\xfe", b"nothing"])
def test_what_is_not_json_is_refused_by_the_gate(data):
    with pytest.raises(NotJson):
        detect_bytes(data)


def test_error_names_the_file():
    with pytest.raises(UnknownFormat, match=r"^run\.json: "):
        detect_bytes(b"{}", file="run.json")


FILES = [path for path in samples.FIXTURES.rglob("*.json") if "valid" in path.parts]


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(path.parts[-4:]))
def test_a_look_finds_what_the_whole_file_tells_and_where_its_records_are(path):
    data = path.read_bytes()
    found = look(data)
    assert found.version == detect_bytes(data)
    if found.records is not None:
        document = load(data, nonfinite=accepted(found.version, "reject"))
        held = at(document, pointer(found.records.path))
        assert same(list(found.records), held)


CASES = [{"case_id": "1", "content": "c", "passed": True}]
BEAT = {"eval_id": "e", "status": "completed", "total_cases": 1, "pass_rate": 1.0}
TASKS = {"runId": "r", "k": 1, "version": 1, "tasks": [{"id": "t"}]}
RESULT = {"total_passed": 1, "total_failed": 0, "results": [{"x": 1}]}


@pytest.mark.parametrize(
    ("document", "ref", "quick"),
    [
        ({**BEAT, "cases": CASES}, "promptbeat@1", True),
        ({"cases": CASES, **BEAT}, "promptbeat@1", False),
        ({**RESULT, "evaluation_id": 1}, "cbl@4", False),
        ({"evaluation_id": 1, **RESULT}, "cbl@4", True),
        ({"evaluation_id": 1, **RESULT, "failed_results": []}, "cbl@3.1", False),
        ({**TASKS, "x": 1}, "sandtable@1.0", True),
        ({**TASKS, "sandtable": "1"}, "sandtable@1.1", False),
        ([CASE, CASE], "promptbeat-judgment@1", True),
    ],
)
def test_what_comes_after_the_first_record_is_heard(document, ref, quick):
    found = look(dump(document))
    assert found.version.ref == ref
    assert (found.records is not None) == quick


def test_a_head_that_ends_within_the_first_record_tells_nothing():
    long = [{**CASES[0], "content": "c" * heading.HEAD_BYTES}]
    for document in ({**BEAT, "cases": long}, {"x": "x" * heading.HEAD_BYTES, **BEAT}):
        assert heading.head(dump(document), [("cases",)]) is None
        assert look(dump({**document, "cases": CASES})).version.ref == "promptbeat@1"


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b'{"cases": [', b"[", b'{"cases" [1]}', b"{1: [2]}", b"nul", b"[" * 60_000],
    ids=range(8),
)
def test_a_head_that_is_no_json_tells_nothing(text):
    assert heading.head(text, [(), ("cases",)]) is None
