"""Does each command take ten times as long, and no more memory, for ten times the cases?

    python -m benchmarks.growth [--most 1000000]

Time is that of the processors, less what the command takes for a single case. A million cases are
files of 1.3 and 1.8 GB.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.contests import FULL, Data
from benchmarks.convert import CONVERT
from benchmarks.diff import ENDS
from benchmarks.diff import OURS as DIFF
from benchmarks.measuring import Sample, environment, measure, spread
from benchmarks.validate import OURS as VALIDATE

SIZES = (1_000, 10_000, 100_000, 1_000_000)
MB = 1_000_000
LINEAR = 0.15
"""by how much of it may the time of a case differ from that at a tenth of the size?"""
HEAD = ("command", "cases", "s", "us a case", "beside a tenth", "peak MB")


def commands(data: Data, cases: int) -> dict[str, list[str]]:
    """What is measured, by name, on files of that many cases?"""
    file = data.report(cases)
    convert = [*CONVERT, "--to", "sandtable", file, "-o", str(data.folder / "grown.json")]
    return {
        "convert": convert,
        "convert --no-carry": [*convert, "--no-carry"],
        "validate": [*VALIDATE, file],
        "diffruns": [*DIFF, *data.pair(cases)],
    }


def lines(
    data: Data, sizes: Sequence[int], rounds: int, env: Mapping[str, str]
) -> Iterator[tuple[str, ...]]:
    """The table, line by line."""
    for name, start in commands(data, 1).items():
        begun = _taken(start, env, rounds, lambda one: one.cpu_s)
        last = None
        for cases in sizes:
            taken = [measure(commands(data, cases)[name], env, codes=ENDS) for _ in range(rounds)]
            each = (spread([one.cpu_s for one in taken]).middle - begun) / cases * 1e6
            peak = spread([one.anonymous / MB for one in taken]).middle
            yield (
                name,
                f"{cases:,}",
                f"{spread([one.wall_s for one in taken]).middle:.2f}",
                f"{each:.1f}",
                _beside(each, last),
                f"{peak:.0f}",
            )
            last = each


def _taken(
    command: list[str], env: Mapping[str, str], rounds: int, of: Callable[[Sample], float]
) -> float:
    """What does a command take, once it is warm?"""
    measure(command, env, codes=ENDS)
    return spread([of(measure(command, env, codes=ENDS)) for _ in range(rounds)]).middle


def _beside(each: float, last: float | None) -> str:
    if last is None:
        return ""
    grown = each / last - 1
    return f"{grown:+.0%}" + (" more than linear" if grown > LINEAR else "")


def table(head: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    """A Markdown table, line by line as it becomes known."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=SIZES[-1], help="cases of the largest files")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    sizes = [cases for cases in SIZES if cases <= given.most]
    with tempfile.TemporaryDirectory() as folder:
        data, env = Data(Path(folder), FULL), environment(Path(folder) / "compiled")
        for line in table(HEAD, lines(data, sizes, given.rounds, env)):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
