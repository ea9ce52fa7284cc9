"""Which tables has a dataset of runs, and which columns has each? Made from the facts."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec

from converter.facts import SCOPES

VERSION = "1"
ID = "evalglot-dataset"
REF = f"{ID}@{VERSION}"

Kind: TypeAlias = Literal["text", "integer", "real", "flag", "texts", "json", "moment"]
TableName: TypeAlias = Literal["file", "error", "run", "case", "trial", "check"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: which values does it hold, and what do they say?

    `fact` is set for what a file says itself; the others say where it stands. `json` holds JSON as
    text, `moment` is a time in UTC, integers have 64 bits. Any value may be null but in `needed`
    columns.
    """

    name: str
    kind: Kind
    fact: bool = False
    needed: bool = False
    says: str = ""


DIGEST = Column(
    "digest", "text", needed=True, says="SHA-256 of the file, and of its sidecar if it has one"
)
CASE = Column("case_number", "integer", needed=True, says="place of the case in its file, from 0")
CASE_KEY = Column(
    "case_key", "text", needed=True, says="what tells the case in every run: 16 hexadecimal digits"
)
LABEL = Column(
    "case_label",
    "text",
    needed=True,
    says="id of the case, else its name, description or the start of its input",
)
TRIAL = Column(
    "trial_number", "integer", needed=True, says="place of the trial in its case, from 0"
)
AT = Column("ran_at", "moment", says="when the run was, in UTC")
TARGET = Column("target", "text", says="label or id of the trial's provider, else the run's target")
PARTITION = (
    Column("tool", "text", needed=True, says="id of the format; it stands in the path"),
    Column(
        "month", "text", needed=True, says="YYYY-MM of `ran_at`, or unknown; it stands in the path"
    ),
)
"""Columns that are in the path of a part, not in the part."""

KEYS: dict[str, tuple[Column, ...]] = {
    "run": (
        DIGEST,
        Column("version", "text", needed=True, says="version that the file has, such as 3.1"),
        AT,
        Column(
            "ran_at_is",
            "text",
            says="what `ran_at` is: started, completed, or when the file was modified",
        ),
        Column("nested", "flag", needed=True, says="does the format list trials by case?"),
    ),
    "case": (DIGEST, CASE, CASE_KEY, LABEL),
    "trial": (
        *(DIGEST, CASE, TRIAL, CASE_KEY, LABEL, AT),
        Column("target_name", "text", says=TARGET.says),
        Column("tokens", "integer", says="tokens that the target took in and put out"),
        Column("file_order", "integer", needed=True, says="place of the trial in its file, from 0"),
    ),
    "check": (
        *(DIGEST, CASE, TRIAL),
        Column("check_number", "integer", needed=True, says="place of the check in its trial"),
        *(CASE_KEY, LABEL, AT),
        Column("target_name", "text", says=TARGET.says),
        Column("check_name", "text", needed=True, says="id of the check, else its kind"),
    ),
}
"""Columns that say where a row stands, or what of other tables is asked together with it."""

FILE = (
    Column("path", "text", needed=True, says="path or URL of the file"),
    Column("digest", "text", says="SHA-256 of what it held; null where it could not be read"),
    Column("size", "integer", says="bytes"),
    Column("etag", "text", says="what an object store says of the content"),
    Column("taken", "flag", needed=True, says="are its facts in the dataset?"),
    Column("reader", "text", needed=True, says="version of evalglot that read it"),
)
ERROR = (
    Column("path", "text", needed=True, says="path or URL of the file"),
    Column("digest", "text", says="SHA-256 of what it held; null where it could not be read"),
    Column("kind", "text", needed=True, says="class of the error, such as NotJson"),
    Column("found", "text", needed=True, says="what was found"),
    Column("expected", "text", says="what was expected"),
    Column("hint", "text", says="what to do"),
    Column("pointer", "text", says="JSON Pointer of the place"),
    Column("line_number", "integer", says="line of the place, from 1"),
    Column("column_number", "integer", says="column of the place, from 1"),
)

APART: dict[str, tuple[str, ...]] = {"trial": ("checks",)}
"""Facts that are rows of a table of their own."""

_KINDS: dict[Any, Kind] = {str: "text", int: "integer", float: "real", bool: "flag"}


def _kind(hint: Any) -> Kind:
    """Which kind of column holds values of this type?"""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (only,) = (one for one in inner if one is not type(None))
        return _kind(only)
    if origin is Literal:
        return "text"
    if origin is tuple and inner[0] is str:
        return "texts"
    return _KINDS.get(hint, "json")


def _facts(scope: str, struct: type[msgspec.Struct]) -> tuple[Column, ...]:
    hints = get_type_hints(struct)
    return tuple(
        Column(name, _kind(hints[name]), fact=True)
        for name in struct.__struct_fields__
        if name not in APART.get(scope, ())
    )


TABLES: dict[str, tuple[Column, ...]] = {
    "file": FILE,
    "error": ERROR,
    **{scope: (*KEYS[scope], *_facts(scope, struct)) for scope, struct in SCOPES.items()},
}
"""The columns of each table, but for those in the path."""

PARTED: tuple[str, ...] = tuple(SCOPES)
"""Tables that are parted by tool and month."""


def facts_of(table: str) -> tuple[str, ...]:
    """Which columns of a table are facts, in their order?"""
    return tuple(column.name for column in TABLES[table] if column.fact)
