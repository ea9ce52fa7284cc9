"""What stands at a path or URL: on this machine, in an object store, in memory?

A URL is what starts with `scheme://`; all else is a local path, as in every command. Which schemes
there are is fsspec's matter: s3, gcs, http, memory and more.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from evalglot.dataset.needed import known_errors, need
from registry import files, limits
from registry.errors import InputError, OutputError

if TYPE_CHECKING:
    from registry.text import Buffer

FileSystem: TypeAlias = Any
"""fsspec's AbstractFileSystem, whose methods have no types"""

URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
MAGIC = re.compile(r"[*?\[]")
IN_PROCESS = "memory://"
"""what only this process can see"""


@dataclass(frozen=True, slots=True)
class Source:
    """One file that may hold a result, as a listing tells it."""

    path: str
    size: int = 0
    etag: str | None = None
    """what the store says of the content, if it says anything"""


def is_url(path: str) -> bool:
    """Is this a URL, and no local path?"""
    return URL.match(path) is not None


def in_process(path: str) -> bool:
    """Can only this process see what is there?"""
    return path.startswith(IN_PROCESS)


def failures() -> tuple[type[BaseException], ...]:
    """What do file systems raise when something can't be reached? Of the packages that are used."""
    return (
        OSError,
        *known_errors(
            "botocore.exceptions:BotoCoreError",
            "botocore.exceptions:ClientError",
            "aiohttp:ClientError",
            "google.auth.exceptions:GoogleAuthError",
        ),
    )


@cache
def system(url: str) -> tuple[FileSystem, str]:
    """Which file system has this URL or path, and how is the path called there?

    Raises InputError for a scheme that is unknown, or whose package is missing.
    """
    need("fsspec")
    from fsspec.core import url_to_fs

    try:
        found, path = url_to_fs(url if is_url(url) else str(Path(url).absolute()))
    except ImportError as error:
        raise InputError(found=f"can't be reached ({error})", file=url) from None
    except ValueError as error:
        raise InputError(
            found=f"can't be reached ({error})", expected="a path or URL", file=url
        ) from None
    return found, str(path)


@contextmanager
def reaching(file: str) -> Iterator[None]:
    """Say what can't be reached as one clear error."""
    try:
        yield
    except failures() as error:
        raise _unreachable(file, error) from None


def _unreachable(file: str, error: BaseException) -> InputError:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return InputError(
        found=f"can't be read ({reason})", hint="Check the name and its permissions.", file=file
    )


def listed(paths: Iterable[str]) -> Iterator[Source]:
    """Which files do paths, folders, patterns and URLs of them mean? Each once, in order."""
    seen: set[str] = set()
    for path in paths:
        for source in _remote(path) if is_url(path) else _local(path):
            if source.path not in seen:
                seen.add(source.path)
                yield source


def _local(path: str) -> Iterator[Source]:
    for _, found in files.listed([path]):
        for file in found:
            name = os.path.abspath(file)  # noqa: PTH100 - links stay as they are
            size = os.path.getsize(name) if os.path.isfile(name) else 0  # noqa: PTH113, PTH202
            yield Source(name, size)


def _remote(url: str) -> list[Source]:
    found, path = system(url)
    with reaching(url):
        if MAGIC.search(path) and not found.exists(path):
            held = found.glob(path, detail=True)
        elif found.isfile(path):
            held = {path: found.info(path)}
        else:
            held = found.find(path, detail=True)
    told = [
        _source(found.unstrip_protocol(name), info)
        for name, info in sorted(held.items())
        if info.get("type") == "file" and (name == path or _may_hold(name))
    ]
    if not told:
        raise InputError(found="no result file", expected="a .json or .jsonl file", file=url)
    return told


def _may_hold(name: str) -> bool:
    last = posixpath.basename(name).lower()
    return last.endswith(files.SUFFIXES) and not last.endswith(".carry.json")


def _source(url: str, info: dict[str, Any]) -> Source:
    etag = info.get("ETag") or info.get("etag")
    return Source(url, int(info.get("size") or 0), str(etag) if etag else None)


@contextmanager
def opened(path: str) -> Iterator[Buffer]:
    """The bytes of a file, wherever it is. Raises InputError when it can't be read."""
    if not is_url(path):
        with files.opened(path) as data:
            yield data
        return
    found, name = system(path)
    with reaching(path):
        limits.refuse_large(int(found.info(name).get("size") or 0), path)
        data = found.cat_file(name)
    limits.refuse_large(len(data), path)
    yield data


def modified(path: str) -> datetime | None:
    """When was a file changed last, in UTC without a zone? None where nobody says so."""
    if not is_url(path):
        return datetime.fromtimestamp(Path(path).stat().st_mtime, UTC).replace(tzinfo=None)
    found, name = system(path)
    silent: tuple[type[BaseException], ...] = (NotImplementedError, KeyError, AttributeError)
    try:
        said = found.modified(name)
    except (*silent, *failures()):
        return None
    if not isinstance(said, datetime):
        return None
    return said.astimezone(UTC).replace(tzinfo=None) if said.tzinfo else said


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder to write to, wherever it is."""

    name: str

    @property
    def local(self) -> bool:
        """Is it on this machine?"""
        return not is_url(self.name)

    def at(self, *parts: str) -> str:
        """How is a path in it called in its file system?"""
        return posixpath.join(system(self.name)[1], *parts)

    @property
    def system(self) -> FileSystem:
        """Which file system has it?"""
        return system(self.name)[0]

    def read(self, path: str) -> bytes | None:
        """What does a file in it hold? None if there is none. Raises InputError."""
        with reaching(self.name):
            try:
                return bytes(self.system.cat_file(self.at(path)))
            except FileNotFoundError:
                return None

    def write(self, path: str, data: bytes) -> None:
        """Let a file in it hold these bytes: all of them, or what it held. Raises OutputError."""
        if self.local:
            from converter import target

            place = Path(self.at(path))
            with self.writing():
                place.parent.mkdir(parents=True, exist_ok=True)
            with target.replacing(str(place)) as stream:
                stream.write(data)
            return
        with self.writing():
            self.system.pipe_file(self.at(path), data)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Say what can't be written as one clear error."""
        try:
            yield
        except failures() as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise OutputError(found=f"can't be written ({reason})", file=self.name) from None

    def names(self, path: str) -> list[str]:
        """Which files are below a folder in it? Paths from the folder itself."""
        root = self.at("")
        with reaching(self.name):
            try:
                found: Sequence[str] = self.system.find(self.at(path))
            except FileNotFoundError:
                return []
        return sorted(posixpath.relpath(name, root) for name in found)

    def remove(self, paths: Iterable[str]) -> None:
        """Remove files in it, if they are there."""
        with self.writing():
            for path in paths:
                try:
                    self.system.rm_file(self.at(path))
                except FileNotFoundError:
                    continue
