"""Hypothesis profiles: `fast` by default, `ci` for every submission, `deep` by hand."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

COMMON = {"deadline": None, "suppress_health_check": list(HealthCheck)}

settings.register_profile("fast", max_examples=25, **COMMON)
settings.register_profile("ci", max_examples=100, derandomize=True, **COMMON)
settings.register_profile("deep", max_examples=5000, phases=[Phase.generate], **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))
