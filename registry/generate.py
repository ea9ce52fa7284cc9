"""Write what is derived from the shelves: `python -m registry.generate [--check | --release DATE]`.

The converter registers its own outputs the same way, in a module of its own that calls `run`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import TypeAlias

import msgspec

from registry import catalog, hooks, lock, pages
from registry.catalog import Format
from registry.shelves import versions_root
from registry.values import JSON

Output: TypeAlias = tuple[str, Callable[[], bytes]]


def catalog_json(root: Path | None = None) -> bytes:
    """What do all format.json files and the lock say, in one file?"""
    root = root or versions_root()
    locked = lock.updated(lock.read(root), lock.drafts(root))
    return _spell({"formats": [_entry(format_, locked) for format_ in catalog.read(root).formats]})


def _entry(format_: Format, locked: lock.Lock) -> JSON:
    """What of a format does somebody want to know who does not detect or convert?"""
    described = msgspec.to_builtins(format_)
    versions = [
        {
            "version": shelf.version,
            "predecessor": shelf.predecessor,
            "ref": (ref := f"{format_.id}@{shelf.version}"),
            "schema": f"{format_.id}/{shelf.version}/schema.json",
            "digest": locked[ref].digest,
            "status": locked[ref].status,
            "released": locked[ref].released,
        }
        for shelf in format_.versions
    ]
    return {**described, "versions": versions}


def lock_json(root: Path | None = None) -> bytes:
    """How does the lock continue, with the shelves as they are?"""
    root = root or versions_root()
    return _spell(lock.updated(lock.read(root), lock.drafts(root)))


def _spell(value: JSON) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


OUTPUTS: tuple[Output, ...] = (
    ("lock.json", lock_json),
    ("catalog.json", catalog_json),
    (hooks.MANIFEST, hooks.manifest),
    (pages.RULES_PAGE, pages.rules_page),
)
"""Which files are generated, in this order? Paths start at versions/."""


def outputs(root: Path) -> tuple[Output, ...]:
    """Which files are generated of the shelves in this folder? Those beside where they are ours."""
    beside = (
        (hooks.MANIFEST, hooks.manifest, hooks.HEAD),
        (pages.RULES_PAGE, pages.rules_page, pages.HEAD),
    )
    return (
        ("lock.json", partial(lock_json, root)),
        ("catalog.json", partial(catalog_json, root)),
        *((path, make) for path, make, head in beside if _is_ours(root / path, head)),
    )


def _is_ours(path: Path, head: str) -> bool:
    first = head.splitlines()[0]
    return (_held(path) or b"").startswith(first.encode())


def stale(outputs: Sequence[Output], root: Path) -> list[str]:
    """Which of these files under `root` are not what they would be if written now?"""
    return [path for path, make in outputs if _held(root / path) != make()]


def _held(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def write(outputs: Sequence[Output], root: Path) -> None:
    """Write these files under `root`, each after the ones before it."""
    for path, make in outputs:
        (root / path).write_bytes(make())


def run(outputs: Sequence[Output], root: Path, *, check: bool) -> int:
    """Write these files, or only say which are stale? Returns the exit code."""
    if not check:
        write(outputs, root)
        return 0
    old = stale(outputs, root)
    for path in old:
        print(f"{Path(os.path.normpath(root / path))} is stale; generate it anew", file=sys.stderr)
    return 1 if old else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Generate, check or release? Returns the exit code: 1 when stale or a lock rule is broken."""
    parser = argparse.ArgumentParser(prog="python -m registry.generate", description=__doc__)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="write nothing, exit 1 when stale")
    mode.add_argument(
        "--release", metavar="DATE", type=date.fromisoformat, help="release all drafts on this day"
    )
    options = parser.parse_args(arguments)
    broken = lock.check_lock()
    for finding in broken:
        print(f"{finding}. A released schema is never edited: add a version.", file=sys.stderr)
    if broken:
        return 1
    if options.release:
        released = lock.release(lock.updated(lock.read(), lock.drafts()), str(options.release))
        (versions_root() / lock.NAME).write_bytes(_spell(released))
    return run(OUTPUTS, versions_root(), check=options.check)


if __name__ == "__main__":
    sys.exit(main())
