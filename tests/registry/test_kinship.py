"""Strangers that have a telling field by chance are told from files that changed."""

import pytest

from registry.catalog import catalog, parse_ref
from registry.kinship import is_stranger, likeness, nearest
from tests.registry import samples

SMALL = {"items-as-object", "no-results", "test-without-attributes"}
"""Files of less than three fields: nobody can tell what they are."""


@pytest.mark.parametrize(
    "path",
    [path for path in samples.files("invalid") if path.stem not in SMALL],
    ids=samples.name,
)
def test_invalid_file_is_no_stranger_to_its_version(path):
    assert not is_stranger(parse_ref(samples.ref_of(path)), samples.document(path))


@pytest.mark.parametrize(
    ("ref", "document"),
    [
        ("cbl@2", {"type": "charge", "data": {"object": {"id": 1}}, "id": "x", "created": 1}),
        ("cbl@2", {"type": "module", "data": {}}),
        ("promptbeat-judgment@1", {"results": [{"status": "ok", "name": "x"}]}),
        ("promptbeat-judgment@1", {"items": [{"status": "a", "id": 1, "title": "b"}], "total": 1}),
        ("sandtable@1.0", {"version": 1, "tasks": [{"label": "build"}], "k": 1, "runId": 3}),
    ],
)
def test_stranger_has_little_but_the_telling_fields(ref, document):
    assert is_stranger(parse_ref(ref), document)


@pytest.mark.parametrize(
    ("ref", "field"),
    [
        ("cbl@4", "evaluation_id"),
        ("promptbeat@1", "eval_id"),
        ("promptbeat@1", "pass_rate"),
        ("sandtable@1.0", "runId"),
        ("sandtable@1.0", "version"),
    ],
)
def test_file_whose_telling_field_was_renamed_is_near_its_version(ref, field):
    document = dict(samples.document(samples.folder(ref, "valid") / "typical.json"))
    document["renamed"] = document.pop(field)
    near = nearest(document)
    assert near is not None
    assert near.format == parse_ref(ref).format


@pytest.mark.parametrize(
    ("ref", "place"),
    [
        ("cbl@1", "object"),
        ("cbl@2", "data"),
        ("cbl@2", "type"),
        ("cbl@3", "failed_results"),
        ("promptfoo@2", "results"),
        ("promptfoo@3", "results"),
        ("ctrf@0", "results"),
    ],
)
@pytest.mark.parametrize("name", ["renamed", "Renamed-Again", "x"])
def test_file_whose_container_was_renamed_is_near_its_version(ref, place, name):
    document = dict(_typical(ref))
    document[name] = document.pop(place)
    near = nearest(document)
    assert near is not None
    assert near.format == parse_ref(ref).format


def _upper(value):
    if isinstance(value, dict):
        return {key.upper(): _upper(one) for key, one in value.items()}
    return [_upper(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("ref", ["cbl@4", "promptbeat@1", "sandtable@1.1", "promptfoo@3", "ctrf@0"])
@pytest.mark.parametrize(
    "changed",
    [lambda document: {"data": document}, lambda document: [document], _upper],
    ids=["wrapped", "listed", "upper-case"],
)
def test_file_that_was_wrapped_or_respelled_is_near_its_version(ref, changed):
    near = nearest(changed(_typical(ref)))
    assert near is not None
    assert near.format == parse_ref(ref).format


def _typical(ref):
    return samples.document(samples.folder(ref, "valid") / "typical.json")


@pytest.mark.parametrize("version", catalog().versions, ids=lambda version: version.ref)
def test_schema_that_names_the_fields_of_a_file_is_none(version):
    assert nearest(version.schema) is None


@pytest.mark.parametrize(
    "document", [None, 3, "x", [], {}, [1], {"a": {"b": []}}, {"name": "x", "version": "1.0.0"}]
)
def test_anything_else_is_near_nothing(document):
    assert nearest(document) is None


@pytest.mark.parametrize("path", samples.files("valid"), ids=samples.name)
def test_valid_file_is_like_its_version(path):
    if "smallest" not in path.stem:
        assert likeness(parse_ref(samples.ref_of(path)), samples.document(path)) > 0.8
