"""Does a document keep to its version's schema, and if not, what is wrong with it?

A whole document is judged by the root of its schema. Record by record it is the same: the document
with no records by the root, and each record by the definition that format.json names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from registry import engine
from registry.catalog import Version, parse_ref
from registry.engine import Judge
from registry.explanation import Problem, explain, refusal
from registry.values import JSON, at, pointer

__all__ = [
    "Problem",
    "check",
    "check_envelope",
    "envelope_check",
    "envelope_problems",
    "is_valid",
    "problems",
    "record_check",
    "record_checker",
    "record_problems",
    "stream_problems",
]


def is_valid(value: JSON, ref: str) -> bool:
    """Does this whole document keep to the schema of this version?"""
    return _judge(ref, "")(value)


def problems(value: JSON, ref: str) -> list[Problem]:
    """What is wrong with this document? Empty when it is valid."""
    return [] if is_valid(value, ref) else explain(parse_ref(ref).schema, value)


def check(value: JSON, ref: str, *, file: str = "") -> None:
    """Raise InvalidDocument, with all problems, unless the document keeps to its schema."""
    if not is_valid(value, ref):
        raise refusal(explain(parse_ref(ref).schema, value), ref, file)


def envelope_check(ref: str) -> Judge:
    """Which function says yes or no to a document whose records were taken out?"""
    return _envelope_judge(ref)


def record_check(ref: str) -> Judge:
    """Which function says yes or no to one record?"""
    return _judge(ref, _record(ref))


def record_problems(record: JSON, ref: str, place: str) -> list[Problem]:
    """What is wrong with a record that stands at the JSON Pointer `place`? Empty when valid."""
    if record_check(ref)(record):
        return []
    return explain(engine.part(parse_ref(ref).schema, _record(ref)), record, place)


def stream_problems(
    envelope: JSON, records: Iterable[JSON], ref: str, place: Sequence[str]
) -> Iterator[Problem]:
    """What is wrong with a document that comes as its envelope and its records at `place`?

    An envelope of None, as JSON Lines have it, is not judged.
    """
    if envelope is not None and not envelope_check(ref)(envelope):
        yield from explain(parse_ref(ref).schema, envelope)
    for number, record in enumerate(records):
        yield from record_problems(record, ref, pointer((*place, number)))


def check_envelope(envelope: JSON, ref: str, *, file: str = "") -> None:
    """Raise InvalidDocument unless the document, with its records taken out, is valid."""
    if not envelope_check(ref)(envelope):
        raise refusal(envelope_problems(envelope, ref), ref, file)


def envelope_problems(envelope: JSON, ref: str) -> list[Problem]:
    """What is wrong with a document whose records were taken out? Empty when it is valid."""
    return explain(parse_ref(ref).schema, envelope)


def record_checker(ref: str, place: Sequence[str], file: str = "") -> Callable[[JSON, int], None]:
    """A function that raises InvalidDocument unless record number n, under `place`, is valid."""
    keeps = record_check(ref)

    def check_record(value: JSON, number: int) -> None:
        if not keeps(value):
            raise refusal(record_problems(value, ref, pointer((*place, number))), ref, file)

    return check_record


def _record(ref: str) -> str:
    return pointer(("definitions", parse_ref(ref).shelf.record))


@cache
def _judge(ref: str, place: str) -> Judge:
    """Which function decides, for the part of the schema at a JSON Pointer?"""
    return engine.judge(engine.part(parse_ref(ref).schema, place))


@cache
def _envelope_judge(ref: str) -> Judge:
    """Which function decides about documents without records?"""
    return engine.judge(envelope_schema(parse_ref(ref)))


def envelope_schema(version: Version) -> JSON:
    """Which schema is left for documents whose records were taken out?

    What it says of records would take longer to compile than to use.
    """
    schema = version.schema
    for place in version.containers:
        _array(schema, place).pop("items", None)
    return schema


def _array(schema: JSON, place: str) -> JSON:
    """Which part of the schema speaks of the list at this place of a document?"""
    inner = schema
    for key in place.split("/")[1:]:
        inner = inner.get("properties", {}).get(key, {})
        if "$ref" in inner:
            inner = at(schema, inner["$ref"].removeprefix("#"))
    return inner
