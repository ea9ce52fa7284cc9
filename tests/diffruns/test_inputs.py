"""An input may be a file, standard input, a folder's newest file, or a file as it was committed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from diffruns.inputs import opened
from registry.errors import InputError


def read(name: str) -> tuple[bytes, str]:
    with opened(name) as (data, file):
        return bytes(data), file


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "run.json").write_bytes(b"old")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    (tmp_path / "runs" / "run.json").write_bytes(b"new")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_folder_gives_its_newest_result_file(tmp_path: Path) -> None:
    for age, name in enumerate(["b.json", "a.jsonl", "c.txt"], start=1):
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, (age, age))
    assert read(f"{tmp_path}/@latest") == (b"a.jsonl", str(tmp_path / "a.jsonl"))


def test_of_files_of_one_age_the_last_by_name_is_newest(tmp_path: Path) -> None:
    for name in ("run-1.json", "run-2.json"):
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, (1, 1))
    assert read(f"{tmp_path}/@latest")[0] == b"run-2.json"


def test_git_gives_the_file_as_it_was_committed(repository: Path) -> None:
    assert read("git:HEAD:runs/run.json") == (b"old", "git:HEAD:runs/run.json")
    assert read("runs/run.json")[0] == b"new"


def test_git_paths_are_read_from_where_one_stands(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / "runs")
    assert read("git:HEAD:run.json")[0] == b"old"


@pytest.mark.parametrize(
    "name", ["git:", "git:HEAD", "git::run.json", "git:HEAD:", "git:--output=x:run.json"]
)
def test_what_names_no_file_in_git_is_refused(repository: Path, name: str) -> None:
    with pytest.raises(InputError, match="git:REVISION:PATH"):
        read(name)
    assert not (repository / "x").exists()


@pytest.mark.parametrize("name", ["git:nowhere:runs/run.json", "git:HEAD:absent.json"])
def test_a_revision_or_path_that_is_not_there_is_said(repository: Path, name: str) -> None:
    with pytest.raises(InputError, match="a revision and a path in this repository"):
        read(name)


def test_an_empty_folder_and_none_at_all_are_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no result file"):
        read(f"{tmp_path}/@latest")
    with pytest.raises(InputError, match="can't be read"):
        read(f"{tmp_path}/absent/@latest")
