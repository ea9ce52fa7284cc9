"""Plain correspondences between a format and the facts, each written once, used both ways.

    Row("metadata/severity", "case.severity")

says that what a record holds at /metadata/severity is the fact `case.severity`. The order of a
table's rows is the order in which the format's own tool writes its keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from converter.codecs import SAME, Codec, Turn

Record: TypeAlias = dict[str, Any]


class _Omit:
    """The writer leaves the key out."""

    def __repr__(self) -> str:
        return "OMIT"


OMIT = _Omit()
NOTHING: Record = {}


@dataclass(frozen=True, slots=True)
class Row:
    """Which place in the record says which fact, in which spelling?

    `blank` is what the format's own tool writes where it has nothing to say: OMIT leaves the key
    out. A row without a fact (``fact=""``) keeps a place in the writer's order for a key that the
    format's own `read` and `write` look after. A value `given` under a row's path is written where
    the fact is not known.
    """

    path: str
    fact: str
    codec: Codec = SAME
    blank: Any = OMIT

    @property
    def scope(self) -> str:
        """Which scope does the fact belong to?"""
        return self.fact.partition(".")[0]

    @property
    def name(self) -> str:
        """What is the fact called within its scope?"""
        return self.fact.partition(".")[2]


@dataclass(frozen=True, slots=True)
class _Reader:
    """The rows of one scope, grouped by the object they read from."""

    leaves: tuple[tuple[str, str, Turn | None], ...]
    children: tuple[tuple[str, _Reader], ...]

    def read(self, record: Record, said: Record) -> None:
        for key, name, turn in self.leaves:
            value = record.get(key)
            if value is not None:
                said[name] = value if turn is None else turn(value)
        for key, child in self.children:
            inner = record.get(key)
            if type(inner) is dict:
                child.read(inner, said)


@dataclass(frozen=True, slots=True)
class _Writer:
    """All rows in the writer's order; a child object where several rows share one.

    An entry is (key, scope, name, turn, blank, child); scope -1 has no fact, just what is given.
    """

    entries: tuple[tuple[str, int, str, Turn | None, Any, _Writer | None], ...]

    def write(self, record: Record, scopes: tuple[Any, ...], given: Record, prefix: str) -> None:
        for key, scope, name, turn, blank, child in self.entries:
            if child is not None:
                inner: Record = {}
                child.write(inner, scopes, given, f"{prefix}{key}/")
                if inner or blank is not OMIT:
                    record[key] = inner
                continue
            value = None
            if scope >= 0:
                value = getattr(scopes[scope], name)
                if value is not None and turn is not None:
                    value = turn(value)
            if value is None:
                value = given.get(prefix + key)
            if value is not None:
                record[key] = value
            elif blank is not OMIT:
                record[key] = [] if blank == [] else blank


class Table:
    """The rows of one record, made ready for both directions.

    `scopes` names the facts' scopes in the order in which `write` takes their values.
    """

    __slots__ = ("_readers", "_writer", "rows", "scopes")

    def __init__(self, rows: tuple[Row, ...], *scopes: str) -> None:
        self.rows = rows
        self.scopes = scopes
        said = tuple(row for row in rows if row.fact)
        self._readers = {
            scope: _reader([(row.path, row) for row in said if row.scope == scope])
            for scope in scopes
        }
        self._writer = _writer([(row.path, row) for row in rows], scopes)

    def read(self, record: Record, scope: str) -> Record:
        """Which facts of this scope does the record say?"""
        said: Record = {}
        self._readers[scope].read(record, said)
        return said

    def write(self, *scopes: Any, given: Record = NOTHING) -> Record:
        """How does the format say these facts? Values come in the order of `scopes`."""
        record: Record = {}
        self._writer.write(record, scopes, given, "")
        return record


def _reader(rows: list[tuple[str, Row]]) -> _Reader:
    leaves = tuple((path, row.name, row.codec.read) for path, row in rows if "/" not in path)
    return _Reader(leaves, tuple((key, _reader(inner)) for key, inner in _nested(rows).items()))


def _writer(rows: list[tuple[str, Row]], scopes: tuple[str, ...]) -> _Writer:
    nested = _nested(rows)
    always = {path for path, row in rows if not row.fact and row.blank == {}}
    entries: dict[str, Any] = {}
    for path, row in rows:
        key, _, rest = path.partition("/")
        if key in entries or (key in nested and not rest):
            continue
        if rest:
            blank = {} if key in always else OMIT
            entries[key] = (key, -1, "", None, blank, _writer(nested[key], scopes))
        else:
            scope = scopes.index(row.scope) if row.fact else -1
            entries[key] = (key, scope, row.name, row.codec.write, row.blank, None)
    return _Writer(tuple(entries.values()))


def _nested(rows: list[tuple[str, Row]]) -> dict[str, list[tuple[str, Row]]]:
    nested: dict[str, list[tuple[str, Row]]] = {}
    for path, row in rows:
        key, _, rest = path.partition("/")
        if rest:
            nested.setdefault(key, []).append((rest, row))
    return nested
