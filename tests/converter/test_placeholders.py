"""What stands in for a required field that nothing is known of is never read as a fact."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from converter import chain
from converter.api import convert
from converter.chain import Stage
from converter.facts import identity
from converter.formats import FORMATS, find
from converter.reading import Reading
from converter.slots import unstated
from converter.versioned import versioned
from evalglot.testing import ways
from tests.converter import samples

OLD = [
    path
    for path in samples.valid()
    if samples.staged(path).version != chain.newest(path.parts[-4])
    and "models" not in samples.staged(path).parts.shape
]
"""not those of several models: what is said of each model stands in slots alone"""


def facts(stage: Stage, *, version: str | None = None) -> Any:
    """What does the document say of its run, and of each trial?"""
    form = find(stage.format) if version is None else versioned(stage.format, version)
    reading = Reading(form, stage.parts, find)
    return unstated(reading.run(), ()), list(reading.groups())


@pytest.mark.parametrize("path", OLD, ids=samples.name)
def test_steps_fill_in_no_facts(path: Path) -> None:
    stage = samples.staged(path)
    newest = chain.convert(stage, stage.format, chain.newest(stage.format))
    run, groups = facts(newest)
    told_run, told = facts(stage, version=stage.version)
    assert run == told_run
    assert {repr(group) for group in groups} == {repr(group) for group in told}


IDS = {
    "promptbeat": lambda document: document["eval_id"],
    "sandtable": lambda document: document["runId"],
    "promptfoo": lambda document: document.get("evalId", ""),
}


@pytest.mark.parametrize("carry", [True, False])
@pytest.mark.parametrize("id_", IDS)
def test_runs_and_cases_of_files_without_ids_do_not_get_one_in_common(
    id_: str,
    carry: bool,
) -> None:
    path = samples.FIXTURES / "cbl/3/valid/typical.json"
    document = convert(samples.document(path), id_, carry=carry)
    assert IDS[id_](document) == ""
    assert '"0"' not in json.dumps(document)


def test_every_format_with_old_versions_is_tried() -> None:
    assert {path.parts[-4] for path in OLD} == {
        id_ for id_ in FORMATS if len(chain.versions(id_)) > 1
    }


@pytest.mark.parametrize("target", ["lm-eval", "promptbeat-judgment"])
@pytest.mark.parametrize("name", ["promptbeat/1", "promptfoo/3", "inspect/2", "cbl/4"])
def test_placeholders_make_no_two_cases_one(name: str, target: str) -> None:
    source = samples.staged(samples.FIXTURES / name / "valid/typical.json")
    there = ways.sent(chain.convert(source, target, carry=False))
    before, after = (
        {identity(case) for case, _ in ways.native(stage)[1]} for stage in (source, there)
    )
    assert len(after) == len(before)
