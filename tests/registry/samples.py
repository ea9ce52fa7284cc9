"""The fixtures as the registry's tests see them: listed, loaded, and parted into what is judged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from registry import detection, edges, gate
from registry.catalog import catalog, parse_ref
from registry.files import is_lines as is_listed
from registry.text import Buffer
from registry.values import at

FIXTURES = Path(__file__).parents[2] / "fixtures"
VERSIONS = catalog().versions
REFS = [version.ref for version in VERSIONS]


def files(kind: str) -> list[Path]:
    """All fixtures of a kind (valid, invalid), without what is expected of them."""
    found = (path for ref in REFS for path in folder(ref, kind).glob("*.*"))
    return [path for path in sorted(found) if not path.name.endswith(".expect.json")]


def checked() -> list[Path]:
    """All fixtures in JSON, and JSON Lines, that are right, wrong, or break a rule."""
    kinds = {"valid", "invalid", "rules"}
    found = (path for path in FIXTURES.rglob("*.json*") if kinds & {*path.parts})
    return sorted(path for path in found if path.suffix in (".json", ".jsonl"))


def folder(ref: str, kind: str) -> Path:
    id_, _, version = ref.partition("@")
    return FIXTURES / id_ / version / kind


def ref_of(path: Path) -> str:
    return f"{path.parts[-4]}@{path.parts[-3]}"


def name(path: Path) -> str:
    return f"{ref_of(path)}/{path.name}"


def is_lines(path: Path) -> bool:
    return is_listed(data(path), path.name)


def is_xml(path: Path) -> bool:
    return path.suffix == ".xml"


def data(path: Path) -> Buffer:
    """The bytes of the JSON that the fixture holds, or is turned into."""
    return edges.turned(path.read_bytes(), path.name)


@cache
def document(path: Path) -> Any:
    """Not to be changed, or to be changed back."""
    load = gate.load_lines if is_lines(path) else gate.load
    nonfinite = detection.accepted(parse_ref(ref_of(path)), "reject")
    return load(data(path), file=path.name, nonfinite=nonfinite)


def everything(ref: str) -> list[Path]:
    """The files that together have every documented field."""
    return sorted(folder(ref, "valid").glob("everything*.*"))


def parts(path: Path) -> Iterator[tuple[str, str, Any]]:
    """Where each part of a document stands, which part of the schema judges it, and the part."""
    whole, version = document(path), parse_ref(ref_of(path))
    record_place = f"/definitions/{version.shelf.record}"
    place = "" if isinstance(whole, list) else holder(whole, version.containers)
    if place is None:
        yield "", "", whole
        return
    if not is_lines(path):
        yield "", "", emptied(whole, place)
    for number, record in enumerate(at(whole, place)):
        yield f"{place}/{number}", record_place, record


def holder(whole: Any, containers: tuple[str, ...]) -> str | None:
    """At which of these places does the document keep its records?"""
    for place in containers:
        if place and isinstance(found(whole, place), list):
            return place
    return None


def found(whole: Any, place: str) -> Any:
    try:
        return at(whole, place)
    except KeyError:
        return None


def emptied(whole: Any, place: str) -> Any:
    """The document without its records; the original stays as it is."""
    if not place:
        return []
    key, _, rest = place[1:].partition("/")
    return {**whole, key: emptied(whole[key], f"/{rest}" if rest else "")}


def starred(place: str) -> str:
    """A place with its positions forgotten, so that like places look alike."""
    return re.sub(r"/\d+(?=/|$)", "/*", place)
