"""Each promise of docs/threats.md is kept by a test that is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/threats.md").read_text("utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ")]
PROMISES = [
    line
    for line in ROWS
    if line.split("|")[1].strip() not in ("promise", "trusted", "not trusted", "not in reach", "")
]


@pytest.mark.parametrize(("file", "name"), NAMED, ids=[name for _, name in NAMED])
def test_named_test_is_there(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    assert name.startswith("test_")
    assert name in {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}


def test_every_promise_names_a_test() -> None:
    assert len(PROMISES) == len(NAMED) > 20
    assert all(re.search(r"`tests/[\w/]+\.py::\w+` \|$", line) for line in PROMISES)


def test_security_page_leads_to_the_threats() -> None:
    assert "(docs/threats.md)" in (ROOT / "SECURITY.md").read_text("utf-8")
