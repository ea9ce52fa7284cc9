"""`registry check`: each way in which shelves can be out of order is told, and how it ends."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from registry import generate
from registry.commands.check import check
from registry.shelves import versions_root
from tests.registry.commands.conftest import Run, change, read
from tests.registry.samples import FIXTURES


@pytest.fixture
def released(copy: Path) -> Path:
    """Shelves of which cbl@4 is released, and everything is in order."""
    entry = read(copy / "lock.json")["cbl@4"] | {"released": "2026-12-01", "status": "released"}
    change(copy / "lock.json", **{"cbl@4": entry})
    generate.write(generate.outputs(copy), copy)
    return copy


def rules(run: Run, root: Path, *arguments: str | Path, code: int = 1) -> list[str]:
    done = run("check", "--shelves", root, "--format", "json", *arguments, wide=True)
    assert done.exit_code == code, done.output
    told = json.loads(done.stdout)
    return [one["rule"] for file in told["files"] for one in file["findings"]]


def commit(folder: Path) -> None:
    who = {
        f"GIT_{role}_{what}": "a@b"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    for words in (["init", "-q"], ["add", "--all"], ["commit", "-q", "-m", "all"]):
        subprocess.run(["git", *words], cwd=folder, env=env | who, check=True)


def shelf(root: Path, version: str) -> Path:
    id_, _, number = version.partition("@")
    return root / id_ / number / "schema.json"


def test_own_shelves_are_in_order(run: Run) -> None:
    done = run("check", "--shelves", versions_root())
    assert (done.exit_code, done.stdout) == (0, "")


def test_released_shelves_in_order_have_no_finding(run: Run, released: Path) -> None:
    assert rules(run, released, code=0) == []


def test_edited_released_schema_is_found(run: Run, released: Path) -> None:
    change(shelf(released, "cbl@4"), title="Edited")
    assert rules(run, released) == ["lock/digest-changed"]
    done = run("check", "--shelves", released, wide=True)
    assert "schema.json: error [lock/digest-changed]" in done.stdout
    assert "A released schema is never edited: add a version." in " ".join(done.stdout.split())


def test_reformatted_released_schema_is_still_the_same(run: Run, released: Path) -> None:
    path = shelf(released, "cbl@4")
    path.write_text(json.dumps(read(path)))
    assert rules(run, released, code=0) == []


def test_edited_draft_makes_the_generated_files_stale(run: Run, released: Path) -> None:
    change(shelf(released, "cbl@3"), title="Edited")
    assert rules(run, released) == ["generated/stale", "generated/stale"]


def test_format_without_its_released_version_is_found(run: Run, released: Path) -> None:
    shutil.rmtree(released / "cbl" / "4")
    assert rules(run, released) == ["shelf/no-schema"]
    described = read(released / "cbl" / "format.json")
    change(released / "cbl" / "format.json", versions=described["versions"][:-1])
    assert "lock/version-vanished" in rules(run, released)


def test_folder_that_format_json_does_not_name_is_found(run: Run, copy: Path) -> None:
    shutil.copytree(copy / "cbl" / "4", copy / "cbl" / "5")
    assert rules(run, copy) == ["shelf/unlisted"]


@pytest.mark.parametrize("named", ["3", None, "4"])
def test_each_version_names_the_one_before_it(run: Run, copy: Path, named: str | None) -> None:
    described = read(copy / "cbl" / "format.json")
    described["versions"][-1]["predecessor"] = named
    change(copy / "cbl" / "format.json", **described)
    assert rules(run, copy) == ["shelf/predecessor"]


def test_oldest_version_names_none(run: Run, copy: Path) -> None:
    described = read(copy / "cbl" / "format.json")
    described["versions"][0]["predecessor"] = "0"
    change(copy / "cbl" / "format.json", **described)
    assert rules(run, copy) == ["shelf/predecessor"]


def _requiring(root: Path, version: str, field: str) -> None:
    path = shelf(root, version)
    schema = read(path)
    change(path, required=[*schema["required"], field])
    generate.write(generate.outputs(root), root)


def test_broken_promise_is_found_by_table_and_on_files(run: Run, copy: Path) -> None:
    _requiring(copy, "sandtable@1.1", "inputs")
    found = rules(run, copy, "--fixtures", FIXTURES)
    assert found[0] == "compat/required-added"
    assert set(found[1:]) == {"compat/fixture"}
    assert rules(run, copy) == ["compat/required-added"]


def test_promise_of_the_other_direction_is_held_to_files_of_the_newer_version(
    run: Run, copy: Path
) -> None:
    change(copy / "sandtable" / "format.json", compat="forward")
    _requiring(copy, "sandtable@1.0", "inputs")
    assert set(rules(run, copy, "--fixtures", FIXTURES)) == {
        "compat/required-removed",
        "compat/fixture",
    }


def test_transitive_promise_is_held_to_all_versions_before(run: Run, copy: Path) -> None:
    change(copy / "cbl" / "format.json", compat="backward-transitive")
    generate.write(generate.outputs(copy), copy)
    done = run("check", "--shelves", copy, wide=True)
    assert "compatible with cbl@1" in " ".join(done.stdout.split())


def test_schema_that_can_not_be_compared_is_a_finding(run: Run, copy: Path) -> None:
    change(shelf(copy, "sandtable@1.1"), maxProperties=3)
    generate.write(generate.outputs(copy), copy)
    assert rules(run, copy) == ["compat/undecided"]


@pytest.mark.parametrize("name", ["lock.json", "catalog.json"])
def test_stale_generated_file_is_found(run: Run, copy: Path, name: str) -> None:
    (copy / name).write_text("{}")
    assert "generated/stale" in rules(run, copy)


def test_generated_hooks_are_checked_where_they_are_ours(run: Run, copy: Path) -> None:
    hooks = copy.parent / ".pre-commit-hooks.yaml"
    hooks.write_text("- id: of-somebody-else\n")
    assert rules(run, copy, code=0) == []
    hooks.write_text("# Generated by `python -m registry.generate`; do not edit.\n")
    assert rules(run, copy) == ["generated/stale"]


def test_released_entry_that_vanished_since_the_base_is_found(run: Run, released: Path) -> None:
    commit(released)
    assert rules(run, released, "--base", "HEAD", code=0) == []
    locked = read(released / "lock.json")
    del locked["cbl@4"]
    (released / "lock.json").write_text(json.dumps(locked))
    generate.write(generate.outputs(released), released)
    assert rules(run, released, code=0) == []
    assert rules(run, released, "--base", "HEAD") == ["lock/entry-changed"]
    assert "Entry(" not in run("check", "--shelves", released, "--base", "HEAD", wide=True).output


def test_released_entry_whose_shelf_is_gone_too_is_found(run: Run, released: Path) -> None:
    commit(released)
    described = read(released / "cbl" / "format.json")
    change(released / "cbl" / "format.json", versions=described["versions"][:-1])
    shutil.rmtree(released / "cbl" / "4")
    locked = read(released / "lock.json")
    del locked["cbl@4"]
    (released / "lock.json").write_text(json.dumps(locked))
    generate.write(generate.outputs(released), released)
    assert rules(run, released, "--base", "HEAD") == ["lock/entry-vanished"]


def test_base_without_a_lock_there_ends_with_2(run: Run, released: Path) -> None:
    commit(released.parent)
    moved = released.rename(released.with_name("schemas"))
    done = run("check", "--shelves", moved, "--base", "HEAD")
    assert done.exit_code == 2
    assert "no lock.json here at HEAD" in done.stderr


@pytest.mark.parametrize("revision", ["no-such", "--upload-pack=x", ""])
def test_unknown_base_ends_with_2(run: Run, released: Path, revision: str) -> None:
    commit(released)
    done = run("check", "--shelves", released, "--base", revision or "HEAD~9")
    assert done.exit_code == 2
    assert "git knows no commit" in done.stderr


def test_base_outside_of_a_repository_ends_with_2(run: Run, released: Path) -> None:
    done = run("check", "--shelves", released, "--base", "HEAD")
    assert done.exit_code == 2
    assert "not a git repository" in done.stderr


@pytest.mark.parametrize("name", ["lock.json", "sandtable/format.json", "cbl/4/schema.json"])
def test_unreadable_shelves_end_with_2(run: Run, copy: Path, name: str) -> None:
    (copy / name).write_text("{")
    done = run("check", "--shelves", copy)
    assert done.exit_code == 2
    assert name in done.stderr.replace(os.sep, "/")
    assert "Traceback" not in done.output


def test_further_generators_are_asked_where_they_are_at_home(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "makes_pages.py").write_text(
        "import pathlib, sys\n"
        "ROOT = pathlib.Path(__file__).parent\n"
        "def main(arguments):\n"
        "    sys.stderr.write('page.md is stale: make it anew')\n"
        "    return int(arguments == ['--check'])\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    told = CliRunner().invoke(check, ["--shelves", str(copy)], obj=("makes_pages",))
    sys.modules.pop("makes_pages")
    assert told.exit_code == 1
    assert "generated/stale" in told.stdout
    assert "page.md is stale: make it anew" in told.stdout
    elsewhere: Any = CliRunner().invoke(
        check, ["--shelves", str(copy)], obj=("converter.generate",)
    )
    assert elsewhere.exit_code == 0


def generator(tmp_path: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["import pathlib", "from registry.errors import InputError"]
    lines += ["ROOT = pathlib.Path(__file__).parent", "def main(arguments):", f"    {body}"]
    (tmp_path / "makes_more.py").write_text("\n".join(lines) + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "makes_more", raising=False)


def test_a_generator_that_can_not_go_on_is_told_as_one(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator(tmp_path, "raise InputError(found='no way home')", monkeypatch)
    told = CliRunner().invoke(check, ["--shelves", str(copy)], obj=("makes_more",))
    assert told.exit_code == 1
    assert "no way home" in told.stdout


def test_no_generator_is_asked_while_the_lock_is_broken(
    released: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator(tmp_path, "raise KeyError('cbl@4')", monkeypatch)
    change(shelf(released, "cbl@4"), title="Edited")
    told = CliRunner().invoke(check, ["--shelves", str(released)], obj=("makes_more",))
    assert told.exit_code == 1
    assert "lock/digest-changed" in told.stdout


def test_annotations_name_the_file(run: Run, released: Path) -> None:
    change(shelf(released, "cbl@4"), title="Edited")
    done = run("check", "--shelves", released, "--format", "github", wide=True)
    assert done.stdout.startswith("::error file=")
    assert "title=lock/digest-changed::" in done.stdout
