"""L2, L3, L4 and L14 on documents drawn from the schemas, for every pair of versions."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalglot.testing import documents as drawn
from evalglot.testing import laws
from registry.catalog import Version
from tests.converter import samples

VERSIONS = samples.versions()


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.ref)
@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_l02_l03_l04_l14_any_document_goes_anywhere_and_comes_home(
    version: Version, data: st.DataObject
) -> None:
    document = data.draw(drawn.documents(version))
    other = data.draw(st.sampled_from([one for one in VERSIONS if one != version]))
    laws.there_is_valid_and_back_is_the_same(document, version.ref, other)
