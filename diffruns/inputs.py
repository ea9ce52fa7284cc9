"""Which bytes does an input name? A file, standard input, a folder's newest file, a file in git."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from converter import source
from registry.edges import turned
from registry.errors import InputError
from registry.files import NAMED, SUFFIXES

if TYPE_CHECKING:
    from registry.text import Buffer

GIT = "git:"
LATEST = "@latest"


@contextmanager
def opened(name: str) -> Iterator[tuple[Buffer, str]]:
    """The bytes of an input, and the name of the file that they are of.

    `-` is standard input, `FOLDER/@latest` the newest result file of a folder, `git:REV:PATH` the
    file as it was committed. Raises InputError when there is no such thing.
    """
    if name.startswith(GIT):
        yield turned(_committed(name), name), name
        return
    folder, _, last = name.rpartition("/")
    file = str(_latest(Path(folder or "."))) if last == LATEST else name
    with source.opened(file) as data:
        yield data, file


def _latest(folder: Path) -> Path:
    """Which file of a folder was changed last? By name where several were at once."""
    try:
        found = [path for path in folder.iterdir() if path.suffix in SUFFIXES and path.is_file()]
    except OSError as error:
        raise InputError(
            found=f"can't be read ({error.strerror})",
            expected="a folder of result files",
            file=str(folder),
        ) from None
    if not found:
        raise InputError(found="no result file", expected=f"a {NAMED} file in it", file=str(folder))
    return max(found, key=lambda path: (path.stat().st_mtime_ns, path.name))


def _committed(name: str) -> bytes:
    revision, _, path = name.removeprefix(GIT).partition(":")
    if not revision or not path or revision.startswith("-"):
        raise InputError(found=f"{name!r}", expected="git:REVISION:PATH, such as git:main:run.json")
    try:
        done = subprocess.run(
            ["git", "show", f"{revision}:./{path}"],
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise InputError(found="git is not installed", file=name) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise InputError(
            found=said or "git has no such file",
            expected="a revision and a path in this repository",
            file=name,
        )
    return done.stdout
