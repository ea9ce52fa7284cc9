"""Every sample file is what its folder says it is; adding a file adds tests."""

import pytest

from evalglot.testing import laws
from registry.catalog import parse_ref
from registry.engine import part
from registry.explanation import explain
from tests.registry import samples

VALID = samples.files("valid")
EVERYTHING = [path for ref in samples.REFS for path in samples.everything(ref)]
INVALID = samples.files("invalid")


@pytest.mark.parametrize("path", VALID, ids=samples.name)
def test_valid_file_keeps_to_its_schema_and_is_detected(path):
    laws.is_valid_and_told(path)


@pytest.mark.parametrize("path", INVALID, ids=samples.name)
def test_invalid_file_has_the_expected_fault(path):
    laws.is_refused_as_expected(path)


@pytest.mark.parametrize("path", VALID + INVALID, ids=samples.name)
def test_parts_are_judged_as_the_whole_is(path):
    ref = samples.ref_of(path)
    schema = parse_ref(ref).schema
    in_parts = [
        problem
        for place, judging, value in samples.parts(path)
        for problem in explain(part(schema, judging), value, place)
    ]
    assert sorted(map(str, in_parts)) == sorted(map(str, laws.problems(path)))


@pytest.mark.parametrize("ref", samples.REFS)
def test_version_has_the_usual_files(ref):
    laws.has_the_usual_samples(samples.FIXTURES, ref)


@pytest.mark.parametrize("ref", samples.REFS)
def test_everything_has_every_documented_field_and_no_unknown_one(ref):
    laws.everything_has_every_field(ref, samples.everything(ref))


@pytest.mark.parametrize("path", EVERYTHING, ids=samples.name)
def test_field_of_another_type_is_refused(path):
    laws.another_type_is_refused(path)
