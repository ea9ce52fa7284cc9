"""What a plan says before there is any data."""

from __future__ import annotations

import pytest

from converter import formats
from converter.examining import examine
from converter.plan import WIDTH, plan
from tests.converter import samples

REFS = [f"{id_}@{version}" for id_ in formats.FORMATS for version in formats.versions(id_)]
PAIRS = [(source, target) for source in REFS for target in REFS if source != target]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_pair_has_a_plan_of_80_columns(source: str, target: str) -> None:
    made = plan(source, target)
    assert made.fields
    assert all(len(line) <= WIDTH for line in made.lines())
    paths = [field.path for field in made.fields]
    assert len(paths) == len(set(paths))


def test_every_format_says_where_its_tables_stand() -> None:
    for id_ in formats.FORMATS:
        rows = [row for _, table in formats.find(id_).tables for row in table.rows]
        assert all(row in rows for row in formats.find(id_).rows)


def test_outlooks_of_known_fields() -> None:
    made = {field.path: field for field in plan("promptbeat@1", "sandtable@1.1").fields}
    assert made["cases/*/content"].outlook == "native"
    assert made["cases/*/metadata/recordId"].outlook == "folded"
    assert made["total_cases"].outlook == "structural"
    assert made["cases/*/risk_type"].outlook == "carried"
    assert made["cases/*/risk_type"].why == "no field for case.risk"
    assert made["output_dir"].why == "a path on the machine that ran it"


def test_an_older_target_says_less() -> None:
    newest = {field.path: field.outlook for field in plan("sandtable@1.1", "cbl@4").fields}
    oldest = {field.path: field.outlook for field in plan("sandtable@1.1", "cbl@1").fields}
    assert newest["runId"] == "folded"
    assert oldest["runId"] == "carried"


def test_an_older_source_has_fewer_fields() -> None:
    paths = {field.path for field in plan("cbl@2", "sandtable@1.1").fields}
    assert "evaluation_id" not in paths
    assert "results/*/user_input" in paths


@pytest.mark.parametrize("id_", formats.FORMATS)
def test_a_field_planned_native_is_native_in_the_everything_fixture(id_: str) -> None:
    newest = formats.find(id_).version
    path = samples.FIXTURES / id_ / newest / "valid" / "everything.json"
    for target in formats.FORMATS:
        if target == id_ or not path.is_file():
            continue
        told = examine(samples.staged(path), target)
        native = {field.path for field in told.fields if field.state == "native"}
        seen = {field.path for field in told.fields}
        planned = plan(f"{id_}@{newest}", formats.find(target).ref).having("native")
        places = {f"/{field.path}" for field in planned} & seen
        # where values have parts, the field itself is a leaf only where it is null
        places -= {place for place in places if any(one.startswith(f"{place}/") for one in seen)}
        assert places - native == set()
