"""L2, L3 and L11 over the way that big files take: from bytes to bytes, in the smallest pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import chain as joined

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from converter import chain, deltacode, source, target
from converter.chain import Flow
from registry import gate
from registry.catalog import Version
from registry.values import same
from tests.converter import samples
from tests.strategies import documents as drawn

VERSIONS = samples.versions()


@pytest.fixture(autouse=True, scope="module")
def smallest() -> Iterator[None]:
    """Pieces are as small as they get, and what is made for many is made for the first."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(target, "CHUNK", 2)
        patched.setattr(deltacode, "WORTH", 1)
        yield


def _in_parts(flow: Flow, count: int) -> Flow:
    """The flow with each of its groups made in a part of its own, where parts can be made."""
    if flow.shared is None:
        return flow
    return replace(flow, groups=joined.from_iterable(flow.shared.parts(count)))


def _streamed(data: bytes, version: Version, other: Version, *, carry: bool = True) -> bytes:
    stage = source.read(data, "drawn.json", version, "reject")
    flow = chain.flow(stage, other.format, other.version, carry=carry)
    stream = BytesIO()
    target.write(_in_parts(flow, max(len(stage.parts.groups), 1)), stream)
    return stream.getvalue()


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.ref)
@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_l02_l03_l11_bytes_become_what_their_document_becomes(
    version: Version, data: st.DataObject
) -> None:
    document = data.draw(drawn.documents(version))
    other = data.draw(st.sampled_from([one for one in VERSIONS if one != version]))
    written = gate.dump(document)
    there = _streamed(written, version, other)
    whole = chain.convert(chain.stage(document, version.ref), other.format, other.version)
    assert same(gate.load(there), whole.document())
    assert same(gate.load(_streamed(there, other, version), nonfinite="keep"), document)
    assert _streamed(written, version, other) == there
    bare = _streamed(written, version, other, carry=False)
    clean = chain.convert(
        chain.stage(document, version.ref), other.format, other.version, carry=False
    )
    assert same(gate.load(bare), clean.document())
