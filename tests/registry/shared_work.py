"""Several processes tell of a file what one tells of it. `tests/test_shared_work.py` runs this."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry import checking, vouching
from registry.checking import Asked
from tests.registry import samples

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


@pytest.mark.parametrize("path", samples.checked(), ids=lambda path: "/".join(path.parts[-4:]))
def test_helpers_change_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = checking.check_file(str(path), Asked())
    monkeypatch.setattr(vouching, "SHARED_BYTES", 0)
    assert checking.check_file(str(path), Asked(jobs=3)) == alone
