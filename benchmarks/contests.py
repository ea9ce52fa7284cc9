"""What is measured beside what, on which files, and what ratio is aimed at?"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from benchmarks.convert import CONVERT, JQ, YARDSTICK
from benchmarks.diff import ENDS
from benchmarks.diff import OURS as DIFF
from benchmarks.diff import THEIRS as EVALARC
from benchmarks.generate import report
from benchmarks.measuring import ROOT, python
from benchmarks.rows import rows
from benchmarks.validate import LOADS
from benchmarks.validate import OURS as VALIDATE
from benchmarks.validate import PLAIN as VALIDATE_PLAIN
from benchmarks.validate import THEIRS as CHECK

KB_100 = 57
"""cases of a report of 100 kB"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured?"""

    cases: int
    rows: int
    files: int


FULL = Sizes(20_000, 100_000, 1_000)
QUICK = Sizes(1_000, 2_000, 20)


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """Two commands that do the same work, or as near to it as there is.

    `most` is the ratio of their times that is aimed at; None: it is only told.
    """

    name: str
    ours: list[str]
    beside: str
    theirs: list[str]
    most: float | None = None
    codes: Collection[int] = (0,)


class Data:
    """A folder of files, each made when it is first asked for."""

    def __init__(self, folder: Path, sizes: Sizes) -> None:
        self.folder, self.sizes = folder, sizes

    def report(self, cases: int) -> str:
        """Which file holds a Promptbeat report of that many cases?"""
        return self._made(f"report-{cases}.json", report(cases))

    def pair(self, count: int) -> tuple[str, str]:
        """Which two promptfoo files have that many rows?"""
        one, other = (self._made(f"rows-{count}-{run}.json", rows(count, run)) for run in (0, 1))
        return one, other

    def _made(self, name: str, text: Iterator[str]) -> str:
        path = self.folder / name
        if not path.exists():
            with path.open("w") as stream:
                stream.writelines(text)
        return str(path)

    @cached_property
    def many(self) -> str:
        """Which folder holds many reports of 100 kB?"""
        folder = self.folder / "many"
        folder.mkdir()
        for number in range(self.sizes.files):
            with (folder / f"{number:05}.json").open("w") as stream:
                stream.writelines(report(KB_100, number))
        return str(folder)


def contests(data: Data) -> Iterator[Contest]:
    """What is measured? What is not installed is left out."""
    file, out = data.report(data.sizes.cases), str(data.folder / "out.json")
    convert = [*CONVERT, "--to", "sandtable", file, "-o", out]
    plainly = "json.loads + json.dumps"
    yardstick = python("-c", YARDSTICK, file)
    yield Contest("convert, validated, with carry", convert, plainly, yardstick, 1.0)
    bare = [*convert, "--no-carry"]
    yield Contest("convert, validated, --no-carry", bare, plainly, yardstick, 0.6)
    if (jq := shutil.which("jq")) is not None:
        yield Contest("convert, validated, --no-carry", bare, "jq", [jq, "-c", JQ, file], 1.0)
    loads = python("-c", LOADS, file)
    yield Contest("validate, with the extra fast", [*VALIDATE, file], "json.loads", loads, 0.5)
    yield Contest("validate, without", [*VALIDATE_PLAIN, file], "json.loads", loads, 1.0)
    if find_spec("check_jsonschema") is not None:
        schema = str(ROOT / "versions/promptbeat/1/schema.json")
        check = [*CHECK, schema, file]
        yield Contest("validate, without", [*VALIDATE_PLAIN, file], "check-jsonschema", check)
    many = [*VALIDATE, data.many]
    alone = [*many, "--jobs", "1"]
    yield Contest(f"validate {data.sizes.files:,} files of 100 kB", many, "--jobs 1", alone)
    if find_spec("evalarc") is not None:
        pair = data.pair(data.sizes.rows)
        name = f"diffruns 2 x {data.sizes.rows:,} rows"
        yield Contest(name, [*DIFF, *pair], "evalarc", [*EVALARC, *pair], 0.1, ENDS)
