"""The public Python client of Circuit Breaker Labs reads our version 4 files."""

from __future__ import annotations

from typing import Any

import pytest
from circuit_breaker_labs.models import MultiTurnResponse, SingleTurnResponse

from converter import chain
from registry import gate
from registry.values import same
from tests.converter import samples

SOURCES = [
    path for path in samples.valid() if path.stem == "typical" and samples.ref(path) != "cbl@4"
]


@pytest.mark.parametrize("path", SOURCES, ids=samples.name)
@pytest.mark.parametrize("carry", [True, False])
def test_the_client_reads_and_gives_back_what_we_write(path: Any, carry: bool) -> None:
    there = chain.convert(samples.staged(path), "cbl", "4", carry=carry).document()
    multi = any("conversation" in result for result in there["results"])
    response = (MultiTurnResponse if multi else SingleTurnResponse).from_dict(
        gate.load(gate.dump(there))
    )
    assert response.total_passed == there["total_passed"]
    assert len(response.results) == len(there["results"])
    assert same(response.to_dict(), there, key_order=False)
