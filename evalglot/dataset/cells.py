"""How do facts become columns of Arrow, and how do they come back?

Arrow's own conversion is quick and exact for what fits. What does not is looked at cell by cell:
half a surrogate pair becomes its escape, an integer that 64 bits can't hold and a number that is
none become null.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import repeat
from math import isfinite
from operator import is_
from typing import TYPE_CHECKING, Any

import msgspec

from converter.facts import SCOPES
from evalglot.dataset.tables import PARTITION, REF, TABLES, Column, Kind
from registry import gate

if TYPE_CHECKING:
    import pyarrow as pa

LARGEST = 2**63 - 1


def arrow_types() -> Mapping[Kind, pa.DataType]:
    """Which type of Arrow has each kind of column?"""
    import pyarrow as pa

    return {
        "text": pa.string(),
        "integer": pa.int64(),
        "real": pa.float64(),
        "flag": pa.bool_(),
        "texts": pa.list_(pa.string()),
        "json": pa.string(),
        "moment": pa.timestamp("us"),
    }


@cache
def schema(table: str, *, with_path: bool = False) -> pa.Schema:
    """Which schema of Arrow has this table, with the columns in its path or without?"""
    import pyarrow as pa

    kinds = arrow_types()
    columns = (*TABLES[table], *(PARTITION if with_path else ()))
    fields = [pa.field(one.name, kinds[one.kind], nullable=not one.needed) for one in columns]
    return pa.schema(fields, {"evalglot": f"{REF} {table}"})


def table(name: str, rows: Sequence[Sequence[Any]]) -> pa.Table:
    """Which table of Arrow holds these rows, each with a value for each column?"""
    import pyarrow as pa

    shape = schema(name)
    if not rows:
        return shape.empty_table()
    arrays = [
        _array(column, values, field.type)
        for column, values, field in zip(TABLES[name], zip(*rows, strict=True), shape, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=shape)


def _array(column: Column, values: Sequence[Any], type_: pa.DataType) -> pa.Array:
    import pyarrow as pa

    if all(map(is_, values, repeat(None))):
        return pa.nulls(len(values), type_)
    if column.kind == "json":
        values = [None if value is None else spelled(value) for value in values]
    try:
        return pa.array(values, type_)
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError, OverflowError):
        fit = FITTING[column.kind]
        return pa.array([None if value is None else fit(value) for value in values], type_)


def spelled(value: Any) -> str:
    """Which JSON text spells a value of Json, or structures of facts?"""
    return gate.dump(msgspec.to_builtins(value)).decode()


def _text(value: Any) -> str | None:
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else None


def _integer(value: Any) -> int | None:
    fits = type(value) is int and -LARGEST <= value <= LARGEST
    return value if fits else None


def _real(value: Any) -> float | None:
    if type(value) not in (int, float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if isfinite(found) else None


def _texts(value: Any) -> list[str | None]:
    return [_text(one) for one in value]


FITTING: Mapping[Kind, Callable[[Any], Any]] = {
    "text": _text,
    "json": _text,
    "integer": _integer,
    "real": _real,
    "flag": lambda value: value if type(value) is bool else None,
    "texts": _texts,
    "moment": lambda value: value,
}
"""What becomes of a value that Arrow does not take as it is?"""


def moment(text: str | None) -> datetime | None:
    """Which time in UTC, without a zone, does a text of ISO 8601 say? One without a zone is in UTC.

    >>> moment("2026-03-01T09:00:00+02:00")
    datetime.datetime(2026, 3, 1, 7, 0)
    >>> moment("yesterday")
    """
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
        return found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found
    except (ValueError, OverflowError):
        return None


def _read_as(kind: Kind, hint: Any) -> Callable[[Any], Any]:
    if kind == "json":
        return lambda text: msgspec.convert(gate.load(text.encode()), hint)
    return tuple if kind == "texts" else lambda value: value


@cache
def _readers(scope: str) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    from typing import get_type_hints

    hints = get_type_hints(SCOPES[scope])  # type: ignore[index]
    return tuple(
        (column.name, _read_as(column.kind, hints[column.name]))
        for column in TABLES[scope]
        if column.fact
    )


def said(scope: str, row: Mapping[str, Any], **more: Any) -> Any:
    """Which facts does this row of a table hold?"""
    facts = {name: read(row[name]) for name, read in _readers(scope) if row.get(name) is not None}
    return SCOPES[scope](**facts, **more)  # type: ignore[index]
