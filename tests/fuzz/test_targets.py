"""Each target holds for the corpus, for what was once found, and for some bytes more."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import CORPUS
from tests.fuzz.targets import TARGETS

FOUND = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=25, derandomize=True)
@given(data=st.binary(max_size=80))
def test_any_bytes(name: str, data: bytes) -> None:
    TARGETS[name](data)


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_corpus(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


def test_every_target_has_a_corpus() -> None:
    assert {path.parent.name for path in FOUND} == set(TARGETS)
