"""Outputs that can't be written leave what was there, nothing half done, and one clear error."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.faults.running import (
    RUN,
    beside,
    files_of_at_most,
    large,
    refused,
    run,
    small_disk,
    start,
    without_override,
)

OLD = b'{"old": true}\n'

WRITING: dict[str, list[str | Path]] = {
    "convert": ["convert", "--to", "sandtable", "-q", RUN, "-o"],
    "diff": ["diff", "--format", "html", RUN, RUN, "-o"],
    "report": ["report", RUN, "-o"],
    "validate": ["validate", "--format", "json", RUN, "-o"],
    "infer": ["registry", "infer", RUN, "-o"],
    "schemas": ["registry", "diff", "cbl@3", "cbl@4", "-o"],
}
"""Each command that writes a file, up to the name of that file."""
each_command = pytest.mark.parametrize("name", WRITING)
each_way = pytest.mark.parametrize("name", ["convert", "validate"])
"""A file is written record by record, or at once."""

PRINTING: dict[str, list[str | Path]] = {
    "convert": ["convert", "--to", "sandtable", "-q", RUN],
    "diff": ["diff", RUN, RUN],
    "report": ["report", RUN],
    "cases": ["cases", RUN],
    "validate": ["validate", "-q", "--format", "json", RUN],
    "infer": ["registry", "infer", RUN],
    "list": ["registry", "list"],
    "help": ["--help"],
}
each_printing = pytest.mark.parametrize("name", PRINTING)


@each_command
def test_a_file_that_may_not_grow_is_told(name: str, tmp_path: Path) -> None:
    """As on a full disk, and with `ulimit -f`."""
    out = tmp_path / "out.json"
    out.write_bytes(OLD)
    said = refused(run(*WRITING[name], out, preexec_fn=files_of_at_most(100)))
    assert f"{out}: can't be written (File too large)" in said
    assert out.read_bytes() == OLD
    assert beside(tmp_path) == ["out.json"]


@each_way
def test_a_full_disk_is_told(name: str, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "8k") as disk:
        if disk is None:
            pytest.skip("no file system may be mounted here: another test limits files instead")
        (disk / "out.json").write_bytes(OLD)
        (disk / "filling").write_bytes(b"x" * 4096)
        said = refused(run(*WRITING[name], disk / "out.json"))
        assert "can't be written (No space left on device)" in said
        assert (disk / "out.json").read_bytes() == OLD
        assert beside(disk) == ["filling", "out.json"]


def test_no_room_for_temporary_files_is_told(tmp_path: Path) -> None:
    """What is held back until it is complete lies there."""
    source = large(tmp_path / "run.json", 100)
    (tmp_path / "out.json").write_bytes(OLD)
    with small_disk(tmp_path / "disk", "4k") as disk:
        if disk is None:
            pytest.skip("no file system may be mounted here: another test limits files instead")
        command = ["convert", "--to", "sandtable", "-q", source, "-o", tmp_path / "out.json"]
        said = refused(run(*command, env={"TMPDIR": str(disk)}))
    assert "can't be written (No space left on device)" in said
    assert (tmp_path / "out.json").read_bytes() == OLD
    assert beside(tmp_path) == ["disk", "out.json", "run.json"]


@each_way
def test_an_output_on_another_file_system_is_written_whole(name: str, tmp_path: Path) -> None:
    """Its temporary file lies beside it, since no rename crosses file systems."""
    with small_disk(tmp_path / "disk", "4m") as disk:
        if disk is None or disk.stat().st_dev == tmp_path.stat().st_dev:
            pytest.skip("no second file system here")
        link = tmp_path / "out.json"
        link.symlink_to(disk / "real.json")
        assert run(*WRITING[name], link).returncode in (0, 1)
        assert link.is_symlink()
        assert (disk / "real.json").stat().st_size > 100
        assert beside(disk) == ["real.json"]


@each_way
def test_a_folder_that_may_not_be_written_to_is_told(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "out.json").write_bytes(OLD)
    folder.chmod(0o555)
    said = refused(
        run(*WRITING[name], folder / "out.json", preexec_fn=without_override, fresh=True)
    )
    folder.chmod(0o755)
    assert "can't be written (Permission denied)" in said
    assert (folder / "out.json").read_bytes() == OLD
    assert beside(folder) == ["out.json"]


NOWHERE = ["file/in-a-file", ".", "", "/dev/full", "x" * 300, "a/" * 3000 + "b"]


@pytest.mark.parametrize(
    ("name", "out"),
    [
        *((name, "no/such/folder") for name in WRITING),
        *((name, out) for name in ("convert", "validate") for out in NOWHERE),
    ],
    ids=lambda said: said[:20],
)
def test_a_place_for_no_file_is_told(name: str, out: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(OLD)
    assert "can't be written (" in refused(run(*WRITING[name], out, cwd=tmp_path))
    assert beside(tmp_path) == ["file"]


@each_printing
def test_a_reader_who_left_is_no_fault(name: str) -> None:
    """`evalglot … | head -0` ends as `yes | head -0` does."""
    reading, writing = os.pipe()
    os.close(reading)
    with start(*PRINTING[name], stdout=writing, fresh=True) as process:
        os.close(writing)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (141, b"")


@pytest.mark.parametrize(
    ("name", "where"),
    [*((name, "full") for name in PRINTING), ("convert", "closed"), ("validate", "closed")],
)
def test_a_standard_output_that_takes_nothing_is_told(name: str, where: str) -> None:
    with Path("/dev/full").open("wb") as full:
        closing = (lambda: os.close(1)) if where == "closed" else None
        done = run(*PRINTING[name], stdout=full, preexec_fn=closing, fresh=True)
    reason = {"full": "No space left on device", "closed": "Bad file descriptor"}[where]
    assert f"standard output: can't be written ({reason})" in refused(done)


@each_way
def test_a_standard_error_that_takes_nothing_changes_nothing(name: str) -> None:
    whole = run(*PRINTING[name])
    with Path("/dev/full").open("wb") as full:
        for closing in (None, lambda: os.close(2)):
            done = run(*PRINTING[name], stderr=full, preexec_fn=closing, fresh=True)
            assert (done.returncode, done.stdout) == (whole.returncode, whole.stdout)


@each_way
def test_of_two_that_write_one_file_one_wins(name: str, tmp_path: Path) -> None:
    """The file is all of the one's or all of the other's."""
    sources = [large(tmp_path / f"{copies}.json", copies) for copies in (3, 5)]
    commands = [[source if one == RUN else one for one in WRITING[name]] for source in sources]
    whole = set()
    for command in commands:
        run(*command, tmp_path / "out.json")
        whole.add((tmp_path / "out.json").read_bytes())
    assert len(whole) == 2
    for _ in range(2):
        both = [start(*command, tmp_path / "out.json") for command in commands * 2]
        for process in both:
            with process:
                process.communicate(timeout=60)
            assert process.returncode in (0, 1)
        assert (tmp_path / "out.json").read_bytes() in whole
        assert beside(tmp_path) == ["3.json", "5.json", "out.json"]


@each_way
@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_followed_and_kept(name: str, there: bool, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target = tmp_path / "far/real.json"
    if there:
        target.write_bytes(OLD)
    (tmp_path / "out.json").symlink_to("far/real.json")
    assert run(*WRITING[name], tmp_path / "out.json").returncode in (0, 1)
    assert (tmp_path / "out.json").is_symlink()
    assert target.read_bytes() != OLD
    assert beside(tmp_path / "far") == ["real.json"]


@each_way
def test_a_link_in_a_circle_is_told(name: str, tmp_path: Path) -> None:
    (tmp_path / "out.json").symlink_to("other.json")
    (tmp_path / "other.json").symlink_to("out.json")
    done = run(*WRITING[name], tmp_path / "out.json")
    if done.returncode == 2:
        refused(done)
    else:  # a rename takes the place of the link itself
        assert not (tmp_path / "out.json").is_symlink()
    assert beside(tmp_path) == ["other.json", "out.json"]


OVERWRITING: dict[str, list[str | Path]] = {
    "convert": ["convert", "--to", "sandtable", "IN", "-o", "OUT"],
    "sidecar": ["convert", "--to", "sandtable", "--carry=sidecar", "IN", "-o", "OUT"],
    "account": ["convert", "--to", "sandtable", "IN", "-o", "new.json", "--report", "OUT"],
    "diff": ["diff", RUN, "IN", "-o", "OUT"],
    "further": ["diff", "IN", RUN, "-o", "new.json", "--output", "html=OUT"],
    "report": ["report", "IN", "-o", "OUT"],
    "validate": ["validate", RUN, "IN", "-o", "OUT"],
    "infer": ["registry", "infer", "IN", "-o", "OUT"],
    "unknown": ["registry", "infer", "IN", "-o", "new.json", "--report", "OUT"],
}


def filled(command: list[str | Path], source: str, out: str) -> list[str]:
    return [str(one).replace("IN", source).replace("OUT", out) for one in command]


@pytest.mark.parametrize(
    ("name", "way"),
    [
        *((name, "itself") for name in OVERWRITING),
        *((name, "redirected") for name in ("convert", "diff", "report", "validate", "infer")),
        *(("convert", way) for way in ("other words", "a link", "a hard link")),
    ],
)
def test_the_input_is_never_overwritten(name: str, way: str, tmp_path: Path) -> None:
    source = tmp_path / "run.json"
    source.write_bytes(RUN.read_bytes())
    (tmp_path / "a link").symlink_to("run.json")
    os.link(source, tmp_path / "a hard link")
    out = {"other words": f"../{tmp_path.name}/run.json"}.get(way, way)
    command = filled(
        OVERWRITING[name],
        "-" if way == "redirected" else "run.json",
        out if way in ("other words", "a link", "a hard link") else "run.json",
    )
    with source.open("rb") as stream:
        done = run(*command, cwd=tmp_path, stdin=stream)
    assert "this is the input itself; expected another file" in refused(done)
    assert source.read_bytes() == RUN.read_bytes()
    assert set(beside(tmp_path)) <= {"run.json", "a link", "a hard link", "new.json"}


@pytest.mark.parametrize("name", ["convert", "diff", "report", "cases", "validate", "infer"])
def test_the_input_is_never_added_to(name: str, tmp_path: Path) -> None:
    """`evalglot … run.json >> run.json`"""
    source = tmp_path / "run.json"
    source.write_bytes(RUN.read_bytes())
    command = [source if one == RUN else one for one in PRINTING[name]]
    with source.open("ab") as stream:
        done = run(*command, stdout=stream)
    assert "standard output: this is the input itself" in refused(done)
    assert source.read_bytes() == RUN.read_bytes()


def test_reading_from_and_writing_to_one_device_is_allowed() -> None:
    with subprocess.Popen(["cat", RUN], stdout=subprocess.PIPE) as feeding:
        done = run("convert", "--to", "sandtable", "-o", "/dev/null", stdin=feeding.stdout)
    assert done.returncode == 0
