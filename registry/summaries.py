"""Which row has a sample in the summaries of an Inspect log?

From inspect_ai 0.3.285 (log/_log.py, log/_util.py): what says briefly what came of a sample. Long
texts are cut here as there, but not to the letter.
"""

from __future__ import annotations

from collections.abc import Mapping

from registry import gate
from registry.values import JSON

LONG_TEXT = 5120
"""characters of an input or a target that are shown"""

LONG_VALUE = 1024
"""characters of any other value, as JSON, that are shown"""

FIELDS = (
    *("id", "epoch", "input", "choices", "target", "description", "metadata", "scores"),
    *("model_usage", "role_usage", "model_fallbacks", "started_at", "completed_at", "total_time"),
    *("working_time", "uuid", "error", "limit", "limit_reason", "retries", "completed"),
    *("message_count", "turn_count", "token_limit", "token_limit_type", "token_limit_usage"),
    *("message_limit", "time_limit"),
)
"""in the order in which Inspect writes them"""


def summary(sample: Mapping[str, JSON]) -> dict[str, JSON]:
    """Which row is it? The sample may be one that breaks its schema."""
    error, limit = _object(sample, "error"), _object(sample, "limit")
    retries, messages = sample.get("error_retries"), sample.get("messages")
    scores = sample.get("scores")
    said = {
        **sample,
        "input": _cut(sample.get("input"), LONG_TEXT),
        "target": _cut(sample.get("target"), LONG_TEXT),
        "metadata": _thin(sample.get("metadata")),
        "scores": {name: _thin(one) for name, one in scores.items()}
        if type(scores) is dict
        else None,
        "model_usage": sample.get("model_usage") or {},
        "role_usage": sample.get("role_usage") or {},
        "error": error.get("message"),
        "limit": limit.get("type"),
        "limit_reason": limit.get("reason"),
        "retries": len(retries) if type(retries) is list else None,
        "completed": True,
        "message_count": len(messages) if type(messages) is list else 0,
    }
    return {key: said[key] for key in FIELDS if said.get(key) is not None}


def _cut(value: JSON, longest: int) -> JSON:
    """The value, or the beginning of its text."""
    text = value if type(value) is str else gate.dump(value).decode()
    return value if len(text) <= longest else f"{text[:longest]}..."


def _thin(values: JSON) -> dict[str, JSON]:
    """The values of an object, long ones cut."""
    if type(values) is not dict:
        return {}
    return {key: _cut(value, LONG_VALUE) for key, value in values.items()}


def _object(sample: Mapping[str, JSON], key: str) -> Mapping[str, JSON]:
    value = sample.get(key)
    return value if type(value) is dict else {}
