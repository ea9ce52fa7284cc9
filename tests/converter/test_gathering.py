"""Records of one key are found, whatever their hashes are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from converter.gathering import gather


class Alike(str):
    """A name whose hash says nothing."""

    __slots__ = ()

    def __hash__(self) -> int:
        return 7


NAMES = st.sampled_from([None, *(kind(name) for kind in (str, Alike) for name in "abcd")])
KEYS = st.lists(st.tuples(st.tuples(NAMES, NAMES), st.sampled_from([None, "x", "y"])), max_size=12)


@given(keys=KEYS)
def test_records_are_gathered_by_key(keys: list[tuple[tuple[str | None, ...], str | None]]) -> None:
    bundles, targets = gather(len(keys), keys.__getitem__)
    assert targets == tuple(dict.fromkeys(target for _, target in keys if target is not None))
    expected: dict[object, list[int]] = {}
    for number, (case, target) in enumerate(keys):
        expected.setdefault((case, target if len(targets) > 1 else None), []).append(number)
    order = [list(bundle) for bundle in bundles]
    assert order == list(expected.values())
    assert bundles.longest == max(map(len, order), default=1)
    assert bundles.moved == ([one for bundle in order for one in bundle] != [*range(len(keys))])
