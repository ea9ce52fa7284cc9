"""Every fixture goes to every version and comes home. Adding a fixture adds tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalglot.testing import laws
from tests.converter import samples

CASES = [
    pytest.param(path, version, id=f"{samples.name(path)}-{version.ref}")
    for path in samples.valid()
    for version in samples.versions()
    if samples.ref(path) != version.ref
]


@pytest.mark.parametrize(("path", "version"), CASES)
def test_there_is_valid_and_back_is_the_same(path: Path, version: samples.Version) -> None:
    laws.sample_comes_home(path, version)


@pytest.mark.parametrize(("path", "version"), CASES)
def test_records_and_envelope_leave_nothing_for_the_document_delta(
    path: Path, version: samples.Version
) -> None:
    laws.document_delta_is_empty(path, version)
