"""`registry add`: what it writes, what it refuses, and that it writes all or nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from registry import staging
from registry.catalog import catalog
from registry.shelves import versions_root
from tests.registry.commands.conftest import Run, change, read
from tests.registry.samples import FIXTURES

OLD = len(list((FIXTURES / "cbl/4/valid").glob("*.json")))
"""How many sample files are there of cbl@4?"""


@pytest.fixture
def checkout(copy: Path) -> Path:
    """Shelves and fixtures beside each other, as in a checkout."""
    shutil.copytree(FIXTURES, copy.parent / "fixtures")
    return copy


def schema_of(root: Path, ref: str, **changed: Any) -> Any:
    id_, _, version = ref.partition("@")
    return read(root / id_ / version / "schema.json") | changed


def draft(root: Path, schema: Any, name: str = "draft.json") -> Path:
    path = root.parent / name
    path.write_text(schema if isinstance(schema, str) else json.dumps(schema))
    return path


def five(root: Path) -> Path:
    """The schema of cbl@4 with one more field, which is always there."""
    schema = schema_of(root, "cbl@4")
    schema["properties"]["suite"] = {"type": "string"}
    schema["required"].append("suite")
    return draft(root, schema)


def files(root: Path) -> dict[str, bytes]:
    """What is in the checkout, file by file?"""
    home = root.parent
    return {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and path.parent != home
    }


def test_new_version_is_a_draft_on_shelves_that_are_in_order(run: Run, checkout: Path) -> None:
    before = files(checkout)
    done = run("add", five(checkout), "--to", "cbl@5", "--shelves", checkout)
    assert (done.exit_code, done.stderr) == (0, "add: cbl@5 is a draft now; wrote 8 files\n")
    after = files(checkout)
    assert {name for name in after if before.get(name) != after[name]} == {
        "fixtures/cbl/5/invalid/no-evaluation_id.expect.json",
        "fixtures/cbl/5/invalid/no-evaluation_id.json",
        "fixtures/cbl/5/valid/smallest.json",
        "versions/catalog.json",
        "versions/cbl/5/schema.json",
        "versions/cbl/CHANGELOG.md",
        "versions/cbl/format.json",
        "versions/lock.json",
    }
    assert before.keys() <= after.keys()
    assert run("check", "--shelves", checkout, wide=True).exit_code == 0
    assert run("lint", "--shelves", checkout, wide=True).exit_code == 0
    assert "  cbl@5                           draft\n" in run("list", "--shelves", checkout).stdout
    assert not list(checkout.glob(".*"))


def test_what_is_written_names_version_predecessor_rule_and_source(
    run: Run, checkout: Path
) -> None:
    arguments = ("--to", "cbl@5", "--source", "https://example.org/notes")
    run("add", five(checkout), *arguments, "--shelves", checkout)
    assert read(checkout / "cbl/5/schema.json")["$id"] == "urn:evalglot:cbl:5"
    entry = read(checkout / "cbl/format.json")["versions"][-1]
    assert entry == {
        "version": "5",
        "predecessor": "4",
        "records": "/results",
        "record": "result",
        "detect": {
            "has": ["/evaluation_id", "/total_passed", "/suite"],
            "lacks": ["/failed_results"],
        },
    }
    history = (checkout / "cbl/CHANGELOG.md").read_text()
    assert "\n\n## 5\n\nSource: https://example.org/notes\n\n## 4\n" in history


def test_what_changes_for_whom_is_told(run: Run, checkout: Path) -> None:
    done = run("add", five(checkout), "--to", "cbl@5", "--shelves", checkout, "--dry-run")
    lines = done.stdout.splitlines()
    assert lines[0] == "cbl@5: a draft after cbl@4; promise: none"
    told = " ".join(done.stdout.split())
    assert (
        "who reads files of cbl@4 by cbl@5 (backward): some become invalid"
        f" {OLD} of {OLD} sample files are refused: everything.json," in told
    )
    assert "who reads files of cbl@5 by cbl@4 (forward): all of them stay valid" in told
    assert "/suite property-added-required" in told
    assert 'backward breaks: {"evaluation_id": 0, "total_passed": 0, "total_failed": 0}' in told


def test_dry_run_writes_nothing(run: Run, checkout: Path) -> None:
    file, before = five(checkout), files(checkout)
    done = run("add", file, "--to", "cbl@5", "--shelves", checkout, "--dry-run")
    assert (done.exit_code, done.stderr) == (0, "add: cbl@5 could be added; nothing was written\n")
    assert files(checkout) == before


def test_broken_promise_is_refused_by_table_and_files(run: Run, checkout: Path) -> None:
    file, before = five(checkout), files(checkout)
    arguments = ("--to", "cbl@5", "--compat", "backward")
    done = run("add", file, *arguments, "--shelves", checkout, wide=True)
    assert done.exit_code == 1
    assert "5/schema.json: error [compat/property-added-required]" in done.stdout
    assert "cbl/4/valid/typical.json is not valid by cbl@5" in " ".join(done.stdout.split())
    assert done.stderr == (
        f"add: {1 + OLD} errors; nothing was written; --compat none would promise less\n"
    )
    assert files(checkout) == before


def test_promise_of_its_own_is_kept_with_the_version(run: Run, checkout: Path) -> None:
    file = five(checkout)
    done = run("add", file, "--to", "cbl@5", "--compat", "forward", "--shelves", checkout)
    assert done.stdout.startswith("cbl@5: a draft after cbl@4; promise: forward\n")
    locked = read(checkout / "lock.json")
    assert (locked["cbl@5"]["compat"], locked["cbl@4"]["compat"]) == ("forward", "none")
    assert run("check", "--shelves", checkout, wide=True).exit_code == 0


def test_rule_that_takes_files_of_other_versions_is_refused(run: Run, checkout: Path) -> None:
    file = draft(checkout, schema_of(checkout, "cbl@4"))
    done = run("add", file, "--to", "cbl@5", "--shelves", checkout, wide=True)
    assert done.exit_code == 1
    assert "cbl/format.json: error [detect/taken]" in done.stdout
    assert "Say --detect RULE" in " ".join(done.stdout.split())
    rule = '{"has": ["/evaluation_id", "/suite"]}'
    done = run("add", file, "--to", "cbl@5", "--detect", rule, "--shelves", checkout)
    assert done.exit_code == 0


def test_real_files_become_fixtures(run: Run, checkout: Path, tmp_path: Path) -> None:
    whole = json.loads((FIXTURES / "cbl/4/valid/typical.json").read_bytes()) | {"suite": "a"}
    first, second = tmp_path / "run 1.json", tmp_path / "second.json"
    first.write_text(json.dumps(whole))
    second.write_text(json.dumps(whole | {"total_passed": 0}))
    samples = ("--sample", first, "--sample", second)
    done = run("add", five(checkout), "--to", "cbl@5", *samples, "--shelves", checkout)
    assert done.exit_code == 0
    valid = checkout.parent / "fixtures/cbl/5/valid"
    assert {path.name for path in valid.iterdir()} == {
        "smallest.json",
        "typical.json",
        "second.json",
    }
    assert read(valid / "typical.json") == whole
    assert "valid/typical.json" not in done.stdout.partition("Still to do")[2]


def test_file_that_the_new_version_refuses_is_no_fixture(
    run: Run, checkout: Path, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text((FIXTURES / "cbl/4/valid/typical.json").read_text())
    file, before = five(checkout), files(checkout)
    done = run("add", file, "--to", "cbl@5", "--sample", wrong, "--shelves", checkout, wide=True)
    assert done.exit_code == 1
    assert "wrong.json: error [schema/required]" in done.stdout
    assert files(checkout) == before


def test_fixtures_that_are_there_stay_and_are_held_to_the_schema(run: Run, checkout: Path) -> None:
    there = checkout.parent / "fixtures/cbl/5/valid/smallest.json"
    there.parent.mkdir(parents=True)
    there.write_text('{"evaluation_id": 7}')
    done = run("add", five(checkout), "--to", "cbl@5", "--shelves", checkout, wide=True)
    assert done.exit_code == 1
    assert "smallest.json: error [schema/required]" in done.stdout
    assert there.read_text() == '{"evaluation_id": 7}'


def test_new_format_needs_a_homepage_and_a_list_of_records(run: Run, checkout: Path) -> None:
    schema = {
        "title": "Tool results",
        "description": "One record a case.",
        "type": "object",
        "properties": {
            "tool": {"const": "tool"},
            "cases": {"type": "array", "items": {"$ref": "#/definitions/case"}},
            "x-evalglot": {"title": "slot", "type": "object"},
        },
        "required": ["tool", "cases"],
        "additionalProperties": True,
        "definitions": {
            "case": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "x-evalglot": {"title": "slot", "type": "object"},
                },
                "required": ["name"],
                "additionalProperties": True,
            }
        },
    }
    file, shelves = draft(checkout, schema), ("--shelves", checkout)
    done = run("add", file, "--to", "tool@1", *shelves)
    assert done.exit_code == 2
    assert "--homepage URL for a format that is new" in done.stderr
    done = run("add", file, "--to", "tool@1", "--homepage", "https://example.org", *shelves)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("tool@1: a draft, the first of its format; promise: backward\n")
    described = read(checkout / "tool/format.json")
    assert described["title"] == "Tool results"
    assert described["versions"] == [
        {
            "version": "1",
            "records": "/cases",
            "record": "case",
            "detect": {"has": ["/tool", "/cases"], "equals": {"/tool": "tool"}},
        }
    ]
    assert (checkout / "tool/CHANGELOG.md").read_text().startswith("# tool: versions\n\n## 1\n")
    assert (checkout.parent / "fixtures/tool/README.md").read_text().strip()
    assert run("check", *shelves, wide=True).exit_code == 0
    assert run("show", "tool@1", *shelves).exit_code == 0
    for change_of in ({"items": {"type": "object"}}, {"items": {"$ref": "#/definitions/none"}}):
        schema["properties"]["cases"] = {"type": "array", **change_of}
        arguments = ("--to", "other@1", "--homepage", "https://example.org", *shelves)
        done = run("add", draft(checkout, schema), *arguments, wide=True)
        assert done.exit_code in (1, 2)
        assert not (checkout / "other").exists()


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("cbl", "expected FORMAT@VERSION"),
        ("cbl@", "expected FORMAT@VERSION"),
        ("cbl@five", "expected FORMAT@VERSION"),
        ("cbl@5@6", "expected FORMAT@VERSION"),
        ("cbl@05", "expected FORMAT@VERSION"),
        ("cbl@5\n", "expected FORMAT@VERSION"),
        ("cbl@\u0665", "expected FORMAT@VERSION"),
        ("../x@1", "expected FORMAT@VERSION"),
        ("cbl/../../x@1", "expected FORMAT@VERSION"),
        ("cbl@../5", "expected FORMAT@VERSION"),
        ("CBL@5", "expected FORMAT@VERSION"),
        ("ünï@1", "expected FORMAT@VERSION"),
        ("@1", "expected FORMAT@VERSION"),
        ("", "expected FORMAT@VERSION"),
        (f"{'a' * 300}@1", "expected FORMAT@VERSION"),
        ("cbl@4", "cbl@4 exists already, draft; expected a new version, above 4."),
        ("cbl@3.5", "cbl@3.5 is not newer than cbl@4"),
        ("cbl@4.0", "cbl@4.0 is not newer than cbl@4"),
        ("evalglot-loss-report@2", "keeps for its own reports"),
        ("evalglot-mine@1", "keeps for its own reports"),
    ],
)
def test_version_that_can_not_be_is_refused(run: Run, checkout: Path, ref: str, said: str) -> None:
    file, before = five(checkout), files(checkout)
    done = run("add", file, "--to", ref, "--shelves", checkout, "--homepage", "https://a.org")
    assert done.exit_code == 2
    assert said in done.stderr
    assert files(checkout) == before


def test_released_version_is_never_replaced(run: Run, checkout: Path) -> None:
    entry = read(checkout / "lock.json")["cbl@4"]
    released = entry | {"released": "2026-12-01", "status": "released"}
    change(checkout / "lock.json", **{"cbl@4": released})
    done = run("add", five(checkout), "--to", "cbl@4", "--shelves", checkout)
    assert done.exit_code == 2
    assert "cbl@4 exists already, released" in done.stderr
    assert "A released schema is never edited." in done.stderr


def test_folder_that_is_there_unnamed_is_not_written_over(run: Run, checkout: Path) -> None:
    (checkout / "cbl" / "5").mkdir()
    done = run("add", five(checkout), "--to", "cbl@5", "--shelves", checkout)
    assert done.exit_code == 2
    assert "it is there already, though no format.json names it" in done.stderr


@pytest.mark.parametrize(
    ("schema", "code", "said"),
    [
        ("{", 2, "draft.json:1:2"),
        ("", 2, "draft.json"),
        ("\x00\x01", 2, "draft.json"),
        ('{"a": 1, "a": 2}', 2, "draft.json"),
        ([], 1, "lint/subset"),
        (None, 1, "lint/subset"),
        (7, 1, "lint/subset"),
        ({"allOf": [{}]}, 1, "lint/subset"),
        ({"type": "text"}, 1, "lint/subset"),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema"}, 1, "lint/subset"),
        ({"items": {"$ref": "https://example.org/x"}}, 1, "lint/reference"),
        ({"properties": {"ünï\u202e": {}}}, 1, "lint/open-or-closed"),
        ({"type": "object"}, 2, "the schema has no list of records at /results"),
    ],
)
def test_schema_that_is_none_of_ours_is_refused(
    run: Run, checkout: Path, schema: Any, code: int, said: str
) -> None:
    file, before = draft(checkout, schema), files(checkout)
    done = run("add", file, "--to", "cbl@5", "--shelves", checkout, wide=True)
    assert done.exit_code == code, done.output
    assert said in done.output
    assert "Traceback" not in done.output
    assert files(checkout) == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--detect", "{"), "--detect:1:2"),
        (("--detect", '{"hsa": []}'), "hsa"),
        (("--detect", "[]"), "format.json would not hold"),
        (("--records", "/nothing"), "no list of records at /nothing; expected one list"),
        (("--title", "x"), "--title for cbl, which is there already"),
        (("--compat", "sideways"), "sideways"),
        (("--sample", "missing.json"), "missing.json"),
    ],
)
def test_wrong_options_are_told_in_one_message(
    run: Run, checkout: Path, arguments: tuple[str, ...], said: str
) -> None:
    file, before = five(checkout), files(checkout)
    done = run("add", file, "--to", "cbl@5", "--shelves", checkout, *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert files(checkout) == before


def test_missing_file_and_folder_end_with_2(run: Run, checkout: Path, tmp_path: Path) -> None:
    done = run("add", tmp_path / "missing.json", "--to", "cbl@5", "--shelves", checkout)
    assert (done.exit_code, "can't be read" in done.stderr) == (2, True)
    done = run("add", five(checkout), "--to", "cbl@5", "--shelves", tmp_path / "missing")
    assert (done.exit_code, "no shelves" in done.stderr) == (2, True)


def test_installed_shelves_are_left_alone(
    run: Run, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.shelves.INSTALLED", checkout)
    done = run("add", five(checkout), "--to", "cbl@5", "--shelves", checkout)
    assert done.exit_code == 2
    assert "the shelves of an installed evalglot" in done.stderr
    assert "expected a checkout of the repository" in done.stderr


def test_folder_that_can_not_be_written_is_told(
    run: Run, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mkdir(self: Path, *_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", mkdir)  # chmod stops no root
    done = run("add", five(checkout), "--to", "cbl@5", "--shelves", checkout, wide=True)
    assert done.exit_code == 2
    assert "can't be changed (Permission denied" in done.stderr


@pytest.mark.parametrize("fails_at", [1, 3, 6, 8])
def test_interrupted_move_takes_back_what_was_moved(
    run: Run, checkout: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    file, before, real = five(checkout), files(checkout), Path.replace
    moved: list[Path] = []

    def replace(self: Path, target: Path) -> Path:
        moved.append(self)
        if len(moved) == fails_at:
            raise OSError(28, "No space left on device", str(target))
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    done = run("add", file, "--to", "cbl@5", "--shelves", checkout, wide=True)
    assert done.exit_code == 2
    assert "can't be changed (No space left on device" in done.stderr
    assert "Nothing was written." in done.stderr
    assert len(moved) == fails_at
    assert files(checkout) == before
    assert not (checkout / "cbl" / "5").exists()
    assert not (checkout.parent / "fixtures" / "cbl" / "5").exists()


def test_read_only_shelf_leaves_nothing_behind(run: Run, checkout: Path) -> None:
    (checkout / "sandtable").chmod(0o555)
    try:
        done = run("add", five(checkout), "--to", "cbl@5", "--shelves", checkout)
    finally:
        (checkout / "sandtable").chmod(0o755)
    assert done.exit_code == 0, done.output
    assert not (checkout / staging.STAGE).exists()


def test_two_at_once_do_not_mix(run: Run, checkout: Path) -> None:
    (checkout / staging.STAGE).mkdir()
    done = run("add", five(checkout), "--to", "cbl@5", "--shelves", checkout)
    assert done.exit_code == 2
    assert "somebody is changing it, or was interrupted" in done.stderr
    assert (checkout / staging.STAGE).exists()


@pytest.mark.parametrize("format_", catalog().formats, ids=lambda one: one.id)
def test_newest_schema_of_each_format_can_be_added_again(
    run: Run, checkout: Path, format_: Any
) -> None:
    file = versions_root() / format_.id / format_.newest.version / "schema.json"
    rule = '{"has": ["/never-there"], "first": {"has": ["/never-there"]}}'
    arguments = ("--to", f"{format_.id}@99", "--detect", rule)
    done = run("add", file, *arguments, "--shelves", checkout)
    assert done.exit_code == 0, done.output
    assert "no changes" in done.stdout
