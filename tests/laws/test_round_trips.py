"""L2, L3, L4 and L14 on documents drawn from the schemas, for every pair of versions."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from converter import chain
from registry import gate, validation
from registry.catalog import Version
from registry.values import same
from tests.converter import samples
from tests.strategies import documents as drawn

VERSIONS = samples.versions()


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.ref)
@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_l02_l03_l04_l14_any_document_goes_anywhere_and_comes_home(
    version: Version, data: st.DataObject
) -> None:
    document = data.draw(drawn.documents(version))
    other = data.draw(st.sampled_from([one for one in VERSIONS if one != version]))
    source = chain.stage(document, version.ref)
    there = chain.convert(source, other.format, other.version)
    written = gate.load(gate.dump(there.document()))
    assert validation.problems(written, other.ref) == []
    home = chain.convert(chain.stage(written, other.ref), version.format, version.version)
    assert same(home.document(), document)
    same_again = chain.stage(home.document(), version.ref)
    again = chain.convert(same_again, other.format, other.version)
    assert same(again.document(), there.document())
