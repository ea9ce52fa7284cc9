"""What was released, and is every released schema still what it was?

`versions/lock.json` has one entry for each version. An entry is a draft, and follows its shelf,
until it is released; from then on neither it nor its schema changes, and it never goes away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from registry import catalog, gate
from registry.errors import InputError
from registry.shelves import versions_root
from registry.values import digest

NAME = "lock.json"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is locked of one version?

    `digest` is the SHA-256 of its schema in canonical JSON, `released` an ISO date or null for a
    draft, `compat` what it promises, `source` the file under versions/ that says where it is
    known from.
    """

    digest: str
    released: str | None
    status: Literal["draft", "released"]
    compat: str
    source: str


Lock = Mapping[str, Entry]


class Finding(msgspec.Struct, frozen=True):
    """Which rule does an entry break, and how?"""

    ref: str
    rule: Literal["digest-changed", "entry-vanished", "entry-changed", "version-vanished"]
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.ref}: {self.rule}: found {self.found}, expected {self.expected}"


def read(root: Path | None = None) -> dict[str, Entry]:
    """What does the lock of these shelves say, the registry's own by default?

    Nothing when there is none. Raises InputError when it says something else than a lock may.
    """
    path = (root or versions_root()) / NAME
    return parse(path.read_bytes(), file=str(path)) if path.exists() else {}


def parse(data: bytes, *, file: str) -> dict[str, Entry]:
    """What does a lock file say? Raises InputError when it says something else than it may."""
    try:
        return msgspec.json.decode(data, type=dict[str, Entry])
    except msgspec.DecodeError as error:
        raise InputError(found=str(error), expected="a lock", file=file) from None


def drafts(root: Path | None = None) -> dict[str, Entry]:
    """What do the shelves hold now, as if none of it was released? Our own reports included."""
    root = root or versions_root()
    described = catalog.read(root)
    modes = {
        version.ref: described.promise(version.format, version.version)
        for version in described.versions
    }
    return {
        (ref := f"{path.parts[-3]}@{path.parts[-2]}"): _draft(path, modes.get(ref, "none"))
        for path in sorted(root.glob("*/*/schema.json"))
    }


def _draft(path: Path, compat: str) -> Entry:
    shelf = path.parents[1]
    history = shelf / "CHANGELOG.md"
    source = history if history.exists() else path
    return Entry(
        digest=digest(gate.load(path.read_bytes(), file=str(path))),
        released=None,
        status="draft",
        compat=compat,
        source=source.relative_to(shelf.parent).as_posix(),
    )


def updated(lock: Lock, shelves: Lock) -> dict[str, Entry]:
    """How does the lock continue? What is released stays as it is, drafts follow their shelf."""
    kept = {ref: entry for ref, entry in lock.items() if entry.released}
    return {**kept, **{ref: entry for ref, entry in shelves.items() if ref not in kept}}


def release(lock: Lock, date: str) -> dict[str, Entry]:
    """How does the lock look once all drafts are released on this day (ISO date)?"""
    return {
        ref: entry
        if entry.released
        else msgspec.structs.replace(entry, released=date, status="released")
        for ref, entry in lock.items()
    }


def check_lock(
    lock: Lock | None = None, shelves: Lock | None = None, earlier: Lock | None = None
) -> list[Finding]:
    """Which rules of an append-only lock are broken? By the registry's own, if none is given.

    `earlier` is the lock as it was before, such as on the main branch.
    """
    lock = read() if lock is None else lock
    shelves = drafts() if shelves is None else shelves
    before = {ref: entry for ref, entry in (earlier or {}).items() if entry.released}
    return [*_against_shelves(lock, shelves), *_against_earlier(lock, before)]


def _against_shelves(lock: Lock, shelves: Lock) -> list[Finding]:
    found = []
    for ref, entry in lock.items():
        if not entry.released:
            continue
        if ref not in shelves:
            found.append(Finding(ref, "version-vanished", "no such shelf", "a released version"))
        elif shelves[ref].digest != entry.digest:
            found.append(Finding(ref, "digest-changed", shelves[ref].digest, entry.digest))
    return found


def _against_earlier(lock: Lock, before: Lock) -> list[Finding]:
    found = []
    for ref, entry in before.items():
        if ref not in lock:
            found.append(Finding(ref, "entry-vanished", "no entry", f"that of {entry.released}"))
        elif lock[ref] != entry:
            now, then = msgspec.to_builtins(lock[ref]), msgspec.to_builtins(entry)
            changed = [name for name in then if now.get(name) != then[name]]
            found.append(Finding(ref, "entry-changed", _said(now, changed), _said(then, changed)))
    return found


def _said(entry: Mapping[str, object], names: Sequence[str]) -> str:
    return ", ".join(f"{name} {entry.get(name)}" for name in names)
