"""Every fixture goes to every version and comes home. Adding a fixture adds tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter import chain
from registry import gate, validation
from registry.values import same
from tests.converter import samples

CASES = [
    pytest.param(path, version, id=f"{samples.name(path)}-{version.ref}")
    for path in samples.valid()
    for version in samples.versions()
    if samples.ref(path) != version.ref
]


@pytest.mark.parametrize(("path", "version"), CASES)
def test_there_is_valid_and_back_is_the_same(path: Path, version: samples.Version) -> None:
    source = samples.staged(path)
    there = chain.convert(source, version.format, version.version)
    written = gate.load(gate.dump(there.document()))
    assert validation.problems(written, version.ref) == []
    home = chain.convert(chain.stage(written, version.ref), source.format, source.version)
    assert same(home.document(), samples.document(path))
    assert home.stale == ()


@pytest.mark.parametrize(("path", "version"), CASES)
def test_records_and_envelope_leave_nothing_for_the_document_delta(
    path: Path, version: samples.Version
) -> None:
    there = chain.convert(samples.staged(path), version.format, version.version)
    assert there.slot is not None
    assert there.slot.document is None
