"""The laws of evalglot, offered to plug-ins: pytest and hypothesis are wanted (extra `testing`).

from evalglot.testing import FormatLaws


class TestMyTool(FormatLaws):
    format = "my-tool"
"""

from __future__ import annotations

from evalglot.testing.cases import FormatLaws

__all__ = ["FormatLaws"]
