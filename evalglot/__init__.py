"""Check, convert and compare the result files of AI-evaluation tools without losing anything.

import evalglot

run = evalglot.load("run.json")
evalglot.detect(run)                      # 'cbl@4'
evalglot.validate(run)                    # []
other = evalglot.convert(run, "sandtable")
evalglot.read_run(other).cases            # what the run says, whichever tool wrote it
evalglot.diff(run, other).buckets         # what changed, case by case
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from converter.api import CaseRead, RunRead, convert, detect, load, read_run, validate
    from diffruns.api import diff
    from diffruns.options import Options as DiffOptions
    from registry.errors import EvalglotError

__version__ = "0.1.0"

__all__ = [
    "CaseRead",
    "DiffOptions",
    "EvalglotError",
    "RunRead",
    "convert",
    "detect",
    "diff",
    "load",
    "read_run",
    "validate",
]

_HOMES = dict.fromkeys(__all__, "converter.api") | {
    "EvalglotError": "registry.errors",
    "diff": "diffruns.api",
    "DiffOptions": "diffruns.options",
}
_NAMES = {"DiffOptions": "Options"}
"""what is called otherwise where it is at home"""


def __getattr__(name: str) -> Any:
    """Fetch a public name from its package when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'evalglot' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), _NAMES.get(name, name))
    globals()[name] = value
    return value
