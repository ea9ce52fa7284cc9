"""Commands, run as a user runs them, and what the system can be made to refuse them."""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RUN = ROOT / "fixtures/cbl/4/valid/typical.json"

CAP_DAC_OVERRIDE = 1
PR_CAPBSET_DROP = 24


def environment(**more: str) -> dict[str, str]:
    """The environment of a command."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def start(*arguments: str | bytes | Path, **options: Any) -> subprocess.Popen[bytes]:
    """A command of `evalglot`, started."""
    env = options.pop("env", {})
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    command = [sys.executable, "-m", "evalglot", *map(os.fsencode, arguments)]
    return subprocess.Popen(command, env=environment(**env), **options)


def run(
    *arguments: str | bytes | Path, given: bytes | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    """A command of `evalglot`, run to its end."""
    if given is not None:
        options["stdin"] = subprocess.PIPE
    with start(*arguments, **options) as process:
        told, said = process.communicate(given, timeout=60)
    return subprocess.CompletedProcess(process.args, process.returncode, told, said)


def refused(done: subprocess.CompletedProcess[bytes]) -> str:
    """The one line of a command that could not do its work."""
    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert "Traceback" not in said
    assert said.count("\n") == 1, said
    return said


def beside(folder: Path) -> list[str]:
    """Which names are in a folder?"""
    return sorted(path.name for path in folder.iterdir())


def large(path: Path, copies: int = 3000) -> Path:
    """A valid file of some megabytes."""
    import json

    document = json.loads(RUN.read_bytes())
    document["results"] = document["results"] * copies
    path.write_bytes(json.dumps(document).encode())
    return path


def files_of_at_most(size: int) -> Callable[[], None]:
    """What makes a new process fail to write more bytes than this to any file?

    The signal that goes with it is silenced by Python.
    """
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def without_override() -> None:
    """Let the modes of files hold for a new process of root's, too."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl")


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path | None]:
    """A file system of its own with so much room, or None where none may be mounted."""
    folder.mkdir()
    mount = shutil.which("mount")
    command = [mount or "mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    made = mount and subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield folder if made else None
    finally:
        if made:
            subprocess.run(["umount", str(folder)], check=True)
