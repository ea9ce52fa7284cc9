"""Slices say the same as reading the whole file, record by record, and the same about errors."""

import json
import mmap
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry import slices
from registry.errors import NotJson
from registry.gate import dump, load, load_lines
from registry.slices import index, index_lines
from registry.values import same
from tests.registry.awkward import spellings, values

PATH = ("results", "a/b~c")


def refusal(call):
    with pytest.raises(NotJson) as caught:
        call()
    return caught.value


def wrapped(records):
    return {"v": 1, "results": {"x": [], "a/b~c": records, "y": {"z": "}]"}}, "end": None}


def sliced(found):
    """Were the records cut from the file itself, not read whole and written again?"""
    return all(bytes(record) in bytes(found.source) for record in found.records)


@given(st.lists(values(), max_size=3))
def test_records_and_envelope_are_what_the_whole_file_holds(records):
    for text in spellings(wrapped(records)):
        found = index(text.encode("utf-8", "backslashreplace"), PATH)
        assert found.found
        assert same(list(found), records)
        assert same(found.envelope, wrapped([]))


@pytest.mark.parametrize("near", [1, 7, 20, 40, 80])
@given(records=st.lists(values(), max_size=3))
def test_guessing_from_the_ends_of_a_file_is_proven(near, records):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "NEAR", near)
        for text in spellings(wrapped(records)):
            found = index(text.encode("utf-8", "backslashreplace"), PATH)
            assert same(list(found), records)
            assert same(found.envelope, wrapped([]))


@pytest.mark.parametrize(
    "text",
    [
        '{"results": {"a/b~c": [1], "x": [2]}}',
        '{"results": {"x": [[1]], "a/b~c": [2]}}',
        '{"results": {"x": {"a/b~c": [1]}, "a/b~c": [2]}}',
        '{"results": {"a/b~c": [1]}, "y": {"a/b~c": [2]}}',
        '{"results": {"a/b~c": ["]}}"], "x": "[\\"a/b~c\\": ["}}',
        '{"results": {"a/b~c": [{"a/b~c": [3]}]}}',
    ],
)
@pytest.mark.parametrize("near", [5, 12, 16, 18, 20])
def test_another_list_is_not_taken_for_the_records(text, near, monkeypatch):
    monkeypatch.setattr(slices, "NEAR", near)
    document = json.loads(text)
    found = index(text.encode(), PATH)
    assert same(list(found), document["results"]["a/b~c"])
    document["results"]["a/b~c"] = []
    assert same(found.envelope, document)


def test_a_list_written_twice_is_refused_however_it_was_found(monkeypatch):
    monkeypatch.setattr(slices, "NEAR", 16)
    error = refusal(lambda: index(b'{"results": {"a/b~c": [1], "a/b~c": [2]}}', PATH))
    assert "a second time" in error.found


@given(st.lists(values(), max_size=3))
def test_the_document_itself_can_be_the_array(records):
    found = index(b" " + dump(records), ())
    assert found.found
    assert len(found) == len(records)
    assert same(list(found), records)
    assert same(found.envelope, [])


@given(st.lists(values(), max_size=3))
def test_lines_are_records(records):
    data = b"\n\r\n".join(dump(record) for record in records)
    found = index_lines(data)
    assert same(list(found), records)
    assert same(list(found), load_lines(data))
    assert found.envelope is None


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"a": 1}', ("b",)),
        ('{"a": {}}', ("a",)),
        ('{"a": null}', ("a", "b")),
        ('{"a": {"c": []}}', ("a", "b")),
        ("[1, 2]", ("a",)),
        ('{"a": []}', ()),
        ("7", ()),
        ("{}", ("a",)),
        ('{"a": "[]"}', ("a",)),
    ],
)
def test_without_an_array_the_envelope_is_the_whole_document(text, path):
    found = index(text.encode(), path)
    assert not found.found
    assert len(found) == 0
    assert same(found.envelope, json.loads(text))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_every_encoding_is_cut_into_slices(encoding):
    found = index('{"é": 1, "cases": [ "😀" , {"a" : 2} ]}'.encode(encoding), ("cases",))
    assert same(list(found), ["😀", {"a": 2}])
    assert sliced(found)


def test_keys_may_be_spelled_with_escapes():
    found = index(rb'{"a\"\\": [0], "\u0063ases": [1, 2], "z": 3}', ("cases",))
    assert same(list(found), [1, 2])
    assert same(found.envelope, {'a"\\': [0], "cases": [], "z": 3})
    assert sliced(found)


def test_a_mapped_file_is_cut_without_copying(tmp_path):
    path = tmp_path / "run.json"
    path.write_bytes(b'{"cases": [1, {"b": 2}], "n": 2}')
    with path.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found = index(data, ("cases",))
        assert same(list(found), [1, {"b": 2}])
        assert same(found.envelope, {"cases": [], "n": 2})
        del found


def test_each_time_a_record_is_decoded_anew():
    found = index(b'{"cases": [{"a": []}]}', ("cases",))
    found.record(0)["a"].append(1)
    assert same(found.record(0), {"a": []})


def test_files_that_the_fast_pass_refuses_are_cut_by_the_slow_one():
    text = rb'{"cases": [{"a": NaN}, ["\ud83d"]], "rate": Infinity}'
    found = index(text, ("cases",), nonfinite="keep")
    assert same(list(found), [{"a": float("nan")}, ["\ud83d"]])
    assert same(found.envelope, {"cases": [], "rate": float("inf")})
    assert same(list(index(text, ("cases",), nonfinite="null")), [{"a": None}, ["\ud83d"]])
    error = refusal(lambda: index(text, ("cases",), file="f"))
    assert (error.file, error.line, error.column, error.pointer) == ("f", 1, 18, "/cases/0/a")


@pytest.mark.parametrize(
    "record",
    ['{"a":1,"a":2}', '{"b": ["é", {"a" :1,\n "a":2}]}', "[1e400]", "[" * 101 + "]" * 101],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_refused_record_has_its_place_in_the_whole_file(record, mark):
    text = '{"é": 0, "cases" :\n [ 1 ,\n\n "é" , RECORD, 3 ],\n "z": 1}'.replace("RECORD", record)
    found = index(mark + text.encode(), ("cases",), file="run.json")
    assert same([found.record(0), found.record(1), found.record(3)], [1, "é", 3])
    sliced_error = refusal(lambda: found.record(2))
    whole_error = refusal(lambda: load(text.encode(), file="run.json"))
    assert sliced_error == whole_error


def test_a_refused_line_has_its_place_in_the_whole_file():
    found = index_lines(b'1\n\n  {"a": 1, "a": 2}\n', file="run.jsonl")
    assert str(refusal(lambda: found.record(1))).startswith("run.jsonl:3:12 /1/a")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_bytes_that_are_not_utf8_are_placed(mark):
    array, lines = mark + b'{"cases": [\n1, "\xe9"]}', mark + b'1\n"\xe9"'
    for data, found in ((array, index(array, ("cases",))), (lines, index_lines(lines))):
        error = refusal(partial(found.record, 1))
        assert error.line == 2
        assert error.found == f"byte 0xe9 at offset {data.index(0xE9)}, which is not UTF-8"


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "cases": [1], "a": 2}',
        '{"cases": [1], "cases": [1]}',
        '{"cases": [1], "cases": [2, 3]}',
        '{"cases": [2, 3], "cases": [1]}',
        '{"cases": [1], "a": [1], "cases": [2]}',
        '{"a": [   ], "cases": [1], "a": []}',
        '{"a": [], "cases": [1], "a": [   ]}',
        '{"a": {"x": 1, "x": 2}, "cases": [1]}',
        '{"cases": [1], "\\u0063ases": [1]}',
        '{"cases": [1]} x',
        '{"cases": [1], }',
        '{"cases": [1}',
        '{"cases": [1',
        '{"cases": [1 2]}',
        '{"cases": [1], "a": 1e400}',
        "",
    ],
)
def test_what_is_broken_around_the_records_is_refused_with_the_same_words(text):
    sliced_error = refusal(lambda: index(text.encode(), ("cases",), file="f"))
    assert sliced_error == refusal(lambda: load(text.encode(), file="f"))


_MEMBERS = st.lists(
    st.tuples(
        st.sampled_from(['"a"', '"b"', '"cases"', '"\\u0061"']),
        st.sampled_from(["[]", "[1]", "[ 1 ]", '"a"', "[      ]", '[1,"b"]', "1", "  1  "]),
    ),
    max_size=5,
)


@given(_MEMBERS, st.sampled_from([",", " ,  "]))
def test_slices_refuse_exactly_what_the_whole_file_is_refused_for(members, comma):
    text = "{" + comma.join(f"{key}:{value}" for key, value in members) + "}"
    keys = {json.loads(key) for key, _ in members}
    if len(keys) < len(members):
        error = refusal(lambda: load(text.encode()))
        assert refusal(lambda: index(text.encode(), ("cases",))) == error
        return
    whole = load(text.encode())
    found = index(text.encode(), ("cases",))
    assert found.found == isinstance(whole.get("cases"), list)
    if found.found:
        assert same(list(found), whole["cases"])
