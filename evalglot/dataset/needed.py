"""Which packages does a command need that are not installed, and how are they installed?"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from registry.errors import EvalglotError

EXTRAS = {
    "pyarrow": "data",
    "duckdb": "data",
    "fsspec": "data",
    "distributed": "cluster",
}
"""Which extra brings each package?"""


class Missing(EvalglotError):
    """A package is not installed that is an extra."""


def need(*names: str) -> None:
    """Raise Missing unless all of these packages are installed."""
    missing = [name for name in names if find_spec(name) is None]
    if missing:
        extras = ",".join(dict.fromkeys(EXTRAS[name] for name in missing))
        raise Missing(
            found=f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed",
            expected=f"the extra {extras}",
            hint=f"Install it: pip install 'evalglot[{extras}]'",
        )


def known_errors(*named: str) -> tuple[type[BaseException], ...]:
    """Which of these `module:class` are there? Of modules that nobody has imported, none is."""
    import sys

    found = (name.partition(":") for name in named)
    return tuple(getattr(_module(home), name) for home, _, name in found if home in sys.modules)


def _module(name: str) -> Any:
    return import_module(name)
