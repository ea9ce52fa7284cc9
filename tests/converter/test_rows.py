from __future__ import annotations

from typing import Any

import msgspec
import pytest

from converter.codecs import NUMBERED, STRINGS
from converter.rows import Row, Table
from registry.values import same


class Thing(msgspec.Struct, frozen=True):
    id: str | None = None
    name: str | None = None
    tags: tuple[str, ...] | None = None


ROWS = (
    Row("id", "thing.id", NUMBERED),
    Row("kind", ""),
    Row("inner", "", blank={}),
    Row("inner/name", "thing.name"),
    Row("inner/deep/tags", "thing.tags", STRINGS),
    Row("error", "", blank=None),
)
TABLE = Table(ROWS, "thing")


def test_a_record_is_read_through_its_nested_objects() -> None:
    record = {"id": 7, "inner": {"name": "n", "deep": {"tags": ["a"]}}, "other": 1}
    assert Thing(**TABLE.read(record, "thing")) == Thing("7", "n", ("a",))


@pytest.mark.parametrize("record", [{}, {"inner": None}, {"inner": []}, {"inner": {"deep": 1}}])
def test_what_is_absent_null_or_no_object_says_nothing(record: dict[str, Any]) -> None:
    assert Thing(**TABLE.read(record, "thing")) == Thing()


def test_a_record_is_written_in_the_rows_order_with_blanks_where_the_tool_writes_them() -> None:
    written = TABLE.write(Thing("7", None, ("a",)), given={"kind": "k", "inner/name": "given"})
    wanted = {
        "id": 7,
        "kind": "k",
        "inner": {"name": "given", "deep": {"tags": ["a"]}},
        "error": None,
    }
    assert same(written, wanted)


def test_what_is_known_comes_before_what_is_given() -> None:
    assert TABLE.write(Thing(name="said"), given={"inner/name": "given"})["inner"] == {
        "name": "said"
    }


def test_without_anything_only_blanks_are_written() -> None:
    assert same(TABLE.write(Thing()), {"inner": {}, "error": None})


def test_an_id_that_is_no_whole_number_has_no_place() -> None:
    assert "id" not in TABLE.write(Thing("7a"))
