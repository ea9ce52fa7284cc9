"""What does one folder of shelves hold: formats, their versions, and the schemas of our reports?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from registry import catalog, gate, keywords, lock
from registry.catalog import Catalog
from registry.errors import InputError
from registry.shelves import versions_root
from registry.values import JSON


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """One schema on a shelf. `released` is an ISO date, None for a draft."""

    ref: str
    format: str
    version: str
    title: str
    status: Literal["draft", "released"]
    released: str | None


@dataclass(frozen=True, slots=True)
class Library:
    """A folder of shelves, read once. `reports` are of files that evalglot itself writes."""

    root: Path
    catalog: Catalog
    lock: lock.Lock
    versions: tuple[Held, ...]
    reports: tuple[Held, ...]

    @property
    def all(self) -> tuple[Held, ...]:
        """Which schemas are there, the formats' before the reports'?"""
        return (*self.versions, *self.reports)

    def find(self, ref: str) -> Held:
        """Which schema does `cbl@4` name, or `cbl`, which means the newest?

        Raises UnknownFormat or UnknownVersion.
        """
        for report in self.reports:
            if ref in (report.format, report.ref):
                return report
        wanted = self.catalog.version(ref).ref
        return next(one for one in self.versions if one.ref == wanted)

    def path(self, held: Held) -> Path:
        """In which file is the schema?"""
        return self.root / held.format / held.version / "schema.json"

    def mode(self, held: Held) -> str:
        """What was promised of this version? What the lock says, else what its format says."""
        entry = self.lock.get(held.ref)
        return entry.compat if entry else self.catalog.promise(held.format, held.version)

    def record(self, held: Held) -> str:
        """Which part of the schema describes one record? A JSON Pointer."""
        shelves = self.catalog.format(held.format).versions
        return "/definitions/" + next(one.record for one in shelves if one.version == held.version)

    def schema(self, held: Held) -> JSON:
        """What does the file say? Raises InputError when it can't be read."""
        return read_schema(self.path(held))

    def sound(self, held: Held) -> JSON:
        """What does the file say, for who relies on the keyword subset? Raises InputError."""
        schema = self.schema(held)
        keywords.check(schema, str(self.path(held)))
        return schema


def read_schema(path: Path) -> JSON:
    """Which value does a schema file hold? Raises InputError when it can't be read."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            found=f"can't be read ({reason})", expected="a schema file", file=str(path)
        ) from None
    return gate.load(data, file=str(path))


def read(root: Path) -> Library:
    """What do the shelves in this folder hold? Raises InputError when they can't be read."""
    try:
        described = catalog.read(root)
    except ValueError as error:
        raise InputError(found=str(error), hint="Correct the file.") from None
    locked = lock.read(root)
    versions = tuple(
        _held(locked, format_.id, shelf.version, format_.title)
        for format_ in described.formats
        for shelf in format_.versions
    )
    known = {one.ref for one in versions}
    places = (path.parts[-3:-1] for path in sorted(root.glob("*/*/schema.json")))
    reports = tuple(
        _held(locked, id_, version, "a report of evalglot's own")
        for id_, version in places
        if f"{id_}@{version}" not in known and not (root / id_ / "format.json").exists()
    )
    return Library(root, described, locked, versions, reports)


def brought() -> tuple[Library, ...]:
    """What do the shelves of plug-ins hold?"""
    own = versions_root()
    roots = dict.fromkeys(root for root in catalog.catalog().roots.values() if root != own)
    return tuple(map(read, roots))


def having(ref: str, libraries: Sequence[Library]) -> Library:
    """Which of these has the format that `cbl@4` or `cbl` names? The first where none has."""
    id_ = ref.partition("@")[0]
    return next((one for one in libraries if id_ in one.catalog.roots), libraries[0])


def _held(locked: lock.Lock, id_: str, version: str, title: str) -> Held:
    ref = f"{id_}@{version}"
    entry = locked.get(ref)
    return Held(
        ref=ref,
        format=id_,
        version=version,
        title=title,
        status=entry.status if entry else "draft",
        released=entry.released if entry else None,
    )
