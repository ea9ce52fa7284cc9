"""Which sample files of a new version can be made of its schema and of real files?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePath

from registry import gate, samples
from registry.unknowns import Sample
from registry.values import JSON

Files = Mapping[str, bytes]
"""What is in which file, below the folder of the version's fixtures?"""

WANTED = {
    "valid/smallest.json": "the least that is a file of it",
    "valid/typical.json": "what one usually looks like",
    "valid/everything.json": "every field that the schema names",
    "invalid/*.expect.json": "what a wrong file is refused for: pointer and keyword",
}
"""Which files do the tests want of each version?"""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,80}")


def files(schema: JSON, given: Sequence[Sample], fits: Callable[[JSON], bool]) -> Files:
    """Which sample files are there to begin with? `fits`: is it detected, and valid?"""
    return {**_synthetic(schema, fits), **dict(_copies(given))}


def _synthetic(schema: JSON, fits: Callable[[JSON], bool]) -> Files:
    """The smallest document, and one without what it needs. None where the schema makes none."""
    try:
        smallest = samples.smallest(schema)
    except LookupError:
        return {}
    if not fits(smallest):
        return {}
    made = {"valid/smallest.json": _spelled(smallest)}
    needed = [name for name in schema.get("required", ()) if _NAME.fullmatch(name)]
    if not needed or not isinstance(smallest, dict):
        return made
    without = {key: value for key, value in smallest.items() if key != needed[0]}
    name = f"invalid/no-{needed[0]}"
    expected = {"pointer": "", "keyword": "required"}
    return {
        **made,
        f"{name}.json": _spelled(without),
        f"{name}.expect.json": _spelled(expected),
    }


def _copies(given: Sequence[Sample]) -> Iterator[tuple[str, bytes]]:
    """The real files: the first whole one is the typical one, others keep their names."""
    whole = [sample for sample in given if not sample.lines]
    for number, sample in enumerate(given, start=1):
        name = PurePath(sample.file).name
        if whole and sample is whole[0]:
            name = "typical.json"
        elif not _NAME.fullmatch(name):
            name = f"sample-{number}.json{'l' if sample.lines else ''}"
        yield f"valid/{name}", _lines(sample) if sample.lines else _spelled(sample.document)


def _lines(sample: Sample) -> bytes:
    return b"".join(gate.dump(one) + b"\n" for one in sample.document)


def _spelled(value: JSON) -> bytes:
    return gate.dump(value, indent=2) + b"\n"


def missing(there: Sequence[str]) -> list[str]:
    """Which of the wanted files are not there yet, each with what it is for?"""
    return [
        f"{pattern}: {why}"
        for pattern, why in WANTED.items()
        if not any(PurePath(file).match(pattern) for file in there)
    ]
