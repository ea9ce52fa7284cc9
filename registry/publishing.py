"""How does a site come into a folder that is its own?

A list of its files is kept there, so that the next time they are known from others: those that the
site has no more are removed, what somebody else put there stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from registry import staging
from registry.errors import InputError, OutputError

MARK = ".evalglot-site.json"
"""The file that says that a folder is a site, and which files are its own."""

REPOSITORY = ".git"
"""A folder that is empty but for this is empty: pages are often published from a branch."""

_ADDRESS = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]+(/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)*/?")
_OWN = re.compile(r"([a-z-]+/[0-9.]+/schema\.json|catalog\.json|index\.html)")


class Mark(msgspec.Struct, frozen=True):
    """Which files of a folder are the site's own?"""

    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Published:
    """How many files has the site, and how many of those were written and removed now?"""

    files: int
    written: int
    removed: int


def base(given: str) -> str:
    """Which address is meant, without a slash in the end? Raises InputError when it is none."""
    if not _ADDRESS.fullmatch(given):
        raise InputError(
            found=f"--base-url {given}",
            expected="the address of the folder, such as https://example.org/schemas",
        )
    return given.rstrip("/")


def publish(files: Mapping[str, bytes], folder: Path) -> Published:
    """Make the folder hold this site. Raises OutputError when it can't be, or is no site's."""
    before = _own(folder)
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with staging.staged(folder) as stage:
            mark = msgspec.json.encode(Mark(tuple(sorted(files))))
            for name, data in {**files, MARK: mark + b"\n"}.items():
                path = stage / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            written = staging.move([(stage, folder)])
    except OSError as error:
        raise _unwritable(folder, error) from None
    finally:
        _without_empty(made)
    removed = _remove(folder, [name for name in before if name not in files])
    return Published(len(files), len([path for path in written if path.name != MARK]), removed)


def _own(folder: Path) -> tuple[str, ...]:
    """Which files of the folder are a site's? None in a new or empty one. Raises OutputError."""
    try:
        if not folder.exists() or {one.name for one in folder.iterdir()} <= {REPOSITORY}:
            return ()
        mark = msgspec.json.decode((folder / MARK).read_bytes(), type=Mark)
    except (FileNotFoundError, msgspec.DecodeError):
        raise OutputError(
            found="a folder with files that are not a published site's",
            expected="a new or empty folder, or one that was published into before",
            hint="Nothing was written.",
            file=str(folder),
        ) from None
    except (OSError, ValueError) as error:
        raise _unwritable(folder, error) from None
    return tuple(name for name in mark.files if _OWN.fullmatch(name) and ".." not in name)


def _remove(folder: Path, names: Iterable[str]) -> int:
    """Remove files, and the folders that are empty then: how many?"""
    count = 0
    for name in names:
        path = folder / name
        count += path.exists()
        path.unlink(missing_ok=True)
        _without_empty([folder / one for one in Path(name).parents if one.parts])
    return count


def _without_empty(folders: Iterable[Path]) -> None:
    """Remove those of the folders, innermost first, that nothing is in."""
    with suppress(OSError):
        for one in folders:
            one.rmdir()


def _unwritable(folder: Path, error: OSError | ValueError) -> OutputError:
    reason = getattr(error, "strerror", None) or str(error)
    return OutputError(
        found=f"can't be written to ({reason})", hint="Nothing was written.", file=str(folder)
    )
