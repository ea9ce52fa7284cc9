"""Write the schema of a dataset's tables, and the page that lists them, from the facts.

python -m evalglot.dataset.generate           write them
python -m evalglot.dataset.generate --check   exit 1 when one is not as it would be written

A released version is never edited: where facts change, `tables.VERSION` does.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from converter import facts
from converter.facts import SCOPES
from evalglot.dataset.tables import ID, PARTED, PARTITION, REF, TABLES, VERSION, Column, Kind
from registry import generate

ROOT = Path(__file__).parents[2]
SCHEMA = f"versions/{ID}/{VERSION}/schema.json"
PAGE = "docs/dataset-tables.md"

TYPES: Mapping[Kind, dict[str, Any]] = {
    "text": {"type": "string"},
    "integer": {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1},
    "real": {"type": "number"},
    "flag": {"type": "boolean"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "json": {"type": "string"},
    "moment": {"type": "string"},
}
NAMES: Mapping[Kind, str] = {
    "text": "text",
    "integer": "integer (64 bits)",
    "real": "number (64 bits)",
    "flag": "true or false",
    "texts": "list of texts",
    "json": "JSON as text",
    "moment": "time in UTC (µs)",
}
TITLES = {
    "file": "files that were looked at",
    "error": "files that were set aside, and why",
    "run": "executions of a suite, one a file",
    "case": "things that were asked in a run",
    "trial": "attempts at a case",
    "check": "judgements on a trial",
}


def columns(table: str) -> tuple[Column, ...]:
    """Which columns has a table, those in its path among them?"""
    return (*TABLES[table], *(PARTITION if table in PARTED else ()))


def schema_json() -> bytes:
    """Which JSON Schema describes the rows of all tables?"""
    described = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"urn:evalglot:{ID}:{VERSION}",
        "title": f"evalglot dataset, version {VERSION}",
        "description": "Rows of the Parquet tables that `evalglot collect` writes, by table; "
        "a time is ISO 8601 here. Sure: evalglot writes them itself. Made of the facts by "
        "`python -m evalglot.dataset.generate`.",
        "type": "object",
        "properties": {
            table: {"type": "array", "items": {"$ref": f"#/definitions/{table}"}}
            for table in TABLES
        },
        "additionalProperties": False,
        "definitions": {table: _row(table) for table in TABLES},
    }
    return msgspec.json.format(msgspec.json.encode(described), indent=2) + b"\n"


def _row(table: str) -> dict[str, Any]:
    said = _said(table)
    return {
        "type": "object",
        "description": f"One of the {TITLES[table]}.",
        "properties": {one.name: _column(one, said) for one in columns(table)},
        "required": [one.name for one in columns(table)],
        "additionalProperties": False,
    }


def _column(column: Column, said: Mapping[str, str]) -> dict[str, Any]:
    described = dict(TYPES[column.kind])
    if not column.needed:
        described["type"] = [described["type"], "null"]
    text = _says(column, said)
    return {**described, "description": text} if text else described


def _says(column: Column, said: Mapping[str, str]) -> str:
    text = column.says or said.get(column.name, "") if column.fact else column.says
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}" if text else ""


def _said(table: str) -> dict[str, str]:
    """What do the facts say of themselves? The text that stands below each."""
    struct = SCOPES.get(table)  # type: ignore[call-overload]
    if struct is None:
        return {}
    body = _classes()[struct.__name__].body
    return {
        one.target.id: " ".join(str(text.value.value).split())
        for one, text in pairwise(body)
        if isinstance(one, ast.AnnAssign)
        and isinstance(one.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
    }


def _classes() -> dict[str, ast.ClassDef]:
    tree = ast.parse(inspect.getsource(facts))
    return {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}


HEAD = f"""# Tables of a dataset

Schema `{REF}`: the columns of what `evalglot collect` writes, to be asked by `evalglot query`.
Made of the facts by `python -m evalglot.dataset.generate`; do not edit.

`cases` is another name for `case`, as each table has one: `case` and `check` are words of SQL.
"""


def page() -> bytes:
    """Which page lists the tables and their columns?"""
    return ("\n".join((HEAD, *_tables())).rstrip() + "\n").encode()


def _tables() -> Iterator[str]:
    for table in TABLES:
        said = _said(table)
        yield f"## {table}s: {TITLES[table]}\n"
        yield "| column | type | what it says |\n|---|---|---|"
        for one in columns(table):
            kind = NAMES[one.kind] + (", always there" if one.needed else "")
            yield f"| `{one.name}` | {kind} | {_says(one, said)} |"
        yield ""


OUTPUTS: tuple[tuple[str, Callable[[], bytes]], ...] = ((SCHEMA, schema_json), (PAGE, page))


def main(arguments: Sequence[str]) -> int:
    """Write the files, or with --check say whether they are as they would be written."""
    check = "--check" in arguments
    if not check:
        (ROOT / SCHEMA).parent.mkdir(parents=True, exist_ok=True)
    return generate.run(OUTPUTS, ROOT, check=check)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
