"""Every sample file is what its folder says it is; adding a file adds tests."""

import json

import pytest

from registry import detection, validation
from registry.catalog import parse_ref
from registry.drift import unknown_fields
from registry.engine import judge, part
from registry.explanation import explain
from registry.gate import dump
from tests.registry import samples
from tests.registry.typed import documented, typed

VALID = samples.files("valid")
EVERYTHING = [path for ref in samples.REFS for path in samples.everything(ref)]
INVALID = samples.files("invalid")


def _problems(path):
    ref, found = samples.ref_of(path), samples.document(path)
    if samples.is_lines(path):
        return list(validation.stream_problems(None, found, ref, ()))
    return validation.problems(found, ref)


@pytest.mark.parametrize("path", VALID, ids=samples.name)
def test_valid_file_keeps_to_its_schema(path):
    assert _problems(path) == []


@pytest.mark.parametrize("path", VALID, ids=samples.name)
def test_valid_file_is_detected_from_its_bytes(path):
    lines = samples.is_lines(path)
    assert detection.detect_bytes(samples.data(path), lines=lines).ref == samples.ref_of(path)


@pytest.mark.parametrize("path", VALID, ids=samples.name)
def test_valid_document_is_detected_in_memory(path):
    found = detection.detect_document(samples.document(path), lines=samples.is_lines(path))
    assert found.ref == samples.ref_of(path)


@pytest.mark.parametrize("path", INVALID, ids=samples.name)
def test_invalid_file_has_the_expected_fault(path):
    expected = json.loads(path.with_name(f"{path.stem}.expect.json").read_bytes())
    found = [(problem.pointer, problem.keyword) for problem in _problems(path)]
    assert (expected["pointer"], expected["keyword"]) in found


@pytest.mark.parametrize("path", VALID + INVALID, ids=samples.name)
def test_parts_are_judged_as_the_whole_is(path):
    ref = samples.ref_of(path)
    schema = parse_ref(ref).schema
    in_parts = [
        problem
        for place, judging, value in samples.parts(path)
        for problem in explain(part(schema, judging), value, place)
    ]
    assert sorted(map(str, in_parts)) == sorted(map(str, _problems(path)))


@pytest.mark.parametrize("ref", samples.REFS)
def test_version_has_the_usual_files(ref):
    valid = {path.stem for path in samples.folder(ref, "valid").glob("*.*")}
    assert {"smallest", "typical", "everything"} <= valid
    assert list(samples.folder(ref, "invalid").glob("*.expect.json"))


@pytest.mark.parametrize("id_", sorted({version.format for version in samples.VERSIONS}))
def test_format_says_where_its_files_are_from(id_):
    assert (samples.FIXTURES / id_ / "README.md").read_text().strip()


@pytest.mark.parametrize("ref", samples.REFS)
def test_everything_has_every_documented_field(ref):
    schema, (_, *alternatives) = parse_ref(ref).schema, parse_ref(ref).containers
    present = {f"/properties{place}" for place in alternatives}  # a file has one container
    present |= {
        place
        for path in samples.everything(ref)
        for field in typed(schema, samples.document(path))
        for place in field.documented
    }
    assert set(documented(schema)) - present == set()


@pytest.mark.parametrize("path", EVERYTHING, ids=samples.name)
def test_everything_has_no_unknown_field(path):
    assert unknown_fields(samples.document(path), samples.ref_of(path)) == []


@pytest.mark.parametrize("path", EVERYTHING, ids=samples.name)
def test_field_of_another_type_is_refused(path):
    schema = parse_ref(samples.ref_of(path)).schema
    whole = samples.document(path)
    accepted = []
    keeps = judge(schema)
    for field in list(typed(schema, whole)):
        for other in field.others():
            with field.replaced(other):
                if keeps(whole):
                    accepted.append((field.pointer, dump(other)))
    assert accepted == []
