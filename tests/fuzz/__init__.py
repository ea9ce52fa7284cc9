"""Fuzzing: `python -m tests.fuzz --help`."""

from __future__ import annotations

from pathlib import Path

CORPUS = Path(__file__).parents[2] / "fixtures" / "fuzz"
"""A folder for each target: what it starts from, and what once was a finding."""
