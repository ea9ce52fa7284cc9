"""What identifies a case is found in a part of its record, just as in all of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from converter import glimpse
from converter.form import Format
from converter.formats import FORMATS, find
from converter.rows import Record
from evalglot.testing import documents as drawn
from evalglot.testing import ways
from registry import gate
from tests.converter import samples
from tests.laws import pairs

FLAT = [find(id_) for id_ in FORMATS if find(id_).write_case is None]
PATHS = [path for path in pairs.NEWEST if samples.ref(path) in {form.ref for form in FLAT}]


def _glimpsed(form: Format, records: list[Record]) -> list[glimpse.Key]:
    raws = [gate.dump(record) for record in records]
    key = glimpse.glimpser(form, raws, lambda number: records[number])
    return [key(number) for number in range(len(records))]


@pytest.mark.parametrize("path", PATHS, ids=samples.name)
def test_a_glimpse_of_a_fixtures_record_is_enough(path: Path) -> None:
    stage = samples.staged(path)
    records = [group.records[0] for group in stage.parts.groups]
    read = glimpse.key_reader(find(stage.format))
    assert _glimpsed(find(stage.format), records) == [read(record) for record in records]


@pytest.mark.parametrize("form", FLAT, ids=lambda form: form.id)
@settings(deadline=None)
@given(data=st.data())
def test_a_glimpse_of_any_record_is_enough(form: Format, data: st.DataObject) -> None:
    version = next(one for one in samples.versions() if one.ref == form.ref)
    document = data.draw(drawn.documents(version))
    groups = ways.in_hand(ways.chain.stage(document, form.ref)).parts.groups
    records = [group.records[0] for group in groups]
    read = glimpse.key_reader(form)
    assert _glimpsed(form, records) == [read(record) for record in records]


@pytest.mark.parametrize("form", FLAT, ids=lambda form: form.id)
def test_what_is_no_such_record_is_asked_for_whole(form: Format) -> None:
    path = next(path for path in PATHS if samples.ref(path) == form.ref)
    record = next(iter(samples.staged(path).parts.groups)).records[0]
    asked = []

    def whole(number: int) -> Record:
        asked.append(number)
        return record

    damaged = [
        b"[]",
        b"7",
        b'{"a"',
        b'{"conversation": [{"role": 7}], "metadata": 7, "SeedID": NaN}',
    ]
    key = glimpse.glimpser(form, damaged, whole)
    keys = [key(number) for number in range(len(damaged))]
    assert asked[:3] == [0, 1, 2]
    assert keys[0] == glimpse.key_reader(form)(record)
