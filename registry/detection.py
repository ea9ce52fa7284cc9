"""Which format and version has this document? Found out from its content, never from its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from registry import catalog, gate, slices
from registry.catalog import Rule, Version
from registry.errors import UnknownFormat, UnknownVersion
from registry.scan import Nonfinite
from registry.text import Buffer
from registry.values import JSON, at, same

_KINDS = {
    dict: "object",
    list: "array",
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
_NOTHING = object()


def detect(envelope: JSON, first: JSON = None, *, lines: bool = False) -> Version:
    """Which version do this envelope and first record belong to?

    `lines` says that they come from JSON Lines; the envelope is then None. Raises UnknownFormat
    with the reason against each candidate, or UnknownVersion for a version newer than known.
    """
    if (stated := _stated(envelope)) is not None:
        return stated
    refused: list[str] = []
    found = []
    for format_ in catalog.formats():
        versions = [Version(format_.id, shelf.version) for shelf in reversed(format_.versions)]
        misfits = [_misfit(version, envelope, first, lines=lines) for version in versions]
        if None in misfits:
            found.append(versions[misfits.index(None)])
        else:
            refused.append(f"{versions[0].ref} {misfits[0]}")
    if len(found) == 1:
        return found[0]
    _refuse_newer(envelope)
    raise _undecided(found, refused)


def _stated(envelope: JSON) -> Version | None:
    """As which version was a converted file written? Its carry says so."""
    for format_ in catalog.formats():
        slot = _get(envelope, format_.slot.run)
        if type(slot) is not dict or type(slot.get("evalglot")) is not int:
            continue
        id_, _, version = str(slot.get("to")).partition("@")
        if id_ == format_.id and any(shelf.version == version for shelf in format_.versions):
            return Version(id_, version)
    return None


def _misfit(version: Version, envelope: JSON, first: JSON, *, lines: bool) -> str | None:
    """What speaks against this version? None when nothing does."""
    rule = version.shelf.detect
    if lines or type(envelope) is list:
        if "" not in version.containers:
            return "is one object, not a list"
        if type(first) is not dict:
            return "has objects as records"
        return next(_against(rule.first or Rule(), first), None)
    if type(envelope) is not dict:
        return "is an object"
    against = next(_against(rule, _with_first(envelope, first, version)), None)
    if against is None and rule.first is not None and type(first) is dict:
        against = next(_against(rule.first, first), None)
    return against


def _with_first(envelope: JSON, first: JSON, version: Version) -> JSON:
    """How does the envelope look with the first record in its place, where rules may name it?"""
    for place in version.containers if first is not None else ():
        path = place.split("/")[1:]
        if path and _get(envelope, place) == []:
            return _put(envelope, path, [first])
    return envelope


def _put(value: JSON, path: Sequence[str], leaf: JSON) -> JSON:
    if not path:
        return leaf
    return {**value, path[0]: _put(value[path[0]], path[1:], leaf)}


def _against(rule: Rule, document: JSON) -> Iterator[str]:
    for place in rule.has:
        if _get(document, place) is _NOTHING:
            yield f"has {place}"
    for place in rule.lacks:
        if _get(document, place) is not _NOTHING:
            yield f"has no {place}"
    if rule.any and all(_get(document, place) is _NOTHING for place in rule.any):
        yield f"has one of {', '.join(rule.any)}"
    for place, kind in rule.types.items():
        if _KINDS.get(type(_get(document, place))) != kind:
            yield f"has at {place} an {kind}" if kind[0] in "aio" else f"has at {place} a {kind}"
    for place, value in rule.equals.items():
        if not same(_get(document, place), value):
            yield f"has {value} at {place}"


def _get(document: JSON, place: str) -> Any:
    try:
        return at(document, place)
    except LookupError:
        return _NOTHING


def _refuse_newer(envelope: JSON) -> None:
    """A document that fits but for the number of its version is newer than known."""
    if type(envelope) is not dict:
        return
    for format_ in catalog.formats():
        for place, known in format_.newest.detect.equals.items():
            version = _get(envelope, place)
            rule = format_.newest.detect
            others = Rule(rule.has, rule.lacks, rule.any, rule.types)
            if type(version) is int and version > known and not [*_against(others, envelope)]:
                raise UnknownVersion(
                    found=f"this looks like {format_.id} with {version} at {place}",
                    expected=f"{known}, as in the newest known version {format_.newest.version}",
                    hint="A newer evalglot may know it; with --from it is read as a known version.",
                    pointer=place,
                )


def _undecided(found: Sequence[Version], refused: Sequence[str]) -> UnknownFormat:
    if found:
        candidates = ", ".join(version.ref for version in found)
        return UnknownFormat(
            found=f"several formats fit: {candidates}",
            expected="content that only one of them has",
            hint="Say which with --from.",
        )
    return UnknownFormat(
        found="no registered format fits",
        expected="; ".join(refused),
        hint="Say which one it is with --from.",
    )


def detect_document(document: JSON, *, lines: bool = False) -> Version:
    """Which version has this whole document? `lines`: the list of a JSON Lines file's values."""
    return detect(None if lines else document, first_of(document), lines=lines)


def first_of(document: JSON) -> JSON:
    """Which is the document's first record, wherever a registered version keeps them?"""
    for place in places():
        held = _get(document, place)
        if type(held) is list and held:
            return held[0]
    return None


def places() -> list[str]:
    """At which places do registered versions keep their records?"""
    return list(
        dict.fromkeys(
            place
            for format_ in catalog.formats()
            for shelf in format_.versions
            for place in Version(format_.id, shelf.version).containers
        )
    )


def detect_bytes(
    data: Buffer, *, file: str = "", lines: bool = False, nonfinite: Nonfinite = "reject"
) -> Version:
    """Which version do these bytes hold? Looks at the envelope and the first record only.

    Raises NotJson, UnknownFormat or UnknownVersion, with the file's name.
    """
    try:
        if lines:
            index = slices.index_lines(data, file=file, nonfinite=nonfinite)
            return detect(None, index.record(0) if len(index) else None, lines=True)
        return _detect_indexed(data, file, nonfinite)
    except (UnknownFormat, UnknownVersion) as error:
        error.file = file
        raise


def _detect_indexed(data: Buffer, file: str, nonfinite: Nonfinite) -> Version:
    keys = slices.top_keys(data, file=file)
    for place in places():
        path = tuple(place.split("/")[1:])
        if keys is not None and (not path or path[0] not in keys):
            continue
        index = slices.index(data, path, file=file, nonfinite=nonfinite)
        if index.found:
            return detect(index.envelope, index.record(0) if len(index) else None)
    return detect(gate.load(data, file=file, nonfinite=nonfinite))
