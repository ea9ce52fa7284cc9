"""Which formats do other installed packages bring?

A package names each of its formats as an entry point of the group `evalglot.formats`: the format's
id, and the module that says how it is read and written. Its shelves are `versions/` in the folder
of that module's top-level package, arranged as evalglot's own; they are found without importing
anything. What is wrong with one plug-in is told once, and only that one is left out.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from registry import catalog
from registry.catalog import Catalog
from registry.errors import BrokenPlugin, PluginWarning

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "evalglot.formats"
SHELVES = "versions"


@dataclass(frozen=True, slots=True)
class Plugin:
    """One format that an installed package brings: its id, its module, and who brings it."""

    id: str
    module: str
    package: str

    @property
    def folder(self) -> Path:
        """In which folder is the package? Raises BrokenPlugin when there is none."""
        name = self.module.partition(".")[0]
        spec = find_spec(name)
        for place in (spec and spec.submodule_search_locations) or ():
            if (folder := Path(place)).is_dir():
                return folder
        raise self.broken(f"no package {name} is installed", "a folder that holds one")

    @property
    def shelves(self) -> Path:
        """Which folder holds its shelves? Raises BrokenPlugin when there is none."""
        return self.folder / SHELVES

    def broken(self, found: str, expected: str) -> BrokenPlugin:
        """What is wrong with it, as an error that says whom to ask."""
        return BrokenPlugin(
            found=f"format {self.id}, which {self.package} brings, is left out: {found}",
            expected=expected,
            hint=f"Mend or uninstall {self.package}.",
        )


def plugins() -> tuple[Plugin, ...]:
    """Which formats are brought, by id? More than one may have the same."""
    if not any(map(_names_one, sys.path)):
        return ()
    from importlib.metadata import entry_points

    return tuple(sorted(map(_plugin, entry_points(group=GROUP)), key=lambda one: one.id))


def _names_one(place: str) -> bool:
    """Does any package in this folder name a format? Asked first: the import takes its time."""
    for file in Path(place).glob("*-info/entry_points.txt"):
        with suppress(OSError):  # pip says so of a package that it left in pieces
            if GROUP.encode() in file.read_bytes():
                return True
    return False


def _plugin(point: EntryPoint) -> Plugin:
    package = f"{point.dist.name} {point.dist.version}" if point.dist else "a package"
    return Plugin(point.name, point.module, package)


def joined(own: Catalog) -> Catalog:
    """What is in the registry's own shelves, and in those of all plug-ins that can be used?

    Warns of those that can't be.
    """
    brought = []
    offered = plugins()
    for plugin in offered:
        try:
            _refuse_clash(plugin, own, offered)
            brought.append(_read(plugin))
        except BrokenPlugin as error:
            warnings.warn(str(error), PluginWarning, stacklevel=2)
    formats = [*own.formats, *(format_ for one in brought for format_ in one.formats)]
    roots = {id_: root for one in brought for id_, root in one.roots.items()}
    return Catalog(tuple(sorted(formats, key=lambda one: one.id)), {**own.roots, **roots})


def _refuse_clash(plugin: Plugin, own: Catalog, offered: tuple[Plugin, ...]) -> None:
    """Raise BrokenPlugin where the id is not its alone: nobody could say whose file it is."""
    others = [one.package for one in offered if one.id == plugin.id and one != plugin]
    if plugin.id in own.roots:
        others.append("evalglot itself")
    if others:
        raise plugin.broken(f"{' and '.join(others)} bring it, too", "an id of its own")


def _read(plugin: Plugin) -> Catalog:
    """What do this plug-in's shelves say of its format? Raises BrokenPlugin."""
    folder = plugin.shelves / plugin.id
    if not (folder / "format.json").is_file():
        raise plugin.broken("it has no shelf", f"a file {folder / 'format.json'}")
    try:
        described = catalog.described(folder / "format.json")
    except ValueError as error:
        raise plugin.broken(str(error), "what evalglot's own say") from None
    for path in _missing(folder, [shelf.version for shelf in described.versions]):
        raise plugin.broken("a version has no schema", f"a file {path}")
    return Catalog((described,), {plugin.id: plugin.shelves})


def _missing(folder: Path, versions: list[str]) -> Iterator[Path]:
    for version in versions:
        if not (path := folder / version / "schema.json").is_file():
            yield path


def plugin_of(id_: str) -> Plugin | None:
    """Which plug-in brings this format? None for evalglot's own."""
    return next((one for one in plugins() if one.id == id_), None)
