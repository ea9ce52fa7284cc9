"""L1, L5, L6, L9, L11 and L15 on every fixture."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from converter import chain
from converter.formats import FORMATS
from evalglot.testing import laws
from registry import gate
from registry.values import same
from tests.converter import samples
from tests.laws import pairs

PAIRS = pytest.mark.parametrize(("path", "id_"), pairs.pairs(), ids=pairs.pair_name)
SOURCES = pytest.mark.parametrize("path", pairs.NEWEST, ids=samples.name)
MIGRATIONS = samples.FIXTURES / "migrations"


@SOURCES
def test_l01_a_document_comes_back_from_its_own_format(path: Path) -> None:
    laws.own_format_says_it_again(path)


@PAIRS
def test_l05_an_edited_leaf_comes_home_edited_and_nothing_else_does(path: Path, id_: str) -> None:
    laws.edited_leaf_comes_home_edited(path, id_)


@PAIRS
def test_l06_dropped_and_moved_records_leave_the_others_as_they_were(path: Path, id_: str) -> None:
    laws.survivors_come_home_as_they_were(path, id_)


def thirds(path: Path, id_: str) -> list[str]:
    return [one for one in FORMATS if one not in (id_, samples.staged(path).format)]


@PAIRS
def test_l09_a_detour_changes_no_fact(path: Path, id_: str) -> None:
    laws.detour_changes_no_fact(path, id_, thirds(path, id_))


@PAIRS
def test_a_chain_of_three_comes_home_step_by_step_and_at_once(path: Path, id_: str) -> None:
    laws.chain_of_three_comes_home(path, id_, thirds(path, id_)[0])


@PAIRS
def test_l11_inputs_stay_as_they_are_and_the_same_input_gives_the_same_bytes(
    path: Path, id_: str
) -> None:
    laws.same_input_gives_the_same_bytes(path, id_)


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
