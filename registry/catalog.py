"""Which formats and versions are there, and what does their shelf say of them?"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from registry.errors import UnknownFormat, UnknownVersion
from registry.shelves import versions_root
from registry.values import JSON

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
    """What does format.json say of one version?"""

    version: str
    record: str
    detect: Rule
    records: str | None = None
    containers: tuple[Container, ...] = ()


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where does foreign data go, on a run and on each record?"""

    run: str
    record: str


class Format(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What does format.json say of a format? Versions stand oldest first."""

    id: str
    title: str
    homepage: str
    summary: str
    nonfinite: bool
    case_key: str
    slot: Slot
    compat: Literal["none", "backward", "forward", "full"]
    versions: tuple[Shelf, ...]

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
        shelf = self.shelf
        if shelf.records is not None:
            return (shelf.records,)
        return tuple(container.records for container in shelf.containers)

    @property
    def schema(self) -> JSON:
        """Which JSON Schema (draft-07) describes it? A new value each time."""
        path = versions_root() / self.format / self.version / "schema.json"
        return msgspec.json.decode(path.read_bytes())


@cache
def formats() -> tuple[Format, ...]:
    """Which formats are registered, by id?"""
    found = sorted(versions_root().glob("*/format.json"))
    return tuple(map(_format, found))


def _format(path: Path) -> Format:
    return msgspec.json.decode(path.read_bytes(), type=Format)


def find(id_: str) -> Format:
    """Which format has this id? Raises UnknownFormat."""
    for format_ in formats():
        if format_.id == id_:
            return format_
    known = [format_.id for format_ in formats()]
    near = get_close_matches(id_, known, n=1)
    raise UnknownFormat(
        found=f"there is no format {id_!r}",
        expected=f"one of {', '.join(known)}",
        hint=f"Did you mean {near[0]}?" if near else "`convert --list` shows formats and versions.",
    )


def parse_ref(ref: str) -> Version:
    """Which version does `cbl@4` name, or `cbl`, which means the newest?

    Raises UnknownFormat or UnknownVersion.
    """
    id_, at, version = ref.partition("@")
    format_ = find(id_)
    if not at:
        return Version(id_, format_.newest.version)
    known = [shelf.version for shelf in format_.versions]
    if version in known:
        return Version(id_, version)
    raise UnknownVersion(
        found=f"{id_} has no version {version!r} here",
        expected=f"one of {', '.join(known)}; the newest known is {known[-1]}",
        hint="A newer evalglot may know it.",
    )
