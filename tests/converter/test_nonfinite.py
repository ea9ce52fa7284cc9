"""A source with NaN goes anywhere in a file that JSON can say, and comes home with it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from converter import chain
from converter.formats import FORMATS, versions
from registry import catalog, gate
from registry.errors import BadCarry
from registry.scan import Nonfinite
from registry.values import same
from tests.converter import samples

REFS = [f"{format_}@{version}" for format_ in FORMATS for version in versions(format_)]
SAID = {format_.id for format_ in catalog.formats() if format_.nonfinite}
"""formats that write NaN themselves"""


def doubles(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where does a document hold numbers with a fraction?"""
    for key, held in value.items() if type(value) is dict else enumerate(value):
        if type(held) is float:
            yield value, key
        elif type(held) in (dict, list):
            yield from doubles(held)


def odd(ref: str) -> Any:
    """A typical document of this version with NaN for each of them."""
    format_, _, version = ref.partition("@")
    (path,) = (samples.FIXTURES / format_ / version / "valid").glob("typical.*")
    document = gate.load(gate.dump(samples.document(path)), nonfinite="keep")
    for held, key in list(doubles(document)):
        held[key] = math.nan
    return document


@pytest.mark.parametrize("source", REFS)
def test_nan_travels_as_text_and_comes_home(source: str) -> None:
    document = odd(source)
    for target in REFS:
        there = chain.convert(chain.stage(document, source), *target.split("@"))
        natively = target.split("@")[0] in (source.split("@", maxsplit=1)[0], *SAID)
        kept: Nonfinite = "keep" if natively else "reject"
        written = gate.load(gate.dump(there.document()), nonfinite=kept)
        home = chain.convert(chain.stage(written, target), *source.split("@"))
        assert same(home.document(), document), target


def test_a_record_without_a_place_travels_as_text() -> None:
    """cbl@3 lists failing cases only, and passing ones are lost to it."""
    path = samples.FIXTURES / "cbl/4/valid/typical.json"
    document = gate.load(path.read_bytes())
    passing = next(row for row in document["results"] if row["passed"])
    passing["safe_response_score"] = math.nan
    there = chain.convert(chain.stage(document, "cbl@4"), "cbl", "3")
    written = gate.load(gate.dump(there.document()))
    home = chain.convert(chain.stage(written, "cbl@3"), "cbl", "4")
    assert same(home.document(), document)


def test_nan_that_a_carry_does_not_own_up_to_is_refused() -> None:
    there = chain.convert(chain.stage(odd("cbl@4"), "cbl@4"), "sandtable").document()
    assert there["x-evalglot"].pop("unspeakable")
    with pytest.raises(BadCarry, match="damaged"):
        chain.convert(chain.stage(there, "sandtable@1.1"), "cbl")


def test_nan_that_an_edit_brought_is_null_at_home() -> None:
    """An Inspect log may hold it; the file that it was made from did not."""
    path = samples.FIXTURES / "cbl/4/valid/typical.json"
    there = chain.convert(samples.staged(path), "inspect").document()
    for held, key in list(doubles(there["samples"])):
        held[key] = math.nan
    assert not gate.finite(there)
    home = chain.convert(chain.stage(there, "inspect@2"), "cbl").document()
    assert gate.finite(home)
