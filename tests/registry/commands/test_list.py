"""`registry list`."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry import gate
from registry.catalog import catalog
from registry.engine import judge
from registry.shelves import versions_root
from tests.registry.commands.conftest import Run, change, read


def test_each_version_stands_under_its_format_with_its_status(run: Run) -> None:
    lines = run("list").stdout.splitlines()
    assert lines[0] == "Circuit Breaker Labs evaluation"
    assert lines[1].split()[:2] == ["cbl@1", read(versions_root() / "lock.json")["cbl@1"]["status"]]
    assert [line.split()[0] for line in lines if "@" in line][: len(catalog().versions)] == [
        version.ref for version in catalog().versions
    ]


def test_released_version_has_its_date(run: Run, copy: Path) -> None:
    entry = read(copy / "lock.json")["cbl@4"]
    change(
        copy / "lock.json", **{"cbl@4": entry | {"released": "2026-12-01", "status": "released"}}
    )
    done = run("list", "--shelves", copy)
    assert "  cbl@4                           released  2026-12-01\n" in done.stdout


def test_json_keeps_to_its_schema(run: Run) -> None:
    told = gate.load(run("list", "--format", "json", wide=True).stdout_bytes)
    schema = gate.load((versions_root() / "evalglot-registry-list/1/schema.json").read_bytes())
    assert judge(schema)(told)


@pytest.mark.parametrize("name", ["", "missing"])
def test_folder_without_shelves_is_refused(run: Run, tmp_path: Path, name: str) -> None:
    done = run("list", "--shelves", tmp_path / name)
    assert done.exit_code == 2
    assert done.stderr == (
        f"list: {tmp_path / name}: no shelves; expected a folder with FORMAT/format.json"
        " for each format\n"
    )


def test_broken_format_file_is_told_in_one_message(run: Run, copy: Path) -> None:
    (copy / "cbl" / "format.json").write_text("{")
    done = run("list", "--shelves", copy)
    assert done.exit_code == 2
    assert "cbl/format.json" in done.stderr
    assert "Traceback" not in done.output


def test_versions_folder_that_is_here_is_meant(
    run: Run, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(copy / "cbl" / "format.json", title="Of this folder")
    monkeypatch.chdir(copy.parent)
    assert run("list").stdout.startswith("Of this folder\n")
