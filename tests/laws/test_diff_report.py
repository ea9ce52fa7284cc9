"""L25 for diffruns: every JSON report keeps to its schema, and is the same bytes every time."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.runs import run_file
from diffruns import gates, renderers, report
from diffruns.compare import Comparison, compare
from diffruns.dimensions import DIMENSIONS
from diffruns.options import Options
from diffruns.renderers import View
from diffruns.renderers.json import SCHEMA
from diffruns.sides import Side, side
from registry import gate, keywords
from registry.catalog import Version
from registry.engine import judge
from registry.shelves import versions_root
from tests.converter import samples
from tests.laws.test_diff import VERSIONS, side_of, turned
from tests.strategies import runs

EVERYTHING = Options(
    by=tuple(DIMENSIONS),
    asked=gates.Asked(
        fail_on=gates.FAIL_ON, max_drop=0.02, max_fail_share=0.2, critical=("a", "b")
    ),
)
STRUCTS = {
    "run": report.RunHead,
    "difference": report.Difference,
    "rate": report.Rate,
    "mean": report.Mean,
    "spread": report.Spread,
    "total": report.Total,
    "measures": report.Measures,
    "delta": report.Delta,
    "transition": report.Transition,
    "side": report.CaseSide,
    "change": report.Change,
    "case": report.CaseRow,
    "group": report.Group,
    "mode": report.Mode,
    "gate": report.Gate,
}


@cache
def schema() -> Any:
    return gate.load((versions_root() / "evalglot-diff-report/1/schema.json").read_bytes())


def told(comparison: Comparison) -> bytes:
    return renderers.render("json", comparison, View())


def keeps_to_its_schema(comparison: Comparison) -> None:
    document = gate.load(told(comparison))
    assert judge(schema())(document)
    assert tuple(document)[:2] == ("$schema", "version")


@cache
def read(path: Path) -> Side:
    return side(run_file(samples.staged(path)), samples.name(path), "")


@pytest.mark.parametrize("path", samples.valid(), ids=samples.name)
def test_l25_reports_on_fixtures_keep_to_their_schema(path: Path) -> None:
    """Beside the fixtures of its own version, and typical ones that other tools wrote."""
    others = [one for one in samples.valid() if one.parent == path.parent]
    others += [one for one in samples.valid() if one.name == "typical.json"]
    for other in dict.fromkeys(others):
        keeps_to_its_schema(compare(read(path), read(other), EVERYTHING))


@given(version=st.sampled_from(VERSIONS), data=st.data())
def test_l25_reports_on_any_two_runs_keep_to_their_schema(
    version: Version, data: st.DataObject
) -> None:
    a, b = data.draw(runs.pairs(version))
    one, other = side_of(a, version.ref), side_of(b, version.ref)
    for left, right in product((one, other), repeat=2):
        keeps_to_its_schema(compare(left, right, EVERYTHING))


@given(version=st.sampled_from(VERSIONS), data=st.data())
def test_l25_same_runs_same_bytes(version: Version, data: st.DataObject) -> None:
    """Whatever the order of keys in their files: the report's own order is fixed."""
    a, b = data.draw(runs.pairs(version))
    first, again, other = (
        told(compare(side_of(one, version.ref), side_of(two, version.ref), EVERYTHING))
        for one, two in ((a, b), (a, b), (turned(a), turned(b)))
    )
    assert first == again == other


def test_l25_the_schema_is_closed_and_in_the_subset() -> None:
    assert schema()["$id"] == SCHEMA
    assert keywords.outside(schema()) == []


@pytest.mark.parametrize("name", STRUCTS)
def test_l25_the_schema_names_what_the_report_says(name: str) -> None:
    described = schema()["definitions"][name]
    names = [field.encode_name for field in msgspec.structs.fields(STRUCTS[name])]
    assert list(described["properties"]) == described["required"] == names
    assert described["additionalProperties"] is False


def test_l25_the_schema_names_what_the_whole_report_says() -> None:
    names = ["$schema", *(field.encode_name for field in msgspec.structs.fields(report.Report))]
    assert list(schema()["properties"]) == schema()["required"] == names
