"""`registry show`: the fields of a version as a table."""

from __future__ import annotations

import pytest

from registry import gate
from registry.catalog import catalog
from registry.engine import judge
from registry.shelves import versions_root
from tests.registry.commands.conftest import Run

REFS = [version.ref for version in catalog().versions]


@pytest.mark.parametrize("ref", REFS)
def test_table_fits_80_columns_and_names_the_version(run: Run, ref: str) -> None:
    done = run("show", ref)
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{ref}: ")


def test_field_has_place_type_and_need(run: Run) -> None:
    done = run("show", "cbl@4")
    assert (
        """
FIELD                               TYPE            REQUIRED
/evaluation_id                      integer         yes
/total_passed                       integer         yes
    at least 0
"""
        in done.stdout
    )
    assert "/results/*/min_safe_response_score  number          some\n    0 to 1\n" in done.stdout
    assert "/results/*/test_case_id             integer|null    no\n" in done.stdout


def test_format_alone_means_its_newest_version(run: Run) -> None:
    assert run("show", "cbl").stdout == run("show", "cbl@4").stdout


@pytest.mark.parametrize("ref", [*REFS, "evalglot-loss-report"])
def test_json_keeps_to_its_schema(run: Run, ref: str) -> None:
    told = gate.load(run("show", ref, "--format", "json", wide=True).stdout_bytes)
    schema = gate.load((versions_root() / "evalglot-registry-fields/1/schema.json").read_bytes())
    assert judge(schema)(told)


@pytest.mark.parametrize(
    ("ref", "said"), [("clb", "Did you mean cbl?"), ("cbl@9", "newer than the newest")]
)
def test_unknown_version_is_refused(run: Run, ref: str, said: str) -> None:
    done = run("show", ref)
    assert done.exit_code == 2
    assert said in done.stderr
