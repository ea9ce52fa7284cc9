"""Write the manual pages: `python -m evalglot.generate [--check]`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from evalglot import __version__
from evalglot.cli import evalglot
from evalglot.man import pages

FOLDER = Path(__file__).parents[1] / "man"


def manual() -> Mapping[str, str]:
    """What does each page say, by its file's name?"""
    from diffruns.cli import diffruns

    return {
        **pages("evalglot", evalglot, __version__),
        **pages("diffruns", diffruns, __version__),
    }


def stale(folder: Path) -> list[str]:
    """Which pages in this folder are not what they would be if written now, or none any more?"""
    made = manual()
    held = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.1")}
    return sorted(name for name in made.keys() | held if made.get(name) != held.get(name))


def main(arguments: Sequence[str]) -> int:
    """Write the pages, or with --check say which are stale."""
    old = stale(FOLDER)
    if "--check" in arguments:
        for name in old:
            sys.stderr.write(f"{FOLDER / name} is stale: run `python -m evalglot.generate`\n")
        return int(bool(old))
    FOLDER.mkdir(exist_ok=True)
    made = manual()
    for name in old:
        if name in made:
            (FOLDER / name).write_text(made[name], encoding="utf-8")
        else:
            (FOLDER / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
