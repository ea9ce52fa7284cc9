"""`registry diff`: what it prints, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from registry import gate, keywords
from registry.commands.diff import diff
from registry.engine import judge
from registry.shelves import versions_root
from tests.registry import samples

NEIGHBOURS = [
    (version.predecessor.ref, version.ref)
    for version in samples.VERSIONS
    if version.predecessor is not None
]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(diff, arguments)


def _file(folder: Path, name: str, schema: Any) -> str:
    path = folder / name
    path.write_text(schema if isinstance(schema, str) else json.dumps(schema))
    return str(path)


@pytest.mark.parametrize("pair", NEIGHBOURS, ids="-".join)
def test_text_fits_a_terminal_and_names_both_verdicts(pair: tuple[str, str]) -> None:
    done = run(*pair)
    assert done.exit_code == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert done.stdout.startswith(f"{pair[0]} to {pair[1]}: ")


@pytest.mark.parametrize("pair", NEIGHBOURS, ids="-".join)
def test_json_keeps_to_its_schema(pair: tuple[str, str]) -> None:
    schema = gate.load((versions_root() / "evalglot-schema-diff/1/schema.json").read_bytes())
    done = run(*pair, "--format", "json")
    assert judge(schema)(gate.load(done.stdout_bytes))
    assert keywords.outside(schema) == []


def test_a_change_stands_with_its_verdicts_and_a_witness() -> None:
    assert (
        """
/evaluation_id
  property-added-required: A field without a name before is required.
  backward breaks: {"total_passed": 0, "total_failed": 0, "failed_results": []}
  forward ok
"""
        in run("cbl@3", "cbl@4").stdout
    )


def test_a_long_witness_is_shortened_to_what_matters() -> None:
    assert (
        """
  backward undecided, would break: {..., "failed_results": [{...,
    "test_case_id": false}]}
"""
        in run("cbl@3", "cbl@3.1").stdout
    )


def test_nothing_differs_between_a_version_and_itself() -> None:
    done = run("cbl@4", "cbl")
    assert done.stdout.splitlines()[0] == "cbl@4 to cbl: no changes"
    assert "backward ok" in done.stdout


@pytest.mark.parametrize(
    ("pair", "mode", "code"),
    [
        (("cbl@3", "cbl@4"), "none", 0),
        (("cbl@3", "cbl@4"), "backward", 1),
        (("cbl@3", "cbl@3.1"), "forward", 0),
        (("cbl@3", "cbl@3.1"), "full", 1),
        (("sandtable@1.0", "sandtable@1.1"), "full", 0),
    ],
)
def test_a_mode_that_does_not_hold_ends_with_1(pair: tuple[str, str], mode: str, code: int) -> None:
    done = run(*pair, "--mode", mode)
    assert done.exit_code == code
    assert ("does not hold" in done.stderr) == bool(code)


def test_two_files_are_compared(tmp_path: Path) -> None:
    old = _file(tmp_path, "old.json", {"type": "object", "properties": {"a": {"type": "string"}}})
    new = _file(tmp_path, "new.json", {"type": "object", "properties": {"a": {"const": "\x1b[1m"}}})
    done = run(old, new)
    assert done.exit_code == 0
    assert "enum-closed" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_report_is_written_to_a_file(tmp_path: Path) -> None:
    done = run("cbl@3", "cbl@4", "--format", "json", "-o", str(tmp_path / "out.json"))
    assert done.stdout == ""
    assert json.loads((tmp_path / "out.json").read_bytes())["old"] == "cbl@3"


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"not": {}}, "/not: the keyword not"),
        ({"$ref": "https://example.org/x.json"}, "/$ref: the reference https://example.org/x.json"),
        ({"properties": {"a/b": {"type": "text"}}}, "/properties/a~1b/type: "),
        ([], "an empty list"),
        ("{", "broken.json:1:2"),
        (True, "the schema true"),
    ],
)
def test_a_schema_that_is_none_is_told_in_one_message(
    schema: Any, said: str, tmp_path: Path
) -> None:
    done = run("cbl@3", _file(tmp_path, "broken.json", schema))
    assert done.exit_code == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert "broken.json" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("cbl@3",), "Missing argument"),
        (("cbl@3", "cbl@9"), "newer than the newest version known"),
        (("clb@3", "cbl@4"), "Did you mean cbl?"),
        (("cbl@3", "missing.json"), "missing.json: can't be read (No such file"),
        (("cbl@3", "cbl@4", "-o", "no/such/folder/out"), "can't be written (No such file"),
        (("cbl@3", "cbl@4", "--mode", "sideways"), "'sideways' is not one of"),
    ],
)
def test_wrong_usage_ends_with_2(arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr
