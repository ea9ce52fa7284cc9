"""Entries and attempts made by hand: all facts unsaid but those that are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diffruns.entries import Attempt, Entry, digest


def attempt(verdict: Any, **said: Any) -> Attempt:
    """One trial with this verdict."""
    unsaid = {
        "group": 0,
        "place": 0,
        "score": None,
        "output": None,
        "failed": (),
        "broken": (),
        "latency_ms": None,
        "tokens": None,
        "cost_usd": None,
        "evidence": "answer only",
        "workaround": None,
    }
    return Attempt(verdict=verdict, **{**unsaid, **said})


def entry(attempts: Sequence[Attempt] = (), **said: Any) -> Entry:
    """One case with these trials."""
    unsaid = {
        "case": None,
        "dataset": None,
        "group": None,
        "label": said.get("case") or "?",
        "title": None,
        "asked": None,
        "prompt": None,
        "assertions": None,
        "keys": None,
        "target": None,
        "risk": None,
        "severity": None,
        "critical": False,
        "tags": (),
        "taxonomy": (),
        "metrics": (),
    }
    return Entry(attempts=tuple(attempts), **{**unsaid, **said})


def asked(text: str) -> int:
    """The digest of an input."""
    return digest(text)
