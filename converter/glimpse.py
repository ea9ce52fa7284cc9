"""Of which case and target is a record, found in its bytes without reading the rest of it?

Grouping has to know that of all records before the first is written. Reading only what identifies
a case takes a fifth of the time of reading and checking the whole record, which comes later.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec

from converter.facts import IDENTIFYING, identity
from converter.form import Format
from converter.rows import Record

Key: TypeAlias = tuple[tuple[str | None, ...], str | None]
"""what identifies a case, and the target of a trial"""


def key_reader(form: Format) -> Callable[[Record], Key]:
    """Which function tells of which case and target a flat format's record is?"""
    target, read_case = form.target_of(), form.read_case
    return lambda record: (identity(read_case(record)), target(record))


def glimpser(
    form: Format, raws: Sequence[Any], whole: Callable[[int], Record]
) -> Callable[[int], Key]:
    """Which function tells of which case and target each of these records is, by its number?

    They are given as bytes of JSON. Where the glimpse does not find what it expects, the `whole`
    record is asked for.
    """
    decode = msgspec.json.Decoder(_part(form)).decode
    read = key_reader(form)

    def key(number: int) -> Key:
        try:
            record: Record = decode(raws[number])
        except (msgspec.DecodeError, RecursionError):
            record = whole(number)
        return read(record)

    return key


def _part(form: Format) -> Any:
    """Which type has the part of a record that is glimpsed?"""
    types: dict[str, Any] = {}
    for row in form.rows:
        if row.fact == "trial.provider" or (row.scope == "case" and row.name in IDENTIFYING):
            kind = IDENTIFYING.get(row.name, str | None)
            types.setdefault(row.path, kind if row.codec.read is None else Any)
    types |= form.glimpsed
    return _nested(types)


def _nested(types: dict[str, Any]) -> Any:
    """Which type has an object that holds values of these types, by path?"""
    members: dict[str, Any] = {}
    inside: dict[str, dict[str, Any]] = {}
    for path, kind in types.items():
        key, _, rest = path.partition("/")
        if rest:
            inside.setdefault(key, {})[rest] = kind
        else:
            members[key] = kind
    members |= {key: _nested(inner) | None for key, inner in inside.items() if key not in members}
    make: Any = typing.TypedDict  # made at run time, which type checkers don't follow
    return make("Glimpse", members, total=False)
