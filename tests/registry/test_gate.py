"""The gate's policy, line by line."""

import json
import math
import mmap

import pytest

from registry import limits
from registry.errors import NotJson
from registry.gate import dump, load, load_lines
from registry.limits import MAX_DEPTH, MAX_DIGITS
from registry.values import same


def refusal(data, **options):
    with pytest.raises(NotJson) as caught:
        load(data, file="run.json", **options)
    return caught.value


def place(error):
    return error.line, error.column, error.pointer


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_utf8_and_marked_utf16_are_read(encoding):
    assert same(load('{"é": "😀"}'.encode(encoding)), {"é": "😀"})


@pytest.mark.parametrize(
    ("mark", "encoding"), [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")]
)
def test_utf16_is_read_in_both_byte_orders(mark, encoding):
    assert same(load(mark + '["😀\\ud83d"]'.encode(encoding)), ["😀\ud83d"])


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview])
def test_any_buffer_is_read(wrap):
    assert same(load(wrap(b"[1]")), [1])


def test_a_mapped_file_is_read(tmp_path):
    path = tmp_path / "run.json"
    path.write_bytes(b"\xef\xbb\xbf[1]")
    with path.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        assert same(load(data), [1])


def test_other_encodings_are_refused_with_byte_offset_and_line():
    error = refusal('{\n"a": "é"}'.encode("latin-1"))
    assert place(error) == (2, 7, None)
    assert "0xe9 at offset 8" in error.found
    assert "UTF-8" in error.expected


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ("[]".encode("utf-32"), "UTF-32"),
        (b"\0\0\xfe\xff\0\0\0[", "UTF-32"),
        ("[]".encode("utf-16-le"), "NUL"),
        ("[]".encode("utf-16-be"), "NUL"),
        (b"\xff\xfe[", "broken UTF-16 at byte offset 2"),
        (b"\xff\xfe\x00\xd8", "broken UTF-16 at byte offset 2"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"PK\x03\x04", "zip"),
        (b'"\xed\xa0\xbd"', "0xed at offset 1"),
        (b'"\xc0\x80"', "0xc0 at offset 1"),
    ],
)
def test_what_is_no_text_is_named(data, found):
    assert found in refusal(data).found


@pytest.mark.parametrize(
    ("text", "where", "found", "expected"),
    [
        ("", (1, 1, ""), "an empty file", "a JSON document"),
        (" \n", (2, 1, ""), "only white space", "a JSON document"),
        ('{"a": 1,\n "b": {"a": 2, "a": 3}}', (2, 16, "/b/a"), "a second time", "once"),
        ('{"a" :1, "a":2}', (1, 10, "/a"), "a second time", "once"),
        (r'{"a":1,"\u0061":2}', (1, 8, "/a"), "a second time", "once"),
        (r'{"a":1,"a":"\u0022:"}', (1, 8, "/a"), "a second time", "once"),
        (r'{"a":"\u0022\u0022","a":1}', (1, 21, "/a"), "a second time", "once"),
        ("[1]\n[2]", (2, 1, ""), '"[2]"', "nothing more"),
        ("[1]x", (1, 4, ""), '"x"', "nothing more"),
        ('{"a": [1, 2', (1, 12, "/a"), "end of the file", "',' or ']'"),
        ('{"a": ', (1, 7, "/a"), "end of the file", "a value"),
        ('{"a"', (1, 5, "/a"), "end of the file", "':'"),
        ('{"a": 1', (1, 8, ""), "end of the file", "',' or '}'"),
        ('{"a": 1, ', (1, 10, ""), "end of the file", "a key"),
        ("{", (1, 2, ""), "end of the file", "a key or '}'"),
        ('["abc', (1, 6, "/0"), "end of the file inside a string", "line 1"),
        ("[NaN]", (1, 2, "/0"), "NaN", "a finite number"),
        ('{"a":\n-Infinity}', (2, 1, "/a"), "-Infinity", "a finite number"),
        ("[1, 1e400]", (1, 5, "/1"), "1e400", "a double"),
        ("-1e400", (1, 1, ""), "-1e400", "a double"),
        ("9" * 400 + ".0", (1, 1, ""), "402 characters", "a double"),
        ('["a\tb"]', (1, 4, "/0"), "U+0009", r"\u0009"),
        ('{"a\x00": 1}', (1, 4, ""), "U+0000", r"\u0000"),
        ('["a\nb"]', (1, 4, "/0"), "U+000A", r"\u000a"),
        (r'["\x41"]', (1, 3, "/0"), r"\x", "one that JSON has"),
        (r'["\u12G4"]', (1, 3, "/0"), r"\u12G4", "four hex digits"),
        (r'["\ud83d\u12"]', (1, 9, "/0"), r"\u12", "four hex digits"),
        ('["\\', (1, 3, "/0"), "\\", "one that JSON has"),
        ("[01]", (1, 2, "/0"), "01", "a number as JSON spells it"),
        ("[+1]", (1, 2, "/0"), "+1", "a number as JSON spells it"),
        ("[.5]", (1, 2, "/0"), ".5", "a number as JSON spells it"),
        ("[1.]", (1, 2, "/0"), "1.", "a number as JSON spells it"),
        ("[0x1f]", (1, 2, "/0"), "0x1f", "a number as JSON spells it"),
        ("[-]", (1, 2, "/0"), "-", "a number as JSON spells it"),
        ("[1,]", (1, 3, ""), "a ',' before ']'", "no comma"),
        ('{"a":1,}', (1, 7, ""), "a ',' before '}'", "no comma"),
        ("[1 2]", (1, 4, ""), '"2"', "',' or ']'"),
        ("[,1]", (1, 2, "/0"), '","', "a value"),
        ("[1}", (1, 3, ""), '"}"', "',' or ']'"),
        ("{1: 2}", (1, 2, ""), '"1"', "a key or '}'"),
        ("[\xa01]", (1, 2, "/0"), "\\u00a0", "a value"),
        ("]", (1, 1, ""), '"]"', "a value"),
        ("[True]", (1, 2, "/0"), '"True"', "a value"),
    ],
)
def test_refusals_say_where_what_and_what_else(text, where, found, expected):
    error = refusal(text.encode())
    assert place(error) == where
    assert found in error.found
    assert expected in error.expected
    assert str(error).startswith(f"run.json:{error.line}:{error.column}")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('["abc', "cut off"),
        ("[tru", "cut off"),
        ("[12.", "cut off"),
        ("{'a': 1}", "double quotes"),
        ("[1, // no\n2]", ""),
        ("[// no\n2]", "no comments"),
        ("<html>", "HTML"),
        ("[None]", "json.dumps"),
        ("{}\n{}", ".jsonl"),
        ("[NaN]", "--nonfinite keep"),
        ('{"a":1,\n"a":2}', "line 1, column 2"),
    ],
)
def test_hints_say_what_to_do(text, hint):
    assert hint in refusal(text.encode()).hint


def test_the_places_do_not_count_a_byte_order_mark():
    assert place(refusal(b"\xef\xbb\xbf[x]")) == (1, 2, "/0")
    assert place(refusal("[\nx]".encode("utf-16"))) == (2, 1, "/0")


def test_columns_count_characters():
    assert refusal('["😀é", x]'.encode()).column == 8


def test_what_a_file_says_cannot_act_on_a_terminal():
    assert "\x1b" not in str(refusal(b"[\x1b[31m]"))
    assert "\x1b" not in str(refusal(b'["\\\x1b"]'))


def test_nonfinite_numbers_are_kept_or_nulled_on_request():
    text = b'{"a": NaN, "b": [Infinity, -Infinity, 1.5]}'
    kept = load(text, nonfinite="keep")
    assert same(kept, {"a": math.nan, "b": [math.inf, -math.inf, 1.5]})
    assert same(load(text, nonfinite="null"), {"a": None, "b": [None, None, 1.5]})


@pytest.mark.parametrize("nonfinite", ["keep", "null"])
def test_too_large_numbers_are_refused_whatever_becomes_of_nan(nonfinite):
    assert refusal(b"[NaN, 1e400]", nonfinite=nonfinite).pointer == "/1"


def test_integers_survive_up_to_the_limit():
    for sign in ("", "-"):
        text = sign + "9" * MAX_DIGITS
        assert dump(load(text.encode())) == text.encode()
        error = refusal(f"[{text}9]".encode())
        assert place(error) == (1, 2, "/0")
        assert "MAX_DIGITS" in error.expected


def test_depth_is_limited():
    def nested(depth):
        return b'{"a":[' * (depth // 2) + b"]}" * (depth // 2)

    assert load(nested(MAX_DEPTH))
    assert load(b'["\\ud83d",' + b"[" * (MAX_DEPTH - 1) + b"]" * MAX_DEPTH)
    for data in (b"[" + nested(MAX_DEPTH) + b"]", b"[" * (MAX_DEPTH + 1), b"[" * 10**6):
        error = refusal(data)
        assert error.line == 1
        assert "MAX_DEPTH" in error.expected


def test_many_shallow_containers_are_no_depth():
    assert len(load(b"[" + b"[]," * 200 + b"[]]")) == 201


def test_size_is_limited(monkeypatch):
    monkeypatch.setattr(limits, "MAX_BYTES", 5)
    assert same(load(b"[100]"), [100])
    error = refusal(b"[1000]")
    assert "6 bytes" in error.found
    assert "MAX_BYTES" in error.expected


def test_a_huge_file_is_refused_before_it_is_read():
    with mmap.mmap(-1, limits.MAX_BYTES + 1) as data:
        assert "MAX_BYTES" in refusal(data).expected


def test_lone_surrogates_come_and_go_as_escapes():
    text = rb'["\ud83d","\ude00\ud83d","\ud83d\u0041","\ud83d\ud83d\ude00"]'
    value = load(text)
    assert same(value, ["\ud83d", "\ude00\ud83d", "\ud83dA", "\ud83d😀"])
    assert dump(value) == '["\\ud83d","\\ude00\\ud83d","\\ud83dA","\\ud83d😀"]'.encode()


def test_zero_keeps_its_sign_only_as_a_double():
    assert same(load(b"[-0, -0.0, 0, 0.0, -0e0]"), [0, -0.0, 0, 0.0, -0.0])


def test_awkward_keys_survive():
    text = b'{"": 1, "a/b~c": 2, "__proto__": 3, "\\\\": 4, "\\"": 5, "b":6, "a":7}'
    assert list(load(text)) == ["", "a/b~c", "__proto__", "\\", '"', "b", "a"]


def test_text_that_looks_like_keys_sends_nothing_astray():
    value = {"a": '{"a": 1, "a" :2, \\":3}', 'q":': '":', "x\\": ["\\", '"']}
    for indent in (None, 1):
        assert same(load(json.dumps(value, indent=indent).encode()), value)


def test_dump_writes_nonfinite_numbers_bare():
    assert dump([math.nan, math.inf, -math.inf, None]) == b"[NaN,Infinity,-Infinity,null]"


def test_dump_indents_alike_whatever_the_content():
    plain, odd = {"a": [1, "x"], "b": {}}, {"a": [1, "\ud83d"], "b": {}}
    assert dump(plain, indent=2) == b'{\n  "a": [\n    1,\n    "x"\n  ],\n  "b": {}\n}'
    assert dump(odd, indent=2) == dump(plain, indent=2).replace(b"x", b"\\ud83d")


def test_json_lines_are_read_with_blank_lines_left_out():
    assert same(load_lines(b'{"a":1}\r\n\n \t\n[2]\n'), [{"a": 1}, [2]])
    assert same(load_lines(b""), [])
    assert same(load_lines("1\n2".encode("utf-16")), [1, 2])
    assert same(load_lines(b"NaN\n1", nonfinite="null"), [None, 1])


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b'1\n\n{"a": x}\n', (3, 7, "/1/a")),
        (b'{"a":\n1}', (1, 6, "/0/a")),
        (b"1\n\xff", (2, 1, None)),
    ],
)
def test_json_lines_errors_name_the_line(data, where):
    with pytest.raises(NotJson) as caught:
        load_lines(data)
    assert place(caught.value) == where
