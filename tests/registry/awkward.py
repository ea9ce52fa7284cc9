"""JSON values that are awkward on purpose, and the text that spells them in every allowed way."""

import json

from hypothesis import strategies as st

# A high surrogate before a low one would become one character when read back, so draw no lows.
_TEXT = st.text(
    st.one_of(
        st.sampled_from('"\\/:{}[], \x00\x7f\u2028é😀\ud83d\udbff'),
        st.characters(codec="utf-8"),
    ),
    max_size=8,
)
_KEYS = st.one_of(st.sampled_from(["", "a/b~c", "__proto__", "~1", "0", "a"]), _TEXT)
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([0, 0.0, -0.0, 2**53 + 1, -(2**64), 10**400, 10**4299, 5e-324, 1e16, ""]),
    st.floats(allow_nan=False, allow_infinity=False),
    _TEXT,
)


def values(scalars=_SCALARS):
    return st.recursive(
        scalars,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4), st.dictionaries(_KEYS, inner, max_size=4)
        ),
        max_leaves=12,
    )


def with_nonfinite():
    nonfinite = st.sampled_from([float("nan"), float("inf"), float("-inf")])
    return values(st.one_of(_SCALARS, nonfinite))


def spellings(value):
    """Several texts that hold one value."""
    return [
        json.dumps(value),
        json.dumps(value, ensure_ascii=False, indent=1),
        json.dumps(value, separators=(" ,", "\t:\r\n")),
    ]
