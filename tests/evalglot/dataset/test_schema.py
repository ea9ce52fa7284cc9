"""The tables are what their schema in the registry says, and that is made of the facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter.facts import SCOPES, Trial
from evalglot.dataset import asking, collecting, generate, shown
from evalglot.dataset.tables import APART, PARTED, TABLES
from registry import gate
from registry.explanation import explain
from registry.shelves import versions_root
from tests.evalglot.dataset.held import FIXTURES

SCHEMA = gate.load((versions_root() / "evalglot-dataset/1/schema.json").read_bytes())


def test_what_is_generated_is_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--check"]) == 0, capsys.readouterr().err


def test_every_fact_is_a_column_or_has_rows_of_its_own() -> None:
    for scope, struct in SCOPES.items():
        facts = [column.name for column in TABLES[scope] if column.fact]
        assert [*facts, *APART.get(scope, ())] == list(struct.__struct_fields__)
    assert Trial.__struct_fields__[-1] == "checks"


def test_every_column_of_our_own_is_described() -> None:
    for table in PARTED:
        described = SCHEMA["definitions"][table]["properties"]
        ours = [column.name for column in TABLES[table] if not column.fact]
        assert all("description" in described[name] for name in ours)


def test_all_rows_keep_to_the_schema(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    folder = str(tmp_path / "d")
    collecting.collect([*FIXTURES, str(broken)], folder)
    with asking.opened(folder) as dataset:
        held = {table: list(shown.rows(dataset.ask(f'FROM "{table}"'))) for table in TABLES}
    assert all(held.values())
    assert explain(SCHEMA, held) == []
    manifest = gate.load((tmp_path / "d/manifest.json").read_bytes())
    shelf = versions_root() / "evalglot-dataset-manifest/1/schema.json"
    assert explain(gate.load(shelf.read_bytes()), manifest) == []


def test_what_a_column_can_not_hold_is_null() -> None:
    from evalglot.dataset.cells import table

    given = {
        "digest": "d",
        "version": "1",
        "nested": True,
        "k": 2**70,
        "threshold": 10**400,
        "suite": "\ud83d",
        "groups": ("\ud83d", "b"),
    }
    values = tuple(given.get(column.name) for column in TABLES["run"])
    (row,) = table("run", [values]).to_pylist()
    assert (row["k"], row["threshold"]) == (None, None)
    assert (row["suite"], row["groups"]) == ("\\ud83d", ["\\ud83d", "b"])
