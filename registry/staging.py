"""How does a folder change all at once, or not at all?

What is to be in it is made ready in a folder inside of it, and looked at there; then each new file
is moved to its place. If a move fails, those before it are taken back.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from registry.errors import OutputError

STAGE = ".evalglot-stage"
"""Where files are made ready. Who has it is alone at work."""


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """An empty place inside the folder, gone in the end.

    Raises OutputError when the folder can't be changed, or somebody else is changing it.
    """
    stage = folder / STAGE
    try:
        stage.mkdir()
    except FileExistsError:
        raise OutputError(
            found="somebody is changing it, or was interrupted",
            hint=f"If nobody is, remove {stage}.",
            file=str(folder),
        ) from None
    except (OSError, ValueError) as error:
        raise _unchangeable(folder, error) from None
    try:
        yield stage
    except OSError as error:
        raise _unchangeable(folder, error) from None
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def copy(folder: Path, to: Path) -> None:
    """Copy the files of a folder, if there is one, without what is being made ready in it.

    Modes are not copied: a folder that may not be written to has a copy that may be.
    """
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder)
        if place.parts[0] != STAGE and path.is_file():
            (to / place).parent.mkdir(parents=True, exist_ok=True)
            (to / place).write_bytes(path.read_bytes())


def move(pairs: Sequence[tuple[Path, Path]]) -> list[Path]:
    """Move what is new or changed from the first folder of each pair to the second: which files?

    Raises OSError, after everything is as it was, when that does not work.
    """
    changed = [
        (source, place)
        for ready, folder in pairs
        for source in sorted(ready.rglob("*"))
        if source.is_file()
        and _held(place := folder / source.relative_to(ready)) != source.read_bytes()
    ]
    with ExitStack() as undo:
        for source, place in changed:
            undo.callback(_undo(place))
            place.parent.mkdir(parents=True, exist_ok=True)
            source.replace(place)
        undo.pop_all()
    return [place for _, place in changed]


def _undo(path: Path) -> Callable[[], None]:
    """What brings a file back to what it is now?"""
    held = _held(path)
    if held is not None:
        return partial(_restore, path, held)
    made = [parent for parent in path.parents if not parent.exists()]
    return partial(_remove, path, made)


def _restore(path: Path, held: bytes) -> None:
    if _held(path) != held:
        path.write_bytes(held)


def _remove(path: Path, made: Sequence[Path]) -> None:
    path.unlink(missing_ok=True)
    for folder in made:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _held(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _unchangeable(folder: Path, error: OSError | ValueError) -> OutputError:
    reason = getattr(error, "strerror", None) or str(error)
    culprit = str(getattr(error, "filename", None) or folder)
    at = "" if Path(culprit) == folder else f": {culprit}"
    return OutputError(
        found=f"can't be changed ({reason}{at})",
        expected="a folder that may be written to",
        hint="Nothing was written.",
        file=str(folder),
    )
