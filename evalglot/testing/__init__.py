"""The laws of evalglot, offered to plug-ins: pytest and hypothesis are wanted (extra `testing`).

from evalglot.testing import FormatLaws


class TestMyTool(FormatLaws):
    format = "my-tool"
"""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("evalglot.testing.laws")

from evalglot.testing.cases import FormatLaws  # noqa: E402

__all__ = ["FormatLaws"]
