"""Which formats and versions are there, and what does their shelf say of them?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from registry.errors import UnknownFormat, UnknownVersion
from registry.shelves import versions_root
from registry.values import JSON

Compat = Literal[
    "none",
    "backward",
    "forward",
    "full",
    "backward-transitive",
    "forward-transitive",
    "full-transitive",
]
"""What does a format promise between a version and the one before, or all before?"""

FORMAT = r"^[a-z]{1,40}(-[a-z]{1,40}){0,4}\Z"
VERSION = r"^(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){0,3}\Z"
"""How are formats and versions called? So that each name is one of a folder, too."""

Kind = Literal["array", "object", "string", "integer", "number", "boolean", "null"]


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which quick tests on a document's top level tell a version? All that are given must hold.

    `any` holds when one of its pointers exists; `first` is a rule for the first record.
    """

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    types: dict[str, Kind] = {}
    equals: dict[str, Any] = {}
    first: Rule | None = None


class Container(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where may a version keep its records? A JSON Pointer, "" for the document itself."""

    records: str


class Shelf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What does format.json say of one version?

    `predecessor` is the version that it continues, which stands before it; None for the oldest.
    `compat` is what this version promises, where that is not what its format does.
    """

    version: Annotated[str, msgspec.Meta(pattern=VERSION)]
    record: str
    detect: Rule
    predecessor: str | None = None
    records: str | None = None
    containers: tuple[Container, ...] = ()
    compat: Compat | None = None

    @property
    def places(self) -> tuple[str, ...]:
        """At which places may its records stand? JSON Pointers."""
        if self.records is not None:
            return (self.records,)
        return tuple(container.records for container in self.containers)


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where does foreign data go, on a run and on each record?"""

    run: str
    record: str


class Format(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What does format.json say of a format? Versions stand oldest first.

    `files` are names that only this tool gives its files, for editors.
    """

    id: Annotated[str, msgspec.Meta(pattern=FORMAT)]
    title: str
    homepage: str
    summary: str
    nonfinite: bool
    case_key: str
    slot: Slot
    compat: Compat
    versions: Annotated[tuple[Shelf, ...], msgspec.Meta(min_length=1)]
    files: tuple[str, ...] = ()

    @property
    def newest(self) -> Shelf:
        """Which version do the tool's current releases write?"""
        return self.versions[-1]


class Version(msgspec.Struct, frozen=True):
    """One numbered schema of a format."""

    format: str
    version: str

    @property
    def ref(self) -> str:
        """How is it named, such as `cbl@4`?"""
        return f"{self.format}@{self.version}"

    @property
    def shelf(self) -> Shelf:
        """What does format.json say of it?"""
        return next(one for one in find(self.format).versions if one.version == self.version)

    @property
    def containers(self) -> tuple[str, ...]:
        """At which places may its records stand? JSON Pointers."""
        return self.shelf.places

    @property
    def predecessor(self) -> Version | None:
        """Which version came before it? None for the oldest."""
        known = [shelf.version for shelf in find(self.format).versions]
        place = known.index(self.version)
        return Version(self.format, known[place - 1]) if place else None

    @property
    def schema(self) -> JSON:
        """Which JSON Schema (draft-07) describes it? A new value each time."""
        root = catalog().roots.get(self.format, versions_root())
        path = root / self.format / self.version / "schema.json"
        return msgspec.json.decode(path.read_bytes())


@dataclass(frozen=True, slots=True)
class Catalog:
    """Every format that has a shelf, by id, and in which folder of shelves each has it."""

    formats: tuple[Format, ...]
    roots: Mapping[str, Path] = field(default_factory=dict)

    @property
    def versions(self) -> tuple[Version, ...]:
        """Which versions are there, format by format, oldest first?"""
        return tuple(
            Version(format_.id, shelf.version)
            for format_ in self.formats
            for shelf in format_.versions
        )

    def format(self, id_: str) -> Format:
        """Which format has this id? Raises UnknownFormat."""
        for format_ in self.formats:
            if format_.id == id_:
                return format_
        raise _unknown_format(id_, [format_.id for format_ in self.formats])

    def promise(self, id_: str, version: str) -> Compat:
        """What does a version promise? Raises UnknownFormat."""
        format_ = self.format(id_)
        own = (shelf.compat for shelf in format_.versions if shelf.version == version)
        return next(own, None) or format_.compat

    def version(self, ref: str) -> Version:
        """Which version does `cbl@4` name, or `cbl`, which means the newest?

        Raises UnknownFormat or UnknownVersion.
        """
        id_, at, version = ref.partition("@")
        format_ = self.format(id_)
        if not at:
            return Version(id_, format_.newest.version)
        known = [shelf.version for shelf in format_.versions]
        if version in known:
            return Version(id_, version)
        raise _unknown_version(id_, version, known)


def _unknown_format(id_: str, known: list[str]) -> UnknownFormat:
    from difflib import get_close_matches

    near = get_close_matches(id_.lower(), known, n=1)
    return UnknownFormat(
        found=f"there is no format {id_!r}",
        expected=f"one of {', '.join(known)}",
        hint=f"Did you mean {near[0]}?" if near else "`convert --list` shows formats and versions.",
    )


def _unknown_version(id_: str, version: str, known: list[str]) -> UnknownVersion:
    newest = known[-1]
    if _is_newer(version, newest):
        return UnknownVersion(
            found=f"{id_}@{version} is newer than the newest version known here, {id_}@{newest}",
            expected=f"one of {', '.join(known)}",
            hint="A newer evalglot may know it.",
        )
    return UnknownVersion(
        found=f"{id_} has no version {version!r}",
        expected=f"one of {', '.join(known)}; the newest known is {newest}",
        hint="`convert --list` shows formats and versions.",
    )


def _is_newer(version: str, newest: str) -> bool:
    """Is one dotted number above another? No when either is not such a number."""
    asked, known = version.split("."), newest.split(".")
    if not all(part.isdecimal() and len(part) <= 9 for part in (*asked, *known)):
        return False
    return [*map(int, asked)] > [*map(int, known)]


def read(root: Path) -> Catalog:
    """Which formats have a shelf in this folder?

    Raises ValueError, with file and place, for a format.json that says something else than it may.
    """
    formats = tuple(map(described, sorted(root.glob("*/format.json"))))
    return Catalog(formats, {format_.id: root for format_ in formats})


def described(path: Path) -> Format:
    """What does this format.json say? Raises ValueError, with file and place."""
    try:
        said = msgspec.json.decode(path.read_bytes(), type=Format)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from None
    if said.id != path.parent.name:
        raise ValueError(f"{path}: the id {said.id}, expected {path.parent.name}, its folder")
    return said


@cache
def catalog() -> Catalog:
    """What is in the registry's own shelves, and in those of plug-ins?"""
    from registry import plugins

    return plugins.joined(read(versions_root()))


def formats() -> tuple[Format, ...]:
    """Which formats are registered, by id?"""
    return catalog().formats


def find(id_: str) -> Format:
    """Which registered format has this id? Raises UnknownFormat."""
    return catalog().format(id_)


def parse_ref(ref: str) -> Version:
    """Which registered version does `cbl@4` name, or `cbl`, which means the newest?

    Raises UnknownFormat or UnknownVersion.
    """
    return catalog().version(ref)
