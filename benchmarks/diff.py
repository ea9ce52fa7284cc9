"""Measure `diffruns` beside evalarc, on the same two promptfoo files, in one run.

    pip install evalarc
    python -m benchmarks.diff [--quick] [--rows N]

Rounds take turns, each command in a process of its own. No time is asserted anywhere.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measuring import Sample, environment, measure, python, spread
from benchmarks.rows import rows

OURS = python("-m", "diffruns.cli")
THEIRS = python("-m", "evalarc", "diff")
ENDS = (0, 1)
"""both say by their exit code that a case got worse"""
MB = 1_000_000
TIMES = "\N{MULTIPLICATION SIGN}"
GROWTH = (1_000, 10_000, 100_000)


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder for the files, and how often each is compared."""

    folder: Path
    rounds: int
    env: Mapping[str, str]

    def pair(self, count: int) -> tuple[str, str]:
        """Which two files have that many rows?"""
        files = [self.folder / f"{count}-{run}.json" for run in (0, 1)]
        for run, file in enumerate(files):
            if not file.exists():
                with file.open("w") as stream:
                    stream.writelines(rows(count, run))
        return str(files[0]), str(files[1])

    def taken(self, commands: Mapping[str, list[str]], count: int) -> dict[str, list[Sample]]:
        """What does each command take for these files, round by round?"""
        pair = self.pair(count)
        for command in commands.values():  # fills the caches, of modules and of files
            measure([*command, *self.pair(10)], self.env, codes=ENDS)
        taken: dict[str, list[Sample]] = {name: [] for name in commands}
        for _ in range(self.rounds):
            for name, command in commands.items():
                taken[name].append(measure([*command, *pair], self.env, codes=ENDS))
        return taken

    def beside(self, count: int) -> Iterator[str]:
        """How do both fare with the same two files?"""
        size = Path(self.pair(count)[0]).stat().st_size
        taken = self.taken({"diffruns": OURS, "evalarc diff": THEIRS}, count)
        yield f"2 files of {count:,} rows, {size / MB:.0f} MB each"
        yield f"{'':16}{'wall s':>26}{'processor s':>26}{'memory MB':>12}"
        for name, samples in taken.items():
            wall, cpu = spread([one.wall_s for one in samples]), spread([s.cpu_s for s in samples])
            memory = spread([one.anonymous / MB for one in samples])
            yield f"{name:16}{wall!s:>26}{cpu!s:>26}{memory.middle:>12.0f}"
        pairs = list(zip(taken["evalarc diff"], taken["diffruns"], strict=True))
        faster = spread([theirs.wall_s / ours.wall_s for theirs, ours in pairs])
        smaller = spread([theirs.anonymous / ours.anonymous for theirs, ours in pairs])
        yield f"diffruns: {faster}{TIMES} as fast, {smaller}{TIMES} less memory"

    def growth(self) -> Iterator[str]:
        """Does it take ten times as long for ten times the rows?"""
        yield f"{'rows a side':>16}{'wall s':>12}{'us a row':>12}{'memory MB':>12}"
        for count in GROWTH:
            samples = self.taken({"diffruns": OURS}, count)["diffruns"]
            wall = spread([one.wall_s for one in samples]).middle
            memory = spread([one.anonymous / MB for one in samples]).middle
            yield f"{count:>16,}{wall:>12.2f}{wall / count / 2 * 1e6:>12.1f}{memory:>12.0f}"


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small files, one round")
    parser.add_argument("--rows", type=int, default=100_000)
    given = parser.parse_args()
    if find_spec("evalarc") is None:  # its absence would end as a found difference does
        sys.exit("evalarc is not installed: pip install evalarc")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bench = Bench(folder, 1 if given.quick else 3, environment(folder / "compiled"))
        sys.stdout.write(
            f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} "
            f"cores, {platform.machine()}; median (lowest to highest) of {bench.rounds} rounds\n"
        )
        tables = [bench.beside(1_000)]
        if not given.quick:
            tables += [bench.beside(given.rows), bench.growth()]
        for lines in tables:
            sys.stdout.write("\n")
            for line in lines:
                sys.stdout.write(line + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
