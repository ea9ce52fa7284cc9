"""How big is a file in the eyes of these tests?"""

from __future__ import annotations

import pytest

from converter import command


@pytest.fixture
def as_big_as_files_get(monkeypatch: pytest.MonkeyPatch) -> None:
    """Go record by record, in as many processes as are asked for, however small a file is."""
    monkeypatch.setattr(command, "CHECKED_BYTES", 0)
    monkeypatch.setattr(command, "SHARED_BYTES", 0)
