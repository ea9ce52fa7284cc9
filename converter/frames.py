"""Rows of values as a table of pandas, Polars or Arrow: whichever of them is installed.

How awkward values stand in a column:

* what a file does not say is null;
* an integer column holds 64 bits: one with a larger number is a column of text;
* half an emoji, which no table can hold, is written as its escape;
* a value with a structure of its own, such as a transcript, is its JSON text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import msgspec

from registry import gate
from registry.errors import EvalglotError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Kind: TypeAlias = Literal["text", "integer", "number", "boolean", "texts", "json"]
Columns: TypeAlias = Mapping[str, tuple[Kind, Sequence[Any]]]

KINDS: Mapping[str, Kind] = {
    "str": "text",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "tuple[str, ...]": "texts",
}
"""Which kind of column has a field that is annotated so, or so and None? Others are JSON."""

MOST = 2**63 - 1


class MissingLibrary(EvalglotError):
    """The library that makes such a table is not installed."""


def kind_of(annotation: str) -> Kind:
    """Which kind of column does a field with this annotation have?

    >>> kind_of("tuple[str, ...] | None"), kind_of("Verdict | None"), kind_of("Json | None")
    ('texts', 'text', 'json')
    """
    bare = annotation.removesuffix(" | None")
    return "text" if bare in ("Verdict", "State", "Bucket") else KINDS.get(bare, "json")


class Columned(Protocol):
    """What has columns."""

    def columns(self) -> Columns:
        """Of which kind is each column, and which values has it?"""


class Tabular:
    """What has rows that can be looked at as a table."""

    __slots__ = ()

    def to_pandas(self: Columned) -> pandas.DataFrame:
        """The rows as a pandas DataFrame. Raises MissingLibrary."""
        frames = _library("pandas")
        types = {"text": "string", "integer": "Int64", "number": "float64", "boolean": "boolean"}
        made = {
            name: frames.Series(values, dtype=types.get(kind, "object"))
            for name, (kind, values) in _held(self.columns()).items()
        }
        table: pandas.DataFrame = frames.DataFrame(made)
        return table

    def to_polars(self: Columned) -> polars.DataFrame:
        """The rows as a Polars DataFrame. Raises MissingLibrary."""
        frames = _library("polars")
        types = {
            "integer": frames.Int64,
            "number": frames.Float64,
            "boolean": frames.Boolean,
            "texts": frames.List(frames.String),
        }
        held = _held(self.columns())
        schema = {name: types.get(kind, frames.String) for name, (kind, _) in held.items()}
        data = {name: values for name, (_, values) in held.items()}
        table: polars.DataFrame = frames.DataFrame(data, schema=schema)
        return table

    def to_arrow(self: Columned) -> pyarrow.Table:
        """The rows as an Arrow table. Raises MissingLibrary."""
        arrow = _library("pyarrow")
        types = {
            "integer": arrow.int64(),
            "number": arrow.float64(),
            "boolean": arrow.bool_(),
            "texts": arrow.list_(arrow.string()),
        }
        made = {
            name: arrow.array(values, type=types.get(kind, arrow.string()))
            for name, (kind, values) in _held(self.columns()).items()
        }
        table: pyarrow.Table = arrow.table(made)
        return table


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise MissingLibrary(
            found=f"{name} is not installed", hint=f"Install it: pip install {name}"
        ) from None


def _held(columns: Columns) -> Columns:
    """The same columns, with values that every table holds."""
    return {name: _column(kind, values) for name, (kind, values) in columns.items()}


def _column(kind: Kind, values: Sequence[Any]) -> tuple[Kind, Sequence[Any]]:
    if kind == "integer" and any(value is not None and abs(value) > MOST for value in values):
        return "text", [None if value is None else str(value) for value in values]
    return kind, [None if value is None else _VALUES[kind](value) for value in values]


def _text(value: str) -> str:
    return value.encode("utf-8", "backslashreplace").decode()


_VALUES: Mapping[Kind, Any] = {
    "text": _text,
    "integer": int,
    "number": float,
    "boolean": bool,
    "texts": lambda value: [_text(one) for one in value],
    "json": lambda value: gate.dump(msgspec.to_builtins(value)).decode(),
}


def fields(type_: type[msgspec.Struct], scope: str, of: Sequence[Any]) -> Columns:
    """One column for each field of these structures, named after its scope; None has no fields."""
    return {
        f"{scope}.{name}": (
            kind_of(annotation),
            [None if one is None else getattr(one, name) for one in of],
        )
        for name, annotation in type_.__annotations__.items()
    }
