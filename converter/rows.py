"""Plain correspondences between a format and the facts, each written once, used both ways.

    Row("metadata/severity", "case.severity")

says that what a record holds at /metadata/severity is the fact `case.severity`. The order of a
table's rows is the order in which the format's own tool writes its keys.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from converter import rowcode
from converter.codecs import SAME, Codec

Record: TypeAlias = dict[str, Any]
Made = TypeVar("Made")


OMIT = rowcode.OMIT


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


class Table:
    """The rows of one record, made ready for both directions.

    `scopes` names the facts' scopes in the order in which `write` takes their values. Reading and
    writing run once per record, so the rows are turned into two straight functions (`rowcode`).
    """

    __slots__ = ("_readers", "rows", "scopes", "write")

    def __init__(self, rows: tuple[Row, ...], *scopes: str) -> None:
        self.rows = rows
        self.scopes = scopes
        self._readers = {scope: rowcode.reader(rows, scope) for scope in scopes}
        self.write = rowcode.writer(rows, scopes)
        """How does the format say these facts? Values come in the order of `scopes`, then what is
        `given` by path where a fact is not known."""

    def read(self, record: Record, scope: str) -> Record:
        """Which facts of this scope does the record say?"""
        return self._readers[scope](record)

    def maker(self, scope: str, make: Callable[..., Made], *more: str) -> Callable[..., Made]:
        """Which function makes a structure of what a record says in this scope?

        It takes the record, and the facts named by `more`, which no row of the table says.
        """
        return rowcode.maker(self.rows, scope, make, more)
