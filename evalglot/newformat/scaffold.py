"""Which files does the package of a new format begin with?

The template is such a package itself, of a made-up format, and is tested as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath

TEMPLATE = Path(__file__).parent / "template"
NAME, TITLE, CLASS = "my-tool", "My tool", "MyTool"
"""How is the template's format called: its id, in a title, as a class?"""


def files(name: str) -> Mapping[str, str]:
    """What is in which file, below the package's folder, for a format of this id?"""
    return dict(_files(name))


def _files(name: str) -> Iterator[tuple[str, str]]:
    for path in sorted(TEMPLATE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            place = path.relative_to(TEMPLATE).as_posix()
            yield renamed(place, name), renamed(path.read_text(encoding="utf-8"), name)


def renamed(text: str, name: str) -> str:
    """How does a text of the template read for a format of this id?"""
    words = name.split("-")
    names = {
        NAME: name,
        NAME.replace("-", "_"): "_".join(words),
        TITLE: " ".join(words).capitalize(),
        CLASS: "".join(word.capitalize() for word in words),
    }
    for old, new in names.items():
        text = text.replace(old, new)
    return text


def folder(name: str) -> PurePath:
    """In which folder does the package go?"""
    return PurePath(f"evalglot-{name}")
