"""L1, L5, L6, L9, L11 and L15 on every fixture."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from converter import chain
from converter.codecs import SAME
from converter.form import Format
from converter.formats import FORMATS, find
from converter.rows import Row
from registry import gate, values
from registry.values import same
from tests.converter import samples
from tests.laws import ways

PAIRS = pytest.mark.parametrize(("path", "id_"), ways.pairs(), ids=ways.pair_name)
SOURCES = pytest.mark.parametrize("path", ways.NEWEST, ids=samples.name)
MIGRATIONS = samples.FIXTURES / "migrations"


@SOURCES
def test_l01_a_document_comes_back_from_its_own_format(path: Path) -> None:
    source = samples.staged(path)
    there = ways.across(source, source.format)
    if there.parts.shape.get("container") == "lines":
        pytest.skip("JSON Lines have no place for the run's carry")
    assert same(chain.home(ways.sent(there)).document(), samples.document(path))


def _shared(a: Format, b: Format) -> list[tuple[Row, Row]]:
    """Rows of one text fact that both formats say plainly, in a trial's own record."""
    mine = {row.fact: row for row in a.rows if row.codec is SAME}
    return [
        (mine[row.fact], row)
        for row in b.rows
        if row.codec is SAME
        and row.fact in mine
        and row.scope in ("case", "trial")
        and (a.write_case is None and b.write_case is None)
    ]


def _at(record: Any, path: str) -> Any:
    for key in path.split("/"):
        record = record.get(key) if isinstance(record, dict) else None
    return record


def _put(record: Any, path: str, leaf: str) -> None:
    *around, last = path.split("/")
    for key in around:
        record = record[key]
    record[last] = leaf


def _changed(before: Any, after: Any) -> list[tuple[Any, Any]]:
    """Which leaves differ, as they were and as they are? A leaf may say the fact twice."""
    old, new = dict(values.leaves(before)), dict(values.leaves(after))
    assert list(old) == list(new)
    return [(old[at], new[at]) for at in old if not same(old[at], new[at])]


def _records(stage: chain.Stage) -> list[Any]:
    """The records alone: totals follow an edit."""
    return [record for group in stage.parts.groups for record in group.records]


@PAIRS
def test_l05_an_edited_leaf_comes_home_edited_and_nothing_else_does(path: Path, id_: str) -> None:
    source = samples.staged(path)
    a, b = find(source.format), find(id_)
    there = ways.sent(chain.convert(source, id_))
    for mine, theirs in _shared(a, b):
        for number, group in enumerate(source.parts.groups):
            value = _at(group.records[0], mine.path)
            if not isinstance(value, str) or value == _at(group.records[0], "error"):
                continue
            edited = ways.in_hand(ways.sent(there))
            record = edited.parts.groups[number].records[0]
            if _at(record, theirs.path) != value:
                continue
            _put(record, theirs.path, "edited")
            home = chain.home(edited)
            changed = _changed(_records(source), _records(home))
            assert set(changed) == {(value, "edited")}, mine.fact
            break


@PAIRS
def test_l06_dropped_and_moved_records_leave_the_others_as_they_were(path: Path, id_: str) -> None:
    source = samples.staged(path)
    there = ways.sent(chain.convert(source, id_))
    kept = list(there.parts.groups)[::-1][: max(1, len(there.parts.groups) - 1)]
    if not kept or there.slot is None or there.slot.lost:
        return
    moved = chain.Stage(
        there.format,
        there.version,
        type(there.parts)(there.parts.envelope, kept, there.parts.shape),
    )
    home = chain.home(ways.sent(moved))
    before = [_plain(record) for group in source.parts.groups for record in group.records]
    after = [_plain(record) for group in home.parts.groups for record in group.records]
    assert after
    assert all(record in before for record in after)


def _plain(record: Any) -> bytes:
    return gate.dump(record)


@PAIRS
def test_l09_a_detour_changes_no_fact(path: Path, id_: str) -> None:
    source = samples.staged(path)
    middle = ways.sent(chain.convert(source, id_))
    if middle.slot is None:
        return
    for last in FORMATS:
        if last not in (id_, source.format):
            straight, detour = chain.convert(source, last), chain.convert(middle, last)
            assert ways.bag(straight) == ways.bag(detour), last


@PAIRS
def test_a_chain_of_three_comes_home_step_by_step_and_at_once(path: Path, id_: str) -> None:
    source = samples.staged(path)
    middle = ways.sent(chain.convert(source, id_))
    last = next(one for one in FORMATS if one not in (id_, source.format))
    end = ways.sent(chain.convert(middle, last))
    if middle.slot is None or end.slot is None:
        return
    assert same(chain.convert(end, id_).document(), middle.document())
    assert same(chain.convert(end, source.format).document(), samples.document(path))


@PAIRS
def test_l11_inputs_stay_as_they_are_and_the_same_input_gives_the_same_bytes(
    path: Path, id_: str
) -> None:
    before = values.canonical(samples.document(path))
    once = gate.dump(chain.convert(samples.staged(path), id_).document())
    twice = gate.dump(chain.convert(samples.staged(path), id_).document())
    assert once == twice
    assert values.canonical(samples.document(path)) == before


MIGRATED = sorted(MIGRATIONS.glob("*/*/*.json"))


@pytest.mark.parametrize("path", MIGRATED, ids=lambda path: "/".join(path.parts[-3:]))
def test_l15_a_migrated_fixture_is_what_was_agreed(path: Path) -> None:
    format_, (old, new) = path.parts[-3], path.parts[-2].split("-")
    source = samples.staged(samples.FIXTURES / format_ / old / "valid" / path.name)
    there = chain.convert(source, format_, new, carry=False)
    assert same(there.document(), gate.load(path.read_bytes()))


def test_every_version_has_agreed_migrations() -> None:
    agreed = {(path.parts[-3], *path.parts[-2].split("-")) for path in MIGRATED}
    steps = {
        (format_, *pair)
        for format_ in FORMATS
        for pair in itertools.pairwise(
            [one.version for one in samples.versions() if one.format == format_]
        )
    }
    assert steps <= agreed
