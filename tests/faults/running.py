"""Commands, run as a user runs them, and what the system can be made to refuse them.

Most are processes forked from this one, in which all is imported already: what they do is what a
fresh interpreter does once it has started. Where the start or the end of the interpreter is what
matters (its environment, its language, what it flushes at exit) they are `fresh`.
"""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, NoReturn

from evalglot.cli import evalglot
from registry import ending

ROOT = Path(__file__).parents[2]
RUN = ROOT / "fixtures/cbl/4/valid/typical.json"

CAP_DAC_OVERRIDE = 1
PR_CAPBSET_DROP = 24
STOPS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


def environment(**more: str) -> dict[str, str]:
    """The environment of a command."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def start(
    *arguments: str | bytes | Path, fresh: bool = False, **options: Any
) -> subprocess.Popen[bytes]:
    """A command of `evalglot`, started; by a new interpreter if it is `fresh`, or has an `env`."""
    env = options.pop("env", {})
    first = options.pop("preexec_fn", None)
    forked = not (fresh or env)
    if forked:
        _prepare()
    command = [sys.executable, "-m", "evalglot", *map(os.fsencode, arguments)]
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)

    def begin() -> None:
        for number in STOPS:  # as a terminal has it, whatever this process was started by
            signal.signal(number, signal.default_int_handler if number == 2 else signal.SIG_DFL)
        if first is not None:
            first()
        if forked:
            _become(command)

    return subprocess.Popen(
        command,
        env=environment(**env),
        preexec_fn=begin,  # noqa: PLW1509 - no thread of the tests' holds a lock
        **options,
    )


@cache
def _prepare() -> None:
    """Import what any command imports, and make the checks that most need, once for all."""
    for name in ("registry", "converter", "diffruns", "evalglot"):
        package = import_module(name)
        for module in walk_packages(package.__path__, f"{name}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    from registry import checking

    checking.check_file(str(RUN), checking.Asked())


def _become(command: Sequence[str | bytes]) -> NoReturn:
    """Let this new process be the command, in place of the program that was to be executed."""
    os.closerange(3, 4096)  # one of them tells who started it that all went well so far
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # as any interpreter of Python's
        signal.signal(number, signal.SIG_IGN)
    warnings.resetwarnings()
    warnings.simplefilter("ignore")
    tempfile.tempdir = None
    sys.argv = ["evalglot", *map(os.fsdecode, command[3:])]
    sys.stdin, sys.stdout, sys.stderr = map(_stream, range(3), "rww")
    code: Any = 1
    try:
        ending.run(evalglot)
    except SystemExit as end:
        code = end.code
    finally:
        with suppress(Exception):
            sys.stdout.flush()
        os._exit(code or 0)


def _stream(number: int, mode: str) -> Any:
    try:
        return os.fdopen(number, mode, encoding="utf-8", closefd=False)
    except OSError:  # as an interpreter that starts without it
        return None


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
    """Let the modes of files hold for a new program of root's, too."""
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
