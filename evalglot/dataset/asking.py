"""What does a dataset answer to a question in SQL?

DuckDB answers. It sees the tables, and nothing else: no file, no network, no extension.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evalglot.dataset import cells, manifest, places
from evalglot.dataset.manifest import Manifest
from evalglot.dataset.places import Folder
from evalglot.dataset.tables import PARTED, PARTITION, TABLES
from registry.errors import EvalglotError, InputError

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

ALONE = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}
"""how a database is set that is to see nothing else"""


class BadQuery(EvalglotError):
    """The database can't answer what it was asked."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset that answers questions."""

    folder: Folder
    database: duckdb.DuckDBPyConnection

    def ask(self, sql: str, given: Sequence[Any] | dict[str, Any] = ()) -> pa.Table:
        """Which table answers this? `given` are the values of its parameters.

        Raises BadQuery, or InputError where a part can't be read.
        """
        import pyarrow as pa

        with self._asking():
            answer = self.database.sql(sql, params=given or None)
            return pa.table({}) if answer is None else answer.to_arrow_table()

    def run(self, sql: str, given: dict[str, Any]) -> None:
        """Do what prepares a question. Raises as `ask` does."""
        with self._asking():
            self.database.execute(sql, given)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        import duckdb
        import pyarrow as pa

        try:
            yield
        except duckdb.IOException as error:
            raise InputError(
                found=f"a part can't be read ({_first(error)})",
                hint="It may have been collected anew meanwhile: ask again.",
                file=self.folder.name,
            ) from None
        except (duckdb.Error, pa.ArrowException) as error:
            raise BadQuery(found=_first(error), hint=_hint(error)) from None


@contextmanager
def opened(name: str) -> Iterator[Dataset]:
    """The dataset in a folder. Raises InputError where there is none."""
    import duckdb

    folder = Folder(name)
    held = manifest.existing(folder)
    with duckdb.connect(":memory:", config=dict(ALONE)) as database:
        for table in TABLES:
            rows = _rows(folder, held, table)
            for called in (table, f"{table}s"):
                database.register(called, rows)
        yield Dataset(folder, database)


def _rows(folder: Folder, held: Manifest, table: str) -> Any:
    """Where does the database find the rows of a table, read as far as a question needs them?"""
    import pyarrow.dataset as ds

    parted = table in PARTED
    shape = cells.schema(table, with_path=parted)
    parts = held.of(table)
    if not parts:
        return shape.empty_table()
    kinds = cells.arrow_types()
    return ds.dataset(
        [folder.at(part.path) for part in parts],
        schema=shape,
        format="parquet",
        filesystem=_system(folder),
        partitioning=ds.partitioning(_path_schema(kinds), flavor="hive") if parted else None,
        partition_base_dir=folder.at(table) if parted else None,
    )


def _path_schema(kinds: Any) -> pa.Schema:
    import pyarrow as pa

    return pa.schema([pa.field(one.name, kinds[one.kind]) for one in PARTITION])


def _system(folder: Folder) -> Any:
    """Which file system does Arrow read a folder by? Its own where it is on this machine."""
    from pyarrow import fs

    if folder.local:
        return fs.LocalFileSystem()
    with places.reaching(folder.name):
        return fs.PyFileSystem(fs.FSSpecHandler(folder.system))


def _first(error: Exception) -> str:
    """What does the first line of a message say?"""
    return str(error).strip().partition("\n")[0].rstrip("!.") or type(error).__name__


def _hint(error: Exception) -> str:
    """What helps? `case` and `check` are words of SQL."""
    if 'at or near "case"' in str(error) or 'at or near "check"' in str(error):
        return "Words of SQL are no names: cases and checks are the same tables."
    return f"Tables are {', '.join(f'{name}s' for name in TABLES)}."
