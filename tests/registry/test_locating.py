"""Every value's and key's place in the text is found, however the text is spelled."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry import gate, slices
from registry.errors import NotJson
from registry.locating import positions
from registry.values import leaves, pointer, same, unescape
from tests.registry import samples

SPELLINGS = {
    "narrow": {"separators": (",", ":")},
    "wide": {"indent": 3, "separators": (" ,", " : ")},
    "escaped": {"ensure_ascii": True, "indent": 1},
}
KEYS = st.text(max_size=4) | st.sampled_from(["", "a/b~c", '"', "\\", "0", "é\n", "]}"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=25,
)


def reader(text):
    """A function that says which JSON value, or key, starts at a line and column."""
    starts = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]
    decode = json.JSONDecoder().raw_decode
    return lambda position: decode(text, starts[position[0] - 1] + position[1] - 1)[0]


def hold(text, index, document):
    read_at = reader(text)
    places = [place for place, _ in leaves(document)]
    found = positions(index, places)
    for place, value in leaves(document):
        assert same(read_at(found[place]), value), place
    inside = [place for place in places if place]
    for place, position in positions(index, (), inside).items():
        key = unescape(place.rpartition("/")[2])
        assert read_at(position) == key or key.isdecimal()


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(
    "path",
    [path for path in samples.files("valid") if not samples.is_lines(path)],
    ids=samples.name,
)
def test_every_leaf_of_a_fixture_is_found(path, spelling):
    document = samples.document(path)
    text = json.dumps(document, **SPELLINGS[spelling])
    version = samples.parse_ref(samples.ref_of(path))
    for place in version.containers:
        path_of = tuple(place.split("/")[1:])
        hold(text, slices.index(text.encode(), path_of, nonfinite="keep"), document)


@given(VALUES, st.sampled_from(sorted(SPELLINGS)))
def test_every_leaf_of_a_drawn_document_is_found(document, spelling):
    text = json.dumps({"é": document, "rows": [document, {"a": 1}]}, **SPELLINGS[spelling])
    hold(text, slices.index(text.encode(), ("rows",)), json.loads(text))


@given(st.lists(VALUES, min_size=1, max_size=3))
def test_every_leaf_of_json_lines_is_found(values):
    text = "\n\n".join(map(json.dumps, values)) + "\n"
    hold(text, slices.index_lines(text.encode()), values)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_byte_order_mark_takes_no_column(mark):
    index = slices.index(mark + b'{"rows": [1]}', ("rows",))
    assert positions(index, ["/rows/0"]) == {"/rows/0": (1, 11)}


def test_file_that_fast_parsers_refuse_has_places_too():
    text = '{"a": "\\ud83d",\n "rows": [{"b": NaN},\n {"c": [2]}]}'
    index = slices.index(text.encode(), ("rows",), nonfinite="keep")
    assert positions(index, ["/rows/0/b", "/rows/1/c/0"]) == {
        "/rows/0/b": (2, 17),
        "/rows/1/c/0": (3, 9),
    }


def test_missing_field_is_placed_where_its_object_is():
    index = slices.index(b'{"rows": [{}, {"a": {}}], "b": 1}', ("rows",))
    assert positions(index, ["/rows/1/a/missing/x", "/c", "/rows/7"]) == {
        "/rows/1/a/missing/x": (1, 21),
        "/c": (1, 1),
        "/rows/7": (1, 10),
    }


def test_columns_count_characters():
    index = slices.index('{"é😀": [1]}'.encode(), ("é😀",))
    assert positions(index, [pointer(["é😀", 0])]) == {"/é😀/0": (1, 9)}


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_either_character_ends_a_line_and_so_do_both(end):
    document = samples.document(samples.folder("cbl@4", "valid") / "typical.json")
    text = json.dumps(document, indent=1)
    places = [place for place, _ in leaves(document)]
    usual, other = (
        positions(slices.index(spelled.encode(), ("results",)), places)
        for spelled in (text, text.replace("\n", end))
    )
    assert other == usual
    with pytest.raises(NotJson) as broken:
        gate.load(f"{text[:-1]}x".replace("\n", end).encode())
    assert broken.value.line == text.count("\n") + 1
