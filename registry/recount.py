"""Does a document's own account of itself agree with a recount of what it holds?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from importlib import import_module

import msgspec

from registry import rules
from registry.catalog import find, parse_ref
from registry.findings import Finding
from registry.matching import get
from registry.recounts import Frame, Recounter
from registry.values import JSON

CARRY = "evalglot"
"""Which key has a carry in the run's slot, whatever else it has?"""

CONVERTED = "The file was converted, and what it was made from may count otherwise."
"""Why is what breaks a rule in a file with a carry no error?"""


class Recount(msgspec.Struct, frozen=True):
    """A document that is being recounted."""

    counts: Recounter
    asked: Collection[str]
    converted: bool

    def admitted(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Which of these findings were asked for, errors of converted files made warnings?"""
        for one in findings:
            if one.rule in self.asked:
                yield _excused(one) if self.converted else one


def _excused(finding: Finding) -> Finding:
    if finding.severity == "warning":
        return finding
    return msgspec.structs.replace(finding, severity="warning", note=CONVERTED)


def recount(ref: str, asked: Collection[str], envelope: JSON, place: str = "") -> Recount | None:
    """What recounts a document whose records at `place` were taken out? None if nothing is asked.

    An envelope of None, as JSON Lines have it, says nothing.
    """
    version = parse_ref(ref)
    if not any(one.format == version.format and one.id in asked for one in rules.RULES):
        return None
    module = import_module(f"registry.recounts.{version.format.replace('-', '_')}")
    make: Callable[[Frame], Recounter] = module.recounter
    converted = _is_converted(envelope, find(version.format).slot.run)
    return Recount(make(Frame(version.version, envelope, place, converted)), asked, converted)


def _is_converted(envelope: JSON, slot: str) -> bool:
    carry = get(envelope, slot)
    return isinstance(carry, dict) and CARRY in carry


def findings(
    document: JSON, ref: str, asked: Collection[str] = rules.ALL, *, lines: bool = False
) -> list[Finding]:
    """Which of the rules asked for does a whole, valid document break?

    `lines` says that it is the list of the values of a JSON Lines file.
    """
    place = _container(document, ref)
    records = [] if place is None else get(document, place)
    envelope = document if place is None else _emptied(document, place.split("/")[1:])
    made = recount(ref, asked, None if lines else envelope, place or "")
    return [] if made is None else list(made.admitted(_all(made.counts, records)))


def _all(counts: Recounter, records: Iterable[JSON]) -> Iterator[Finding]:
    for number, record in enumerate(records):
        yield from counts.record(record, number)
    yield from counts.end()


def _container(document: JSON, ref: str) -> str | None:
    """Where does the document keep its records? None when it does nowhere."""
    places = parse_ref(ref).containers
    fits = (place for place in places if type(get(document, place)) is list)
    return next(fits, None)


def _emptied(document: JSON, keys: list[str]) -> JSON:
    """The document without the records at the end of these keys; it is not changed itself."""
    if not keys:
        return []
    return {**document, keys[0]: _emptied(document[keys[0]], keys[1:])}
