"""One module per format, found by the format's id when it is asked for.

`<id>.py` says how the newest version says facts; `<id>_versions.py`, where there is one, holds the
steps that lead to the older versions, oldest first. The module of a plug-in has both: `FORMAT`, and
`STEPS` where there are older versions.
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from converter.blanks import Blanks
from registry.errors import BrokenPlugin, PluginWarning, UnknownFormat, UnknownVersion
from registry.plugins import plugin_of

if TYPE_CHECKING:
    from converter.form import Format, Layout
    from converter.stepping import Step

FORMATS = (
    "cbl",
    "ctrf",
    "deepeval",
    "every-eval-ever",
    "garak",
    "inspect",
    "junit",
    "lm-eval",
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
    """How does this format, in its newest version, say facts?

    Raises UnknownFormat if none here says, BrokenPlugin if a plug-in should and does not.
    """
    if id_ not in FORMATS:
        return _brought(id_)[0]
    form: Format = getattr(import_module(_module(id_)), id_.upper().replace("-", "_"))
    return form


@cache
def steps(id_: str) -> tuple[Step, ...]:
    """Which steps lead from this format's oldest version to its newest?"""
    if id_ not in FORMATS:
        return _brought(id_)[1]
    if id_ not in VERSIONED:
        return ()
    found: tuple[Step, ...] = import_module(f"{_module(id_)}_versions").STEPS
    return found


@cache
def blanks(id_: str) -> Blanks:
    """What stands in for required fields in any version of this format?"""
    form = find(id_)
    sides = [side for step in steps(id_) for side in (step.lower, step.upper)]
    run = [*form.run_blanks, *(one for side in sides for one in side.run_blanks)]
    record = [*form.record_blanks, *(one for side in sides for one in side.record_blanks)]
    return Blanks(tuple(run), tuple(record))


def _brought(id_: str) -> tuple[Format, tuple[Step, ...]]:
    """What does a plug-in say of this format?"""
    from registry.catalog import catalog

    if id_ in catalog().roots and (plugin := plugin_of(id_)):
        from converter.formats.brought import brought

        return brought(plugin)
    raise UnknownFormat(
        found=f"{id_} is not converted yet",
        expected=f"one of {', '.join(FORMATS)}",
        hint=HOW,
    )


@cache
def usable() -> tuple[str, ...]:
    """Which formats can be read and written here? Warns of plug-ins that can't be."""
    from registry.catalog import catalog

    found = list(FORMATS)
    for id_ in catalog().roots.keys() - FORMATS:
        try:
            find(id_)
        except BrokenPlugin as error:
            warnings.warn(str(error), PluginWarning, stacklevel=2)
        else:
            found.append(id_)
    return tuple(sorted(found))


def knows(ref: str) -> bool:
    """Is this, such as `cbl@3`, a version that can be read and written here?"""
    id_, _, version = ref.partition("@")
    return (id_ in FORMATS or id_ in usable()) and version in versions(id_)


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
