"""Which parts make a dataset? One file says so, and is replaced as a whole.

A part that the manifest does not name is no part of the dataset, whatever its name: what was being
written when a collect was killed is never read, and removed by the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from evalglot.dataset.places import Folder
from evalglot.dataset.tables import ID, PARTED, REF
from registry import gate
from registry.errors import InputError

NAME = "manifest.json"
URN = f"urn:evalglot:{ID}-manifest:1"
PART = re.compile(
    r"(file|error)/\d{6,}-[0-9a-f]{16}\.parquet"
    rf"|({'|'.join(PARTED)})/tool=[a-z-]{{1,200}}/month=(\d{{4}}-\d{{2}}|unknown)"
    r"/\d{6,}-[0-9a-f]{16}\.parquet"
)
"""How are parts called? What is called otherwise is not ours to remove, or to read."""


class Part(msgspec.Struct, frozen=True):
    """One Parquet file: some rows of one table."""

    path: str
    rows: int
    bytes: int

    @property
    def table(self) -> str:
        """Which table's rows has it?"""
        return self.path.partition("/")[0]

    @property
    def home(self) -> str:
        """Where in its table does it stand? The same for all tables of the same files."""
        return self.path.partition("/")[2]


class Manifest(msgspec.Struct, frozen=True):
    """Of which parts does the dataset consist, in which schema, and how often was it collected?"""

    schema: str = REF
    generation: int = 0
    commit: int = 0
    parts: tuple[Part, ...] = ()

    def of(self, table: str) -> tuple[Part, ...]:
        """Which parts has a table?"""
        return tuple(part for part in self.parts if part.table == table)

    def with_(self, generation: int, added: Iterable[Part], removed: Iterable[str]) -> Manifest:
        """The manifest after some parts were added, and some taken away."""
        gone = set(removed)
        kept = [part for part in self.parts if part.path not in gone]
        parts = sorted((*kept, *added), key=lambda part: part.path)
        return Manifest(self.schema, generation, self.commit + 1, tuple(parts))


def read(folder: Folder) -> Manifest | None:
    """What does the manifest of a folder say? None where there is none.

    Raises InputError for one that is damaged, or of another schema.
    """
    data = folder.read(NAME)
    if data is None:
        return None
    place = f"{folder.name}/{NAME}"
    try:
        found = msgspec.convert(gate.load(data, file=place), Manifest)
    except msgspec.ValidationError as error:
        raise InputError(
            found=str(error), expected="the manifest of a dataset", file=place
        ) from None
    if found.schema != REF:
        raise InputError(
            found=f"a dataset of schema {found.schema[:40]!r}",
            expected=REF,
            hint="Collect into a new folder.",
            file=place,
        )
    odd = next((part.path for part in found.parts if PART.fullmatch(part.path) is None), None)
    if odd is not None:
        raise InputError(found=f"a part {odd[:80]!r}", expected="a part's name", file=place)
    return found


def existing(folder: Folder) -> Manifest:
    """The manifest of a folder that is a dataset. Raises InputError where it is none."""
    found = read(folder)
    if found is None:
        raise InputError(
            found="no dataset",
            expected="a folder that evalglot collect has filled",
            hint="Fill it: evalglot collect SOURCES… --into DIR",
            file=folder.name,
        )
    return found


def write(folder: Folder, manifest: Manifest) -> None:
    """Let the folder have this manifest, from one moment to the next. Raises OutputError."""
    told = {"$schema": URN, **msgspec.to_builtins(manifest)}
    folder.write(NAME, msgspec.json.encode(told) + b"\n")


def orphans(folder: Folder, manifest: Manifest) -> Sequence[str]:
    """Which files look like parts, and are none?"""
    named = {part.path for part in manifest.parts}
    tables = ("file", "error", *PARTED)
    found = (path for table in tables for path in folder.names(table))
    return [path for path in found if PART.fullmatch(path) and path not in named]
