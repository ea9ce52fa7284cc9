"""Which format and version has this document? Found out from its content, never from its name."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec

from registry import catalog, extents, gate, heading, slices
from registry.catalog import Format, Rule, Shelf, Version
from registry.errors import Ambiguous, EvalglotError, NotJson, UnknownFormat, UnknownVersion
from registry.matching import against, get
from registry.scan import Nonfinite
from registry.slices import Index
from registry.text import Buffer, utf8
from registry.values import JSON, same

_OBJECT: msgspec.json.Decoder[dict[str, msgspec.Raw]] = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ARRAY: msgspec.json.Decoder[list[msgspec.Raw]] = msgspec.json.Decoder(list[msgspec.Raw])


def detect(envelope: JSON, first: JSON = None, *, lines: bool = False) -> Version:
    """Which version do this envelope and first record belong to?

    The envelope may still hold records; then the first is found in it. `lines` says that they come
    from JSON Lines; the envelope is then None. Raises UnknownFormat with the reason against each
    candidate, or UnknownVersion for a version newer than known.
    """
    if (stated := _stated(envelope)) is not None:
        return stated
    if lines or same(envelope, []):
        envelope = [] if first is None else [first]
    fits, refused = _candidates(envelope, first)
    if len(fits) > 1:
        fits = [one for one in fits if _is_valid(one, envelope, first)] or fits
    if len(fits) == 1:
        return fits[0]
    _refuse_newer(envelope)
    raise _several(fits) if fits else _none(envelope, refused)


def _stated(envelope: JSON) -> Version | None:
    """As which version was a converted file written? Its carry says so."""
    for format_ in catalog.formats():
        slot = get(envelope, format_.slot.run)
        if type(slot) is not dict or type(slot.get("evalglot")) is not int:
            continue
        id_, _, version = str(slot.get("to")).partition("@")
        if id_ == format_.id and any(shelf.version == version for shelf in format_.versions):
            return Version(id_, version)
    return None


def _candidates(envelope: JSON, first: JSON) -> tuple[list[Version], dict[Version, str]]:
    """Which version of each format fits, the newest that does, and what speaks against the rest?

    Against a format that does not fit speaks the least that is against any version of it; nothing
    need be said of one with which the document has nothing in common.
    """
    fits: list[Version] = []
    refused: dict[Version, str] = {}
    for format_ in catalog.formats():
        against_each = {
            one: [*misfits(one.shelf, envelope, first)] for one in _newest_first(format_)
        }
        nearest = min(against_each, key=lambda one: len(against_each[one]))
        if not against_each[nearest]:
            fits.append(nearest)
        elif len(against_each[nearest]) < len([*misfits(nearest.shelf, _blank(envelope))]):
            refused[nearest] = against_each[nearest][0]
    return fits, refused


def _blank(envelope: JSON) -> JSON:
    """Which document of this kind tells nothing?"""
    if type(envelope) is list:
        return [{}]
    return {} if type(envelope) is dict else envelope


def _newest_first(format_: Format) -> list[Version]:
    return [Version(format_.id, shelf.version) for shelf in reversed(format_.versions)]


def misfits(shelf: Shelf, envelope: JSON, first: JSON = None) -> Iterator[str]:
    """What speaks against this version, as the end of "a file of cbl@4 …"?"""
    rule = shelf.detect
    document = _with_first(envelope, first, shelf)
    record = _first_in(document, shelf)
    if type(document) is list:
        if "" not in shelf.places:
            yield "is one object, not a list"
        elif type(record) is not dict:
            yield "has objects as records"
        else:
            yield from against(rule.first or Rule(), record)
        return
    if type(document) is not dict:
        yield "is an object"
        return
    yield from against(rule, document)
    if rule.first is not None and type(record) is dict:
        yield from against(rule.first, record)


def _with_first(envelope: JSON, first: JSON, shelf: Shelf) -> JSON:
    """How does the envelope look with the first record in its place, where rules may name it?"""
    for place in shelf.places if first is not None else ():
        if place and same(get(envelope, place), []):
            return put(envelope, place.split("/")[1:], [first])
    return envelope


def _first_in(document: JSON, shelf: Shelf) -> JSON:
    """Which is the first record, where this version keeps them? None when there is none."""
    for place in shelf.places:
        held = get(document, place)
        if type(held) is list and held:
            return held[0]
    return None


def put(value: JSON, path: Sequence[str], leaf: JSON) -> JSON:
    """How does a document look with a leaf at this path?"""
    if not path:
        return leaf
    return {**value, path[0]: put(value[path[0]], path[1:], leaf)}


def _is_valid(version: Version, envelope: JSON, first: JSON) -> bool:
    """Do envelope and first record keep to the version's schema?"""
    from registry import validation

    document = _with_first(envelope, first, version.shelf)
    if type(document) is list:
        return validation.record_check(version.ref)(_first_in(document, version.shelf))
    return validation.is_valid(document, version.ref)


def _refuse_newer(envelope: JSON) -> None:
    """A document that fits but for the number of its version is newer than known."""
    if type(envelope) is not dict:
        return
    for format_ in catalog.formats():
        rule = format_.newest.detect
        others = Rule(has=rule.has, lacks=rule.lacks, types=rule.types)
        for place, known in rule.equals.items():
            number = get(envelope, place)
            if type(number) is int and number > known and not [*against(others, envelope)]:
                raise _newer(format_, place, number, known)


def _newer(format_: Format, place: str, number: int, known: int) -> UnknownVersion:
    return UnknownVersion(
        found=f"this looks like {format_.id} with {number} at {place}, newer than known",
        expected=f"{known}, as in the newest known version {format_.id}@{format_.newest.version}",
        hint="A newer evalglot may know it; with --from it is read as a known version.",
        pointer=place,
    )


def _several(fits: Sequence[Version]) -> Ambiguous:
    return Ambiguous(
        found=f"several formats fit: {', '.join(version.ref for version in fits)}",
        expected="content that only one of them has",
        hint="Say which with --from.",
    )


def _none(envelope: JSON, refused: dict[Version, str]) -> UnknownFormat:
    found = "nothing in it tells its format" if _is_bare(envelope) else "no registered format fits"
    near = "; ".join(f"a file of {version.ref} {reason}" for version, reason in refused.items())
    return UnknownFormat(
        found=f"{found}: {near or 'it has nothing in common with any'}",
        expected="a result file of a registered format",
        hint="'evalglot registry list' shows them; say which one it is with --from.",
    )


def _is_bare(envelope: JSON) -> bool:
    """Is there at most an empty list of records?"""
    values = envelope.values() if type(envelope) is dict else [envelope]
    return all(same(value, []) for value in values)


def detect_document(document: JSON, *, lines: bool = False) -> Version:
    """Which version has this whole document? `lines`: the list of a JSON Lines file's values.

    Raises UnknownFormat or UnknownVersion.
    """
    if lines:
        return detect(None, document[0] if document else None, lines=True)
    return detect(document)


def detect_bytes(
    data: Buffer, *, file: str = "", lines: bool = False, nonfinite: Nonfinite = "reject"
) -> Version:
    """Which version do these bytes hold? Looks at the envelope and the first record only.

    What else is in the file is not checked here. Raises UnknownFormat or UnknownVersion, with the
    file's name, and NotJson where a look is not enough to tell.
    """
    try:
        return _detected(data, file, nonfinite, lines=lines)
    except NotJson:
        if nonfinite == "reject":
            with contextlib.suppress(NotJson, UnknownFormat, UnknownVersion):
                found = _detected(data, file, "keep", lines=lines)
                if accepted(found, nonfinite) == "keep":
                    return found
        if not lines:
            gate.load(data, file=file, nonfinite=nonfinite)  # tells where the whole file is broken
        raise


class Detected(NamedTuple):
    """Which version has a file, and where are its records, if that was found out on the way?"""

    version: Version
    records: Index | None = None


def look(
    data: Buffer, *, file: str = "", lines: bool = False, nonfinite: Nonfinite = "reject"
) -> Detected:
    """The same, and usually with the index of the file's records for the price of it.

    The head says which version it seems to be. What surrounds the records, which the index has in
    full, then has to say the same.
    """
    found = None if lines else _confirmed(data, file, nonfinite)
    return found or Detected(detect_bytes(data, file=file, lines=lines, nonfinite=nonfinite))


def _confirmed(data: Buffer, file: str, nonfinite: Nonfinite) -> Detected | None:
    """Which version does the head tell, and all else confirm? None in any doubt."""
    try:
        head = heading.head(data, _paths())
        if head is None:
            return None
        version = detect(head)
        place = next(one for one in version.containers if type(get(head, one)) is list)
        taken = accepted(version, nonfinite)
        index = slices.index(data, tuple(place.split("/")[1:]), file=file, nonfinite=taken)
        if index.found and detect(index.envelope, index.record(0)) == version:
            return Detected(version, index)
    except (EvalglotError, StopIteration, IndexError):
        return None
    return None


def accepted(version: Version, nonfinite: Nonfinite) -> Nonfinite:
    """What becomes of NaN and infinities in such a file? Kept where the tool itself writes them."""
    if nonfinite == "reject" and catalog.find(version.format).nonfinite:
        return "keep"
    return nonfinite


def _detected(data: Buffer, file: str, nonfinite: Nonfinite, *, lines: bool) -> Version:
    try:
        if lines:
            index = slices.index_lines(data, file=file, nonfinite=nonfinite)
            return detect(None, index.record(0) if len(index) else None, lines=True)
        return detect(_glanced(data, file, nonfinite))
    except (UnknownFormat, UnknownVersion) as error:
        error.file = file
        raise


def glanced(data: Buffer, file: str = "", nonfinite: Nonfinite = "reject") -> JSON:
    """What is in the file, but for all records except the first?

    Raises NotJson with the place for what is broken in these parts.
    """
    try:
        return _glanced(data, file, nonfinite)
    except NotJson:
        return gate.load(data, file=file, nonfinite=nonfinite)


def _glanced(data: Buffer, file: str, nonfinite: Nonfinite) -> JSON:
    """The same, with errors that do not tell the place.

    A file that the fast parser refuses (lone surrogates, NaN) is walked over.
    """
    paths = _paths()
    text = memoryview(utf8(data, file=file))
    try:
        return _glance(text, paths)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        return _walked(text, extents.space(text, 0), paths, nonfinite)
    except ValueError:  # no JSON, wherever it is broken
        return gate.load(data, file=file, nonfinite=nonfinite)


def _walked(
    text: memoryview, at: int, paths: Sequence[tuple[str, ...]], nonfinite: Nonfinite
) -> JSON:
    """The same value, found without a parser."""
    opening = bytes(text[at : at + 1])
    if () in paths and opening == b"[":
        first = list(islice(extents.items(text, at), 1))
        return [gate.decode(bytes(text[a:b]), nonfinite=nonfinite) for a, b in first]
    deeper = [path for path in paths if path]
    if not deeper or opening != b"{":
        return gate.decode(bytes(text[at : extents.end(text, at)]), nonfinite=nonfinite)
    return {
        key: _walked(text, value, [path[1:] for path in deeper if path[0] == key], nonfinite)
        for key, value in extents.members(text, at)
    }


def _paths() -> list[tuple[str, ...]]:
    """At which paths do registered versions keep their records?"""
    versions = catalog.catalog().versions
    places = dict.fromkeys(place for version in versions for place in version.containers)
    return [tuple(place.split("/")[1:]) for place in places]


def _glance(text: Buffer, paths: Sequence[tuple[str, ...]]) -> JSON:
    """Which value is this text, with lists at these paths cut after their first entry?"""
    opening = bytes(text[:64]).lstrip()[:1]
    if () in paths and opening == b"[":
        return [msgspec.json.decode(one) for one in _ARRAY.decode(text)[:1]]
    deeper = [path for path in paths if path]
    if not deeper or opening != b"{":
        return msgspec.json.decode(text)
    return {
        key: _glance(memoryview(value), [path[1:] for path in deeper if path[0] == key])
        for key, value in _OBJECT.decode(text).items()
    }
