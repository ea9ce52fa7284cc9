"""The gate on drawn input: it answers or refuses, agrees with its exact scanner, loses nothing."""

import json

from hypothesis import given
from hypothesis import strategies as st

from registry.errors import NotJson
from registry.gate import decode, dump, load, load_lines
from registry.scan import scan
from registry.values import same
from tests.registry.awkward import spellings, values, with_nonfinite

_MARKS = ("{", "}", "[", "]", ",", ":", '"', "\\", " ", "\n", "\t", "\x00", "é")
_WORDS = ("1", "-0", "1e9", "1e999", "NaN", "-Infinity", "null", "true")
_STRINGS = ('"a"', '"a":', "\\u0022", "\\ud83d", "\\ude00")
_PIECES = st.sampled_from((*_MARKS, *_WORDS, *_STRINGS))
_SOUP = st.lists(_PIECES, max_size=12).map("".join)
_NONFINITE = st.sampled_from(["reject", "keep", "null"])


def outcome(read, *arguments, **options):
    """What a reader says: its value, or its refusal."""
    try:
        return [read(*arguments, **options)]
    except NotJson as error:
        return error


def agree(a, b):
    return same(a, b) if isinstance(a, list) and isinstance(b, list) else a == b


@given(st.binary(max_size=40), _NONFINITE)
def test_any_bytes_give_a_value_or_a_refusal(data, nonfinite):
    for reader in (load, load_lines):
        outcome(reader, data, nonfinite=nonfinite)


@given(_SOUP, _NONFINITE)
def test_the_gate_says_what_its_exact_scanner_says(text, nonfinite):
    fast = outcome(decode, text.encode(), nonfinite=nonfinite)
    exact = outcome(scan, text, nonfinite=nonfinite)
    assert agree(fast, exact)


@given(with_nonfinite())
def test_every_spelling_means_the_same_to_gate_and_scanner(value):
    for text in spellings(value):
        raw = text.encode("utf-8", "backslashreplace")
        assert same(load(raw, nonfinite="keep"), value)
        assert same(scan(raw.decode(), nonfinite="keep"), value)


@given(values())
def test_what_is_written_is_read_back(value):
    assert same(load(dump(value)), value)
    assert same(load(dump(value, indent=2)), value)
    assert same(load_lines(dump(value) + b"\n" + dump(value)), [value, value])


@given(with_nonfinite())
def test_nonfinite_numbers_are_written_and_read_back(value):
    assert same(load(dump(value), nonfinite="keep"), value)


@given(values())
def test_the_gate_agrees_with_the_standard_library(value):
    text = json.dumps(value)
    assert same(load(text.encode()), json.loads(text))


@given(st.dictionaries(st.text(max_size=3), values(), min_size=1, max_size=4), st.data())
def test_a_key_written_twice_is_always_refused(members, data):
    twice = data.draw(st.sampled_from(sorted(members)))
    other = data.draw(values())
    for colon in (":", " :", "\n: "):
        entries = [f"{json.dumps(key)}{colon}{json.dumps(item)}" for key, item in members.items()]
        at = data.draw(st.integers(0, len(entries)))
        entries.insert(at, f"{json.dumps(twice)}{colon}{json.dumps(other)}")
        refused = outcome(load, f"[{{{','.join(entries)}}}]".encode())
        assert isinstance(refused, NotJson)
        assert "a second time" in refused.found
