"""A closed schema says yes only where nothing is wrong and nothing unknown."""

from math import isfinite

import pytest

from registry import closing, validation
from registry.catalog import parse_ref
from registry.closing import Unsound, closed
from registry.drift import unknown_fields, unknown_record_fields
from registry.engine import judge
from registry.values import leaves
from tests.registry import samples
from tests.registry.test_validation import _replaced, _starred_leaves

FILES = samples.files("valid") + samples.files("invalid")
ODD = {"later": 1}


def _clean(ref, judging, value):
    """Is a part valid, and without unknown fields, by the slow way?"""
    if judging:
        return validation.record_check(ref)(value) and not unknown_record_fields(value, ref, "")
    return validation.is_valid(value, ref) and not unknown_fields(value, ref)


def _check(ref, judging, value):
    return (closing.record_check(ref) if judging else closing.document_check(ref))(value)


def _agree(quick, slow, value):
    """The quick answer is the slow one; where numbers are not finite, a quick no asks again."""
    numbers = (leaf for _, leaf in leaves(value) if type(leaf) is float)
    assert quick == slow or (slow and not all(map(isfinite, numbers)))


@pytest.mark.parametrize("path", FILES, ids=samples.name)
def test_closed_schema_agrees_with_validation_and_drift(path):
    ref = samples.ref_of(path)
    for _, judging, value in samples.parts(path):
        _agree(_check(ref, judging, value), _clean(ref, judging, value), value)


@pytest.mark.parametrize(
    "path", [one for ref in samples.REFS for one in samples.everything(ref)], ids=samples.name
)
def test_closed_schema_never_passes_what_is_wrong_or_unknown(path):
    ref = samples.ref_of(path)
    for _, judging, value in samples.parts(path):
        for place in _starred_leaves(value):
            for other in (ODD, [ODD], "x", None):
                with _replaced(value, place, other):
                    if _check(ref, judging, value):
                        assert _clean(ref, judging, value), (place, other)


@pytest.mark.parametrize("path", FILES, ids=samples.name)
def test_closed_envelope_agrees_with_the_whole(path):
    ref = samples.ref_of(path)
    for _, judging, value in samples.parts(path):
        if not judging and value is not samples.document(path):
            _agree(closing.envelope_check(ref)(value), _clean(ref, "", value), value)


def test_objects_that_name_no_fields_or_say_what_others_are_stay_as_they_are():
    schema = {
        "properties": {
            "properties": {"type": "object"},
            "map": {"properties": {"a": {}}, "additionalProperties": {"type": "integer"}},
            "const": {"const": {"properties": {}}},
        }
    }
    keeps = judge(closed(schema))
    assert keeps({"properties": {"any": 1}, "map": {"a": "x", "b": 1}})
    assert keeps({"const": {"properties": {}}})
    assert not keeps({"later": 1})


def test_closing_is_refused_where_less_would_be_more():
    with pytest.raises(Unsound):
        closed({"properties": {"a": {"oneOf": [{}]}}})


@pytest.mark.parametrize("ref", samples.REFS)
def test_every_schema_of_the_registry_can_be_closed(ref):
    assert closed(parse_ref(ref).schema)
