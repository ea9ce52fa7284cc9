"""Collected over a real Dask cluster on loopback, a dataset is the local one, to the byte.

Also when a worker is killed in the middle.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from evalglot.dataset import collecting
from tests.evalglot.dataset.held import everything, write_runs
from tests.faults.running import environment, run

FILES = 40
WORK = """
import sys
from evalglot.dataset import collecting
asked = collecting.Asked(scheduler=sys.argv[3], files=2)
collecting.collect([sys.argv[1]], sys.argv[2], asked)
"""


@contextmanager
def started(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with the block."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, *command], env=environment(), **quiet) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


def until(done: Callable[[], object], seconds: float = 120) -> None:
    """Wait for something to come true."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


@dataclass
class Cluster:
    address: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and two workers, each a process."""
    file = tmp_path / "scheduler.json"
    here = ("--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file))
    dask = ("-W", "ignore", "-m", "dask")
    with ExitStack() as stack:
        stack.enter_context(started(*dask, "scheduler", "--port", "0", *here))
        until(file.exists)
        until(lambda: file.read_text("utf-8").endswith("}"))
        address = json.loads(file.read_text("utf-8"))["address"]
        found = Cluster(address)
        for _ in range(2):
            worker = (*dask, "worker", "--nthreads", "1", "--no-nanny", *here)
            found.workers.append(stack.enter_context(started(*worker)))
        yield found


def local(tmp_path: Path) -> Path:
    """The same files, collected here."""
    write_runs(tmp_path / "runs", FILES)
    collecting.collect([str(tmp_path / "runs")], str(tmp_path / "d"), collecting.Asked(files=2))
    return tmp_path / "d"


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def commits(folder: Path) -> int:
    manifest = folder / "manifest.json"
    return int(json.loads(manifest.read_bytes())["commit"]) if manifest.exists() else 0


def test_a_cluster_makes_the_local_dataset(tmp_path: Path, cluster: Cluster) -> None:
    wanted = local(tmp_path)
    with started("-c", WORK, str(tmp_path / "runs"), str(tmp_path / "c"), cluster.address) as one:
        assert one.wait(timeout=240) == 0
    assert contents(tmp_path / "c") == contents(wanted)


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path, cluster: Cluster) -> None:
    wanted = local(tmp_path)
    into = tmp_path / "c"
    with started("-c", WORK, str(tmp_path / "runs"), str(into), cluster.address) as one:
        until(lambda: commits(into) >= 2)
        cluster.workers[0].kill()
        killed_at = commits(into)
        assert one.wait(timeout=240) == 0
    assert killed_at < FILES // 2, "it was over before the worker was killed"
    assert everything(into) == everything(wanted)
    assert contents(into) == contents(wanted)


def test_a_command_names_the_scheduler(tmp_path: Path, cluster: Cluster) -> None:
    write_runs(tmp_path / "runs", 3)
    command = ("collect", tmp_path / "runs", "--into", tmp_path / "c")
    done = run(*command, "--scheduler", cluster.address)
    assert done.returncode == 0, done.stderr
    assert done.stderr.decode().endswith("3 files: 3 taken, 0 known, 0 set aside\n")


def test_no_scheduler_is_said(tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 1)
    command = ("collect", tmp_path / "runs", "--into", tmp_path / "c")
    done = run(*command, "--scheduler", "tcp://127.0.0.1:9")
    assert done.returncode == 2
    assert b"the scheduler can't be reached" in done.stderr
    assert done.stderr.count(b"\n") == 1
    done = run(*command, "--scheduler", "nonsense://x")
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    command = ("collect", tmp_path / "runs", "--into", "memory://x")
    done = run(*command, "--scheduler", "tcp://127.0.0.1:9")
    assert b"a cluster can't see the memory" in done.stderr
