"""How is an answer shown: for people, or for programs?

Texts come from files that nobody trusts. In a table they act on no terminal, in JSON they are
exact, as escapes where they would act, in CSV no cell is a formula; Parquet has them as they are.
"""

from __future__ import annotations

import csv
import io
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import count
from math import isfinite
from typing import TYPE_CHECKING, Any

from registry import gate
from registry.reports.harmless import harmless, harmless_json

if TYPE_CHECKING:
    import pyarrow as pa

KINDS = ("table", "json", "csv", "parquet")
WIDEST = 60
"""characters of a cell in a table"""
ROWS = 40
"""rows that a table shows, if not all are asked for"""


def render(kind: str, answer: pa.Table, *, every: bool = False) -> bytes:
    """Which bytes show this answer? Columns of one name get a number."""
    return _KINDS[kind](answer.rename_columns(_apart(answer.column_names)), every)


def _apart(names: Sequence[str]) -> list[str]:
    """The same names, of which no two are alike: a, a_1, a_2…"""
    taken = set(names)
    found: list[str] = []
    for name in names:
        if name in found:
            more = (f"{name}_{number}" for number in count(1))
            name = next(one for one in more if one not in taken)  # noqa: PLW2901
            taken.add(name)
        found.append(name)
    return found


def plain(value: Any) -> Any:
    """Which JSON value stands for this one? What is no number is null."""
    kind = next((kind for kind in _PLAIN if isinstance(value, kind)), None)
    if kind is not None:
        return _PLAIN[kind](value)
    return value if value is None or isinstance(value, (str, int)) else str(value)


_PLAIN: Mapping[type, Callable[[Any], Any]] = {
    float: lambda value: value if isfinite(value) else None,
    date: lambda value: value.isoformat(),  # datetimes, too
    Decimal: lambda value: int(value) if value == value.to_integral_value() else float(value),
    bytes: lambda value: b64encode(value).decode(),
    dict: lambda value: {str(key): plain(inner) for key, inner in value.items()},
    list: lambda value: [plain(inner) for inner in value],
    tuple: lambda value: [plain(inner) for inner in value],
}
"""what stands for values that JSON does not have, or not all of them"""


def rows(answer: pa.Table) -> Iterator[dict[str, Any]]:
    """Which rows has an answer, as JSON values?"""
    for batch in answer.to_batches():
        yield from (plain(row) for row in batch.to_pylist())


def _json(answer: pa.Table, every: bool) -> bytes:
    del every
    return b"[" + b",\n".join(harmless_json(gate.dump(row)) for row in rows(answer)) + b"]\n"


def _csv(answer: pa.Table, every: bool) -> bytes:
    del every
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(map(_inactive, answer.column_names))
    for row in rows(answer):
        writer.writerow([_inactive(value) for value in row.values()])
    return stream.getvalue().encode("utf-8", "backslashreplace")


FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""how a cell begins that a spreadsheet would reckon with; OWASP, "CSV injection\""""


def _inactive(value: Any) -> str:
    text = _cell(value)
    if isinstance(value, str) and text.startswith(FORMULA):
        return f"'{text}"
    return text


def _cell(value: Any) -> str:
    """How is a value written, that is no text for a program?"""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return gate.dump(value).decode()


def _parquet(answer: pa.Table, every: bool) -> bytes:
    import pyarrow.parquet as pq

    del every
    stream = io.BytesIO()
    pq.write_table(answer, stream, compression="zstd")
    return stream.getvalue()


def _table(answer: pa.Table, every: bool) -> bytes:
    kept = answer if every else answer.slice(0, ROWS)
    numbers = [_is_number(field) for field in answer.schema]
    head = [_short(name) for name in answer.column_names]
    body = [[_short(_figure(value)) for value in row.values()] for row in rows(kept)]
    lines = [line for line in aligned([head, *body], numbers) if head]
    if more := answer.num_rows - kept.num_rows:
        lines.append(f"+{more:,} more, --all")
    return "".join(f"{line}\n" for line in lines).encode()


def _is_number(field: pa.Field) -> bool:
    from pyarrow import types

    tests: Sequence[Callable[[Any], bool]] = (types.is_integer, types.is_floating, types.is_decimal)
    return any(test(field.type) for test in tests)


def _figure(value: Any) -> str:
    """How is a value written for people?"""
    return f"{value:.4g}" if isinstance(value, float) and not value.is_integer() else _cell(value)


def _short(text: str) -> str:
    shown = harmless(text)
    return shown if len(shown) <= WIDEST else f"{shown[: WIDEST - 1]}…"


def aligned(cells: Sequence[Sequence[str]], right: Sequence[bool]) -> Iterator[str]:
    """Which lines show these cells in columns, those of numbers to the right?"""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        told = [
            f"{cell:>{width}}" if number else f"{cell:{width}}"
            for cell, width, number in zip(row, widths, right, strict=True)
        ]
        yield "  ".join(told).rstrip()


_KINDS: Mapping[str, Callable[[pa.Table, bool], bytes]] = {
    "table": _table,
    "json": _json,
    "csv": _csv,
    "parquet": _parquet,
}
