"""Where among the shelves does a new version go, and what does its format.json say of it?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from registry import gate, seating, telltales
from registry.catalog import FORMAT, VERSION, Format, Shelf
from registry.errors import InputError
from registry.library import Held, Library
from registry.linting import URN
from registry.values import JSON

OWN = URN.split(":")[1] + "-"

SCHEMA = "schema.json"
NAMED = "FORMAT@VERSION: small letters with hyphens between, numbers with dots, such as cbl@5"
SLOT = "/x-evalglot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is to be added? What is None is taken from the version before, or from the schema.

    `about` (title, homepage, case_key) is said only of a format that is new.
    """

    ref: str
    schema: JSON
    compat: str | None = None
    source: str | None = None
    detect: JSON = None
    records: str | None = None
    about: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """Where does it go? `described` is what format.json will say; no `before`: a new format."""

    format: str
    version: str
    described: JSON
    before: Held | None

    @property
    def ref(self) -> str:
        """How is it named, such as `cbl@4`?"""
        return f"{self.format}@{self.version}"

    @property
    def id(self) -> str:
        """Which `$id` does its schema have?"""
        return f"{URN}{self.format}:{self.version}"

    @property
    def shelf(self) -> Shelf:
        """What will format.json say of this version?"""
        return msgspec.convert(self.described, Format).newest

    @property
    def folder(self) -> str:
        """In which folder is it, below that of the shelves, or of the fixtures?"""
        return f"{self.format}/{self.version}"


def named(held: Library, ref: str) -> tuple[str, str]:
    """Which format and version does `cbl@5` name, that may be added? Raises InputError."""
    id_, _, version = ref.partition("@")
    if not re.search(FORMAT, id_) or not re.search(VERSION, version):
        raise InputError(found=f"--to {ref}", expected=NAMED)
    if id_.startswith(OWN):
        raise InputError(
            found=f"--to {ref}, a name that evalglot keeps for its own reports",
            expected="the format of a tool",
        )
    for one in held.versions:
        if one.ref == ref:
            raise _existing(one, _newest(held, id_))
    newest = _newest(held, id_)
    if newest and _number(version) <= _number(newest.version):
        raise InputError(
            found=f"{ref} is not newer than {newest.ref}",
            expected=f"a version above {newest.version}: versions are added at the end",
        )
    folder = held.root / id_ / version
    if folder.exists() or (newest is None and folder.parent.exists()):
        there = folder if folder.exists() else folder.parent
        raise InputError(
            found="it is there already, though no format.json names it",
            expected="a version that is not",
            hint="Move the folder away first.",
            file=str(there),
        )
    return id_, version


def _newest(held: Library, id_: str) -> Held | None:
    return next((one for one in reversed(held.versions) if one.format == id_), None)


def _number(version: str) -> list[int]:
    parts = [*map(int, version.split("."))]
    while parts and parts[-1] == 0:
        parts.pop()
    return parts


def _existing(one: Held, newest: Held | None) -> InputError:
    above = f", above {newest.version}" if newest else ""
    hint = (
        "A released schema is never edited."
        if one.released
        else f"While it is a draft, edit {one.format}/{one.version}/{SCHEMA} itself"
        " and run `python -m registry.generate`."
    )
    return InputError(
        found=f"{one.ref} exists already, {one.status}", expected=f"a new version{above}", hint=hint
    )


def placed(held: Library, request: Request) -> Place:
    """Where does what is requested go? Raises InputError when it does not fit the shelves."""
    id_, version = named(held, request.ref)
    before = _newest(held, id_)
    make = _continued if before else _begun
    described = make(held, before, request, id_, version)
    try:
        msgspec.convert(described, Format)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # half a pair as a key
        raise InputError(found=f"format.json would not hold: {error}") from None
    return Place(id_, version, described, before)


def _continued(
    held: Library, before: Held | None, request: Request, id_: str, version: str
) -> JSON:
    """How does the format.json of a known format look with one more version?"""
    if request.about:
        said = ", ".join(f"--{name.replace('_', '-')}" for name in request.about)
        raise InputError(
            found=f"{said} for {id_}, which is there already",
            expected="a format that is new",
            hint=f"Edit {id_}/format.json instead.",
        )
    path = held.root / id_ / "format.json"
    described = gate.load(path.read_bytes(), file=str(path))
    last = described["versions"][-1]
    old = held.sound(before) if before else {}
    entry = {
        "version": version,
        "predecessor": last["version"],
        **_records(request, last),
        "detect": telltales.grown(last["detect"], old, request.schema)
        if request.detect is None
        else request.detect,
    }
    if request.compat and request.compat != described["compat"]:
        entry["compat"] = request.compat
    return {**described, "versions": [*described["versions"], entry]}


def _begun(held: Library, before: Held | None, request: Request, id_: str, version: str) -> JSON:
    """How does the format.json of a new format look?"""
    if not request.about.get("homepage"):
        known = sorted({one.format for one in held.versions})
        raise InputError(
            found=f"there is no format {id_}",
            expected=f"one of {', '.join(known)}, or --homepage URL for a format that is new",
        )
    schema = request.schema
    return {
        "id": id_,
        "title": request.about.get("title") or schema.get("title") or id_,
        "homepage": request.about["homepage"],
        "summary": schema.get("description", ""),
        "nonfinite": False,
        "case_key": request.about.get("case_key", "not said yet"),
        "slot": {"run": SLOT, "record": SLOT},
        "compat": request.compat or "backward",
        "versions": [
            {
                "version": version,
                **_records(request, {}),
                "detect": telltales.telling(schema) if request.detect is None else request.detect,
            }
        ],
    }


def _records(request: Request, last: JSON) -> JSON:
    """Where are the records, and which definition describes one? Raises InputError."""
    kept = [one["records"] for one in last.get("containers", ())]
    known = [last["records"]] if "records" in last else kept
    wanted = [request.records] if request.records is not None else known
    found = wanted or seating.seats(request.schema)
    names = {place: name for place in found if (name := seating.record_at(request.schema, place))}
    if not names or (not wanted and len(names) > 1) or len({*names.values()}) > 1:
        raise _no_records(request, wanted, list(names))
    record = next(iter(names.values()))
    if len(names) == 1:
        return {"records": next(iter(names)), "record": record}
    return {"containers": [{"records": place} for place in names], "record": record}


def _no_records(request: Request, wanted: list[str], found: list[str]) -> InputError:
    there = seating.seats(request.schema)
    sought = " or ".join(place or '""' for place in wanted) or "any place"
    several = f"several lists of records ({', '.join(found)})"
    hint = f"Say --records {there[0]}." if there else "`infer --records POINTER` drafts it so."
    return InputError(
        found=several if len(found) > 1 else f"the schema has no list of records at {sought}",
        expected='one list whose items are {"$ref": "#/definitions/…"}, as records are told by it',
        hint=hint,
    )
