"""Killed at any moment, a collect leaves a dataset in which nothing is doubled or half there.

The next collect does the rest. `EVALGLOT_KILLS=1000` kills as often as that.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from evalglot.dataset import asking, collecting, manifest
from evalglot.dataset.places import Folder
from tests.evalglot.dataset.held import everything, run_of, write_runs
from tests.faults.running import environment

KILLS = int(os.environ.get("EVALGLOT_KILLS", "12"))
WORK = """
import sys
from evalglot.dataset import collecting
asked = collecting.Asked(jobs=int(sys.argv[3]), files=2)
print("started", flush=True)
collecting.collect([sys.argv[1]], sys.argv[2], asked)
"""


def start(runs: Path, into: Path, jobs: int) -> subprocess.Popen[bytes]:
    """A collect in small batches, at work when this returns."""
    command = [sys.executable, "-c", WORK, str(runs), str(into), str(jobs)]
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"started\n"
    return process


def consistent(into: Path) -> int:
    """How many runs does the dataset hold? Each once and whole."""
    if manifest.read(Folder(str(into))) is None:
        return 0
    with asking.opened(str(into)) as dataset:
        runs = dataset.ask("SELECT digest, id FROM runs").to_pylist()
        files = dataset.ask("SELECT path, digest FROM files WHERE taken").to_pylist()
        trials = dataset.ask("SELECT digest, count(*) AS n FROM trials GROUP BY ALL").to_pylist()
        cases = dataset.ask("SELECT digest, count(*) AS n FROM cases GROUP BY ALL").to_pylist()
    assert max(Counter(row["digest"] for row in runs).values(), default=1) == 1
    assert max(Counter(row["path"] for row in files).values(), default=1) == 1
    digests = {row["digest"] for row in runs}
    assert digests == {row["digest"] for row in files}
    for counted in (trials, cases):
        assert {row["digest"]: row["n"] for row in counted} == dict.fromkeys(digests, 8)
    return len(runs)


@pytest.mark.parametrize("jobs", [1, 2])
def test_nothing_is_doubled_or_lost(tmp_path: Path, jobs: int) -> None:
    draw = random.Random(jobs)
    runs, into = tmp_path / "runs", tmp_path / "d"
    files = write_runs(runs, 24)
    begun = time.monotonic()
    with start(runs, tmp_path / "timed", jobs) as process:
        assert process.wait(timeout=120) == 0
    taken = time.monotonic() - begun
    seen = set()
    for number in range(-(-KILLS // 2)):
        for file in draw.sample(files, 6):
            file.write_text(json.dumps(run_of(1000 + number, passed=False)), encoding="utf-8")
        with start(runs, into, jobs) as process:
            time.sleep(taken * draw.random())
            process.kill()
            process.communicate()
        seen.add(consistent(into))
    with start(runs, into, jobs) as process:
        assert process.wait(timeout=120) == 0
    consistent(into)
    collecting.collect([str(runs)], str(tmp_path / "fresh"))
    assert everything(into) == everything(tmp_path / "fresh")
    assert seen


def test_workers_end_with_the_collect(tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 60)
    with start(tmp_path / "runs", tmp_path / "d", 2) as process:
        children: list[str] = []
        for _ in range(500):
            listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8")
            children = listed.split()
            if len(children) >= 3 or process.poll() is not None:  # two, and who tracks them
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert children
    for _ in range(500):
        if not any(_runs(child) for child in children):
            return
        time.sleep(0.02)
    pytest.fail("a worker outlived the collect")


def _runs(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_two_collects_do_not_work_in_one_folder(tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 40)
    into = tmp_path / "d"
    with start(tmp_path / "runs", into, 1) as process:
        while not (into / "manifest.json").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGSTOP)
        with pytest.raises(collecting.Busy, match="another collect is at work"):
            collecting.collect([str(tmp_path / "runs")], str(into))
        process.send_signal(signal.SIGCONT)
        assert process.wait(timeout=120) == 0
    assert consistent(into) == 40
