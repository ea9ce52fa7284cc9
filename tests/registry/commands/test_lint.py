"""`registry lint`: each rule has a schema that breaks it, and every shelf keeps them all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from registry.keywords import DRAFT
from registry.linting import RULES
from tests.registry.commands.conftest import Run

GOOD = {"$schema": DRAFT, "$id": "urn:evalglot:tool:1"}
NAMED = {"properties": {"a": {}}, "additionalProperties": True}


@pytest.fixture
def lint(run: Run, tmp_path: Path) -> Any:
    """Which function lints a schema, as a file of any name?"""

    def linted(schema: Any, *arguments: str) -> Any:
        path = tmp_path / "draft.json"
        path.write_text(schema if isinstance(schema, str) else json.dumps(schema))
        return run("lint", path, *arguments, wide=True)

    return linted


def test_every_shelf_keeps_the_rules(run: Run) -> None:
    done = run("lint")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.startswith("lint: ")
    assert done.stderr.endswith(" files, no errors\n")


@pytest.mark.parametrize(
    ("schema", "rule", "pointer"),
    [
        ({**GOOD, "allOf": [{}]}, "subset", "/allOf"),
        ({**GOOD, "maxLength": 3}, "subset", "/maxLength"),
        ({**GOOD, "type": "text"}, "subset", "/type"),
        ({**GOOD, "$id": 7}, "subset", "/$id"),
        ([], "subset", ""),
        ({**GOOD, "items": {"$ref": "https://example.org/x"}}, "reference", "/items/$ref"),
        ({**GOOD, "items": {"$ref": "#/definitions/x"}}, "reference", "/items/$ref"),
        ({**GOOD, "$id": "https://example.org/x"}, "id", "/$id"),
        ({**GOOD, "$id": "urn:evalglot:tool"}, "id", "/$id"),
        ({"$id": "urn:evalglot:tool:1"}, "id", "/$schema"),
        ({**GOOD, "items": {"$id": "x"}}, "nested-id", "/items/$id"),
        ({**GOOD, "items": {"properties": {"a": {}}}}, "open-or-closed", "/items"),
        ({**GOOD, "items": {"pattern": "(a+)*"}}, "pattern", "/items/pattern"),
    ],
)
def test_schema_that_breaks_a_rule_is_told_with_its_place(
    lint: Any, schema: Any, rule: str, pointer: str
) -> None:
    done = lint(schema)
    assert done.exit_code == 1
    assert f" error [lint/{rule}]\n" in done.stdout
    told = json.loads(lint(schema, "--format", "json").stdout)
    assert [
        (one["rule"], one["pointer"]) for file in told["files"] for one in file["findings"]
    ] == [(f"lint/{rule}", pointer)]


def test_each_rule_of_the_table_is_tried_above() -> None:
    assert {rule.id for rule in RULES} == {"nested-id", "open-or-closed", "pattern"}


@pytest.mark.parametrize("schema", [GOOD, {**GOOD, **NAMED}, {**GOOD, "type": "object"}])
def test_good_schema_has_no_finding(lint: Any, schema: Any) -> None:
    assert lint(schema).exit_code == 0


def test_schema_on_a_shelf_has_to_name_that_version(run: Run, copy: Path) -> None:
    path = copy / "cbl" / "4" / "schema.json"
    path.write_text(path.read_text().replace("urn:evalglot:cbl:4", "urn:evalglot:cbl:5"))
    done = run("lint", "--shelves", copy, wide=True)
    assert done.exit_code == 1
    assert "/$id: found the $id urn:evalglot:cbl:5, expected urn:evalglot:cbl:4" in done.stdout


def test_line_and_column_are_told(lint: Any) -> None:
    done = lint('{"$schema": "' + DRAFT + '",\n "$id": "urn:evalglot:tool:1",\n "allOf": []}')
    assert "draft.json:3:11: error [lint/subset]" in done.stdout


def test_annotations_name_file_and_line(lint: Any) -> None:
    done = lint({**GOOD, "allOf": [{}]}, "--format", "github")
    assert done.stdout.startswith("::error file=")
    assert "title=lint/subset::/allOf: found the keyword allOf" in done.stdout


@pytest.mark.parametrize("text", ["{", "\x00", '{"a": 1, "a": 2}'])
def test_file_that_is_not_json_is_a_finding(lint: Any, text: str) -> None:
    done = lint(text)
    assert done.exit_code == 1
    assert "error [json]" in done.stdout


def test_missing_file_ends_with_2(run: Run, tmp_path: Path) -> None:
    done = run("lint", tmp_path / "missing.json", wide=True)
    assert done.exit_code == 2
    assert "can't be read (No such file or directory)" in done.stdout
