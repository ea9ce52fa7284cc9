import math

import pytest
from hypothesis import given

from registry.values import at, canonical, digest, escape, leaves, pointer, same, unescape
from tests.registry.awkward import values, with_nonfinite

DIFFERENT = [
    (True, 1),
    (1, 1.0),
    (False, 0),
    (0.0, -0.0),
    (0, -0.0),
    (None, 0),
    (None, math.nan),
    ("", None),
    ({}, []),
    ([], None),
    ("1", 1),
    (math.inf, -math.inf),
    (10**400, 10**400 + 1),
    ("\ud83d\ude00", "😀"),
    ([1], [1, 1]),
    ({"a": 1}, {"a": 1, "b": 1}),
    ({"a": 1}, {"b": 1}),
    ({"a": None}, {}),
]


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_values_that_differ_are_not_the_same(a, b):
    for left, right in ((a, b), (b, a)):
        assert not same(left, right)
        assert not same(left, right, key_order=False)
        assert not same([{"x": [left]}], [{"x": [right]}])
        assert not same([{"x": [left]}], [{"x": [right]}], key_order=False)


def test_nan_is_the_same_as_any_nan():
    other = math.copysign(math.nan, -1)
    assert same(math.nan, other)
    assert same([{"a": math.nan}], [{"a": other}])


def test_key_order_counts_unless_told_otherwise():
    a, b = [{"x": 1, "y": 2}], [{"y": 2, "x": 1}]
    assert not same(a, b)
    assert same(a, b, key_order=False)


def test_same_needs_no_recursion():
    def deep():
        value = []
        for _ in range(100_000):
            value = [value]
        return value

    assert same(deep(), deep())


@given(with_nonfinite(), with_nonfinite())
def test_same_agrees_with_the_digest_on_content(a, b):
    assert same(a, a)
    assert same(a, b, key_order=False) == (canonical(a) == canonical(b))


@given(values())
def test_leaves_lead_back_to_their_values(doc):
    for place, leaf in leaves(doc):
        assert same(at(doc, place), leaf)
        assert leaf in ([], {}) or not isinstance(leaf, (dict, list))


def test_leaves_come_in_document_order_with_empty_containers():
    doc = {"b": [1, {}], "a/b~c": {"": None}, "x": []}
    assert list(leaves(doc)) == [("/b/0", 1), ("/b/1", {}), ("/a~1b~0c/", None), ("/x", [])]
    assert list(leaves({})) == [("", {})]


def test_pointer_tokens_are_escaped_and_come_back():
    assert pointer(["a/b~c", 0, ""]) == "/a~1b~0c/0/"
    assert pointer([]) == ""
    assert unescape(escape("~1/~0")) == "~1/~0"


@pytest.mark.parametrize(
    "place", ["x", "/x", "/a/1", "/a/-", "/a/00", "/a/-1", "/a/²", "/a/0/0", "/a/" + "9" * 5000]
)
def test_a_pointer_to_nothing_raises(place):
    with pytest.raises(KeyError):
        at({"a": [1]}, place)


def test_the_digest_ignores_key_order_and_nothing_else():
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest([1, 2]) != digest([2, 1])
    assert digest(1) != digest(1.0)
    assert digest("\ud83d") != digest("\\ud83d")
    assert canonical({"b": [math.nan, "é"], "a": -0.0}) == '{"a":-0.0,"b":[NaN,"é"]}'.encode()
