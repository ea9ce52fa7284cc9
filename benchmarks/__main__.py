"""Measure everything beside plain json and beside the tools that people use today, in one run.

    pip install evalarc
    python -m benchmarks [--quick] [--rounds N] [--most CASES]

Files are generated first. Then rounds take turns, each command in a process of its own, so that the
machine's moods fall on all alike; a ratio is of two commands of one round. No time is asserted.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks import growth
from benchmarks.contests import FULL, QUICK, Contest, Data, contests
from benchmarks.measuring import Sample, environment, measure, spread
from registry import detection
from registry.files import opened

MB = 1_000_000
TIMES = "\N{MULTIPLICATION SIGN}"
HEAD = ("what", "beside", "ratio of times", "aim", "s", "processor s", "peak MB", "theirs: s", "MB")


def rounds(
    all_: list[Contest], count: int, env: Mapping[str, str]
) -> dict[Contest, list[tuple[Sample, Sample]]]:
    """What did both sides of each contest take, round by round? The first round is for warmth."""
    taken: dict[Contest, list[tuple[Sample, Sample]]] = {one: [] for one in all_}
    for number in range(count + 1):
        for one in all_:
            ours, theirs = (measure(by, env, codes=one.codes) for by in (one.ours, one.theirs))
            if number:
                taken[one].append((ours, theirs))
    return taken


def line(one: Contest, taken: list[tuple[Sample, Sample]]) -> tuple[str, ...]:
    """How is the outcome of a contest told?"""
    ratio = spread([ours.wall_s / theirs.wall_s for ours, theirs in taken])
    sides = list(zip(*taken, strict=True))
    walls = [spread([sample.wall_s for sample in side]).middle for side in sides]
    peaks = [spread([sample.anonymous / MB for sample in side]).middle for side in sides]
    work = spread([sample.cpu_s for sample in sides[0]]).middle
    aim = "" if one.most is None else f"≤ {one.most:g}{' missed' * (ratio.middle > one.most)}"
    told = f"{walls[0]:.2f}", f"{work:.2f}", f"{peaks[0]:.0f}", f"{walls[1]:.2f}", f"{peaks[1]:.0f}"
    return one.name, one.beside, f"{ratio}{TIMES}", aim, *told


def detected(file: str, count: int) -> str:
    """How many milliseconds does it take to find out which format a file has?"""
    taken = []
    for _ in range(count + 1):
        with opened(file) as data:
            begun = time.perf_counter()
            detection.look(data, file=file)
            taken.append((time.perf_counter() - begun) * 1e3)
    return str(spread(taken[1:]))


def printed(lines: Iterator[str]) -> None:
    """Print lines as they become known."""
    for told in lines:
        sys.stdout.write(told + "\n")
        sys.stdout.flush()


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small files")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--most", type=int, help="cases of the largest files of the growth table")
    given = parser.parse_args()
    most = given.most or (1_000 if given.quick else growth.SIZES[-1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, env = Data(folder, QUICK if given.quick else FULL), environment(folder / "compiled")
        all_ = list(contests(data))
        sys.stdout.write(
            f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} "
            f"cores, {platform.machine()}; median (lowest to highest) of {given.rounds} rounds\n\n"
        )
        taken = rounds(all_, given.rounds, env)
        printed(growth.table(HEAD, (line(one, taken[one]) for one in all_)))
        report = data.report(data.sizes.cases)
        sys.stdout.write(f"\ndetect, ms: {detected(report, given.rounds)}, aim ≤ 20\n\n")
        sizes = [cases for cases in growth.SIZES if cases <= most]
        printed(growth.table(growth.HEAD, growth.lines(data, sizes, given.rounds, env)))


if __name__ == "__main__":
    main()
