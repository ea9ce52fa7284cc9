"""Where new users stumbled: what they are told leads on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.diffruns.documents import promptfoo
from tests.scratch import Repository

STUMBLES = {
    "evalglot validate rnu.json": "Did you mean run.json?",
    "evalglot validate result": "Did you mean results?",
    "convert --to cbl results/rum.json": "Did you mean results/run.json?",
    "diffruns run.json rum.json": "Did you mean run.json?",
    "evalglot report nothing-like-it.json": "Check the name and its permissions.",
    "convert --to sandtable run.json out.json": "To write to out.json, say -o out.json.",
    "convert --to sandtable run.json other.json": "Give --out-dir FOLDER.",
    "convert run.json": "For example --to sandtable.",
    "convert --to sandtabel run.json": "Did you mean sandtable?",
    "evalglot valdiate run.json": "Did you mean validate?",
    "evalglot registry lst": "Did you mean list?",
    "evalglot nothing": "There are cases, collect, convert,",
    "evalglot validate --format jsn run.json": "Did you mean json?",
    "diffruns --format jsn run.json other.json": "Did you mean json?",
    "diffruns --fail-on regresion run.json other.json": "Did you mean regression?",
    "diffruns --max-drop 2 run.json other.json": "--max-drop 2; expected a share such as 2pp",
    "diffruns --by scenaro run.json other.json": "Did you mean scenario?",
    "evalglot validate --strct run.json": "--strict",
    "evalglot gate results": "--base REV compares",
    "evalglot gate --output htm=x results": "markdown",
}


@pytest.fixture
def scratch(tmp_path: Path) -> Repository:
    made = Repository(tmp_path)
    made.write(promptfoo([{"test": "a"}]))
    for name in ("run.json", "other.json"):
        (tmp_path / name).write_text(json.dumps(promptfoo([{"test": "a"}])))
    return made


@pytest.mark.parametrize("line", STUMBLES)
def test_what_is_told_leads_on(line: str, scratch: Repository) -> None:
    done = scratch.done(line)
    assert STUMBLES[line] in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
