"""One module per format, found by the format's id when it is asked for.

`<id>.py` says how the newest version says facts; `<id>_versions.py`, where there is one, holds the
steps that lead to the older versions, oldest first.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from registry.errors import UnknownFormat, UnknownVersion

if TYPE_CHECKING:
    from converter.form import Format, Layout
    from converter.stepping import Step

FORMATS = (
    "cbl",
    "ctrf",
    "inspect",
    "junit",
    "promptbeat",
    "promptbeat-judgment",
    "promptfoo",
    "sandtable",
)
HOW = "`evalglot validate` checks its files; CONTRIBUTING.md says how to convert them."
VERSIONED = ("cbl", "promptfoo", "sandtable")


def _module(id_: str) -> str:
    return f"converter.formats.{id_.replace('-', '_')}"


@cache
def find(id_: str) -> Format:
    """How does this format, in its newest version, say facts? UnknownFormat if none here says."""
    if id_ not in FORMATS:
        raise UnknownFormat(
            found=f"{id_} is not converted yet",
            expected=f"one of {', '.join(FORMATS)}",
            hint=HOW,
        )
    form: Format = getattr(import_module(_module(id_)), id_.upper().replace("-", "_"))
    return form


@cache
def steps(id_: str) -> tuple[Step, ...]:
    """Which steps lead from this format's oldest version to its newest?"""
    if id_ not in VERSIONED:
        return ()
    found: tuple[Step, ...] = import_module(f"{_module(id_)}_versions").STEPS
    return found


def knows(ref: str) -> bool:
    """Is this, such as `cbl@3`, a version that can be read and written here?"""
    id_, _, version = ref.partition("@")
    return id_ in FORMATS and version in versions(id_)


def versions(id_: str) -> tuple[str, ...]:
    """Which versions has this format, oldest first?"""
    return (*(step.lower.version for step in steps(id_)), find(id_).version)


def age(id_: str, version: str) -> int:
    """How many older versions of the format are there? UnknownVersion if no step leads to it."""
    known = versions(id_)
    if version not in known:
        raise UnknownVersion(
            found=f"{id_}@{version} is not converted yet",
            expected=f"one of {', '.join(known)}",
            hint=HOW,
        )
    return known.index(version)


def layout(id_: str, version: str) -> Layout:
    """Where does this version of the format keep its records?"""
    for step in steps(id_):
        if step.lower.version == version:
            return step.lower.layout
    return find(id_).layout
