"""How long does a command take in a process of its own, and how much memory does it claim?"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
POLL_S = 0.005


@dataclass(frozen=True, slots=True)
class Sample:
    """What did one run of a command take? Seconds, and peak anonymous memory in bytes."""

    wall_s: float
    cpu_s: float
    anonymous: int


@dataclass(frozen=True, slots=True)
class Spread:
    """Where do several numbers lie?"""

    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.2f} ({self.low:.2f} to {self.high:.2f})"


def spread(values: Sequence[float]) -> Spread:
    """Where do these numbers lie?"""
    return Spread(median(values), min(values), max(values))


def environment(cache: Path) -> dict[str, str]:
    """In which environment are commands measured? Compiled modules are kept, as installed ones are.

    They are kept in `cache`, so that measuring leaves nothing in the tree.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(cache)}


def python(*arguments: str) -> list[str]:
    """Which command runs the same Python as this with these arguments?"""
    return [sys.executable, *arguments]


def measure(
    command: Sequence[str],
    env: Mapping[str, str],
    out: IO[bytes] | None = None,
    codes: Collection[int] = (0,),
) -> Sample:
    """What does this command take, from the start of its process to its end?

    RuntimeError when it ends with another code than these. Memory is polled, so a peak shorter than
    a few milliseconds is missed; mapped files are left out of it, since the system takes them back
    whenever it likes.
    """
    begun = time.perf_counter()
    child = subprocess.Popen(
        command, env=dict(env), stdout=out or subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    peak = 0
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            break
        peak = max(peak, _anonymous(child.pid))
        time.sleep(POLL_S)
    wall = time.perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.stderr is not None
    told = child.stderr.read().decode()
    child.stderr.close()
    if child.returncode not in codes:
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}: {told}")
    return Sample(wall, usage.ru_utime + usage.ru_stime, peak)


def start_up(command: Sequence[str], env: Mapping[str, str]) -> float:
    """How many seconds pass until this short command has ended? Nothing is polled meanwhile."""
    begun = time.perf_counter()
    subprocess.run(command, env=dict(env), check=True, capture_output=True)
    return time.perf_counter() - begun


def _anonymous(pid: int) -> int:
    """How many bytes have a process and those it started for themselves now? 0 once it has ended.

    What a process shares with the one that it was copied from is counted in both.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    lines = [line for line in status.splitlines() if line.startswith("RssAnon:")]
    own = int(lines[0].split()[1]) * 1024 if lines else 0
    return own + sum(map(_anonymous, map(int, children)))
