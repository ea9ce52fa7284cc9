"""The laws of evalglot hold for my-tool."""

from __future__ import annotations

from evalglot.testing import FormatLaws


class TestMyTool(FormatLaws):
    format = "my-tool"
