"""The laws of evalglot hold for quizlog."""

from __future__ import annotations

from evalglot.testing import FormatLaws


class TestQuizlog(FormatLaws):
    format = "quizlog"
