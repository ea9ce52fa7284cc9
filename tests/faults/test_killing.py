"""Killed at any moment, a command leaves the old file or the complete new one.

`EVALGLOT_KILLS=1000` kills as often as that; by default it is a few times only.
"""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from tests.faults.running import RUN, beside, large, run, start

KILLS = int(os.environ.get("EVALGLOT_KILLS", "12"))
OLD = b'{"old": true}\n'
STOPS = [signal.SIGHUP, signal.SIGINT, signal.SIGTERM]


def commands(source: Path, folder: Path) -> dict[str, list[str | Path]]:
    """Each command that writes a file, and where it does."""
    out = folder / "out.json"
    return {
        "convert": ["convert", "--to", "sandtable", "-q", source, "-o", out],
        "sidecar": ["convert", "--to", "sandtable", "--carry=sidecar", source, "-o", out],
        "diff": ["diff", "--format", "json", source, RUN, "-o", out],
        "report": ["report", source, "-o", out],
        "validate": ["validate", "--format", "json", source, "-o", out],
        "infer": ["registry", "infer", source, "-o", out],
    }


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return large(tmp_path_factory.mktemp("source") / "run.json", 100)


def timed(command: list[str | Path], folder: Path) -> tuple[float, dict[str, bytes]]:
    """How long does a command take that nobody stops, and which files does it write?"""
    begun = time.monotonic()
    assert run(*command).returncode in (0, 1)
    taken = time.monotonic() - begun
    written = {path.name: path.read_bytes() for path in folder.iterdir()}
    return taken, written


@pytest.mark.parametrize("name", ["convert", "sidecar", "diff", "report", "validate", "infer"])
def test_sigkill_leaves_the_old_file_or_the_new_one(
    name: str, source: Path, tmp_path: Path
) -> None:
    command = commands(source, tmp_path)[name]
    taken, new = timed(command, tmp_path)
    draw = random.Random(name)
    outcomes = set()
    for _ in range(-(-KILLS // 6)):
        for path in tmp_path.iterdir():
            path.unlink()
        for written in new:
            (tmp_path / written).write_bytes(OLD)
        with start(*command) as process:
            # The last third is where files are written.
            time.sleep(taken * (draw.uniform(0.6, 1.05) if draw.random() < 0.8 else draw.random()))
            process.kill()
            process.communicate()
        for written, whole in new.items():
            held = (tmp_path / written).read_bytes()
            assert held in (OLD, whole)
            outcomes.add(held == whole)
        left = [one for one in beside(tmp_path) if one not in new]
        assert all(one.startswith(".out.json.") and not one.endswith("json") for one in left)
        assert len(left) <= len(new)
    assert outcomes


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *(("convert", number) for number in STOPS),
        *((name, signal.SIGTERM) for name in ("diff", "report", "validate", "infer")),
    ],
)
def test_a_signal_ends_a_command_cleanly(
    name: str, number: signal.Signals, source: Path, tmp_path: Path
) -> None:
    """The input is a pipe that does not end, so the command is at work when the signal comes."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "out.json").write_bytes(OLD)
    # The pipe is opened by the command when its handlers are in place.
    with start(*commands(pipe, tmp_path)[name]) as process, pipe.open("wb") as feeding:
        feeding.write(source.read_bytes()[:1000])
        feeding.flush()
        time.sleep(0.3)
        process.send_signal(number)
        told, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert (told, said) == (b"", b"")
    assert (tmp_path / "out.json").read_bytes() == OLD
    assert beside(tmp_path) == ["out.json", "pipe"]


@pytest.mark.parametrize("number", STOPS, ids=lambda number: number.name)
def test_a_signal_while_writing_leaves_nothing_half_done(
    number: signal.Signals, source: Path, tmp_path: Path
) -> None:
    command = commands(source, tmp_path)["convert"]
    taken, new = timed(command, tmp_path)
    draw = random.Random(number)
    for _ in range(-(-KILLS // 6)):
        (tmp_path / "out.json").write_bytes(OLD)
        with start(*command) as process:
            time.sleep(taken * draw.uniform(0.6, 1.0))
            process.send_signal(number)
            process.communicate()
        assert process.returncode in (0, 128 + number, -number)  # not at work yet: as any program
        assert (tmp_path / "out.json").read_bytes() in (OLD, new["out.json"])
        assert beside(tmp_path) == ["out.json"]


def test_a_signal_that_was_silenced_stays_so(tmp_path: Path) -> None:
    """As `nohup` does."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    quiet = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)  # noqa: E731
    with start("validate", "-q", pipe, preexec_fn=quiet) as process:
        with pipe.open("wb") as feeding:
            process.send_signal(signal.SIGHUP)
            feeding.write(RUN.read_bytes())
        process.communicate(timeout=60)
    assert process.returncode == 0


def test_helpers_end_with_the_command(tmp_path: Path) -> None:
    """A large file is shared among processes, all of which end."""
    source = large(tmp_path / "run.json", 6000)
    out = tmp_path / "out.json"
    with start("convert", "--to", "sandtable", "--jobs", "3", source, "-o", out) as process:
        time.sleep(1.5)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8")
        process.terminate()
        process.communicate(timeout=60)
    assert process.returncode in (0, 128 + signal.SIGTERM)
    assert not any(Path(f"/proc/{child}").exists() for child in children.split())
    assert set(beside(tmp_path)) <= {"run.json", "out.json"}
