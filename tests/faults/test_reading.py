"""Inputs that fail, end early or change while they are read: a result or one clear error."""

from __future__ import annotations

import errno
import mmap
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from registry import files, limits
from registry.errors import InputError
from tests.faults.running import ROOT, RUN, beside, large, refused, run, start

COMMANDS = {
    "convert": ["convert", "--to", "sandtable"],
    "diff": ["diff", RUN],
    "report": ["report"],
    "cases": ["cases", "--else-raw"],
    "roundtrip": ["roundtrip"],
    "infer": ["registry", "infer"],
    "schemas": ["registry", "diff", "cbl@4"],
    "map": ["diff", RUN, RUN, "--map"],
}
each_command = pytest.mark.parametrize("name", COMMANDS)


@each_command
@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no file here fails to be read")
def test_a_read_error_is_told(name: str) -> None:
    """Reading /proc/self/mem from its start is an input/output error."""
    assert "can't be read" in refused(run(*COMMANDS[name], "/proc/self/mem"))


@pytest.mark.parametrize("name", [one for one in COMMANDS if one != "schemas"])  # `-` is no format
def test_a_closed_standard_input_is_told(name: str) -> None:
    done = run(*COMMANDS[name], "-", stdin=None, preexec_fn=lambda: os.close(0), fresh=True)
    assert "can't be read (Bad file descriptor)" in refused(done)


@each_command
def test_a_cut_input_is_told(name: str, tmp_path: Path) -> None:
    cut = tmp_path / "cut.json"
    cut.write_bytes(RUN.read_bytes()[:-20])
    done = run(*COMMANDS[name], cut)
    if name == "cases":  # that is what --else-raw is for
        assert done.stdout == cut.read_bytes()
    else:
        assert str(cut) in refused(done)


def copying(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], object]) -> None:
    """Let something happen when half of a large file is copied."""

    def copied(source: IO[bytes], to: IO[bytes], size: int) -> None:
        to.write(source.read(size))
        meanwhile()
        while chunk := source.read(size):
            to.write(chunk)

    monkeypatch.setattr(files.shutil, "copyfileobj", copied)


def _write(path: Path, mode: str, data: bytes) -> None:
    with path.open(mode) as stream:
        stream.write(data)


CHANGES: dict[str, Callable[[Path], object]] = {
    "cut": lambda path: os.truncate(path, 1_500_000),
    "emptied": lambda path: os.truncate(path, 0),
    "added to": lambda path: _write(path, "ab", b" "),
    "written over": lambda path: _write(path, "r+b", b"[[[["),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_while_it_is_read_is_refused(
    change: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = large(tmp_path / "run.json")
    os.utime(path, (0, 0))
    copying(monkeypatch, lambda: CHANGES[change](path))
    with (
        pytest.raises(InputError, match="changed while it was read"),
        files.opened(str(path)) as data,
    ):
        del data


@pytest.mark.parametrize("copies", [1, 3000], ids=["small", "large"])
@pytest.mark.parametrize("change", [*CHANGES, "replaced", "removed"])
def test_what_becomes_of_a_file_after_it_was_opened_does_not_matter(
    change: str, copies: int, tmp_path: Path
) -> None:
    """Were the file itself mapped, cutting it would end this process here."""
    path = large(tmp_path / "run.json", copies)
    before = path.read_bytes()
    changes = {**CHANGES, "replaced": _replace, "removed": Path.unlink}
    with files.opened(str(path)) as data:
        assert (copies > 1) is isinstance(data, mmap.mmap)
        if change == "cut" and copies == 1:
            os.truncate(path, 10)
        else:
            changes[change](path)
        assert bytes(data) == before


def _replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(b"{}")
    other.replace(path)


@pytest.mark.parametrize("name", ["convert", "diff", "validate"])
def test_a_file_that_never_stands_still_ends_no_process(name: str, tmp_path: Path) -> None:
    """Each run ends with a result, or one of our errors: never by SIGBUS."""
    path = large(tmp_path / "run.json")
    whole = path.read_bytes()
    command = {**COMMANDS, "validate": ["validate"]}[name]
    for _ in range(2):
        path.write_bytes(whole)
        with start(*command, path, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None:
                os.truncate(path, len(whole) // 2)
                time.sleep(0.02)
                path.write_bytes(whole)
                time.sleep(0.05)
            _, said = process.communicate()
        assert process.returncode in (0, 1, 2, 3)
        assert b"Traceback" not in said


def test_a_large_file_is_read_into_memory_where_there_is_no_room_for_a_copy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = large(tmp_path / "run.json")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.shutil, "copyfileobj", full)
    with files.opened(str(path)) as data:
        assert data == path.read_bytes()
    monkeypatch.setattr(limits, "MAX_BYTES", 1000)
    with pytest.raises(InputError, match=r"No space left on device.*Make room"):
        files.opened(str(path)).__enter__()


def test_an_endless_pipe_is_refused(tmp_path: Path) -> None:
    """`yes | evalglot convert`, with the limit lowered for the test's sake."""
    (tmp_path / "sitecustomize.py").write_text(
        "from registry import limits\nlimits.MAX_BYTES = 3_000_000\n", "utf-8"
    )
    ways = os.pathsep.join([str(tmp_path), str(ROOT)])
    with subprocess.Popen(["yes", '{"a": 1}'], stdout=subprocess.PIPE) as endless:
        done = run("convert", "--to", "cbl", stdin=endless.stdout, env={"PYTHONPATH": ways})
        endless.kill()
    assert "(the limit MAX_BYTES)" in refused(done)


def test_a_carry_beside_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(RUN.read_bytes())
    (tmp_path / "run.json.carry.json").symlink_to("/proc/self/mem")
    said = refused(run("convert", "--to", "sandtable", path))
    assert "run.json.carry.json: can't be read" in said
    assert beside(tmp_path) == ["run.json", "run.json.carry.json"]
