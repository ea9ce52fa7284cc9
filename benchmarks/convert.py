"""Measure converting a big Promptbeat report against plain Python's JSON.

    python -m benchmarks.convert [--quick]

Everything is measured in one run, in rounds that take turns, each command in a process of its own:
so the machine's moods fall on all alike, and a ratio is of two commands of one round.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.generate import report
from benchmarks.measuring import Sample, Spread, environment, measure, python, spread, start_up

CONVERT = python("-c", "import sys; from converter.cli import main; sys.exit(main())")
PLAIN = python("-c", "import sys; sys.modules['jsonschema_rs'] = None; " + CONVERT[-1])
"""the same as without the extra `fast`: the import fails"""
ALONE = ("--jobs", "1")
YARDSTICK = "import json, sys; json.dumps(json.loads(open(sys.argv[1], 'rb').read()))"
JQ = """{version: 1, runId: .eval_id, startedAt: .started_at, durationMs: .duration_ms, tasks:
[.cases[] | {id: .metadata.recordId, passes: (if .passed then 1 else 0 end), trials: [{
taskId: .metadata.recordId, trial: 0, passed, endReason: (if .error then "error" else null end),
error, durationMs: .latency_ms, checks: [.assertions[] | {id: .metric, kind: "reply", passed,
detail: .reason}], events: [{type: "user", text: .content}, {type: "agent", text: .response}]}]}]}
"""
MB = 1_000_000
TIMES = "\N{MULTIPLICATION SIGN}"


@dataclass(frozen=True, slots=True)
class Goal:
    """What is measured, in which unit, and what must it stay below? None: told only."""

    name: str
    unit: str
    limit: float | None


RATIOS = {
    "carry": Goal("promptbeat → sandtable, validated, carry", TIMES, 1.0),
    "carry alone": Goal("the same by one process, --jobs 1", TIMES, None),
    "plain": Goal("the same without the extra `fast`", TIMES, None),
    "no-carry": Goal("promptbeat → sandtable, validated, --no-carry", TIMES, 0.6),
    "no-carry alone": Goal("the same by one process, --jobs 1", TIMES, None),
    "plain no-carry": Goal("the same without the extra `fast`", TIMES, None),
    "home": Goal("sandtable → promptbeat, home through the carry", TIMES, None),
    "home alone": Goal("the same by one process, --jobs 1", TIMES, None),
    "jq": Goal("jq, plain fields only, nothing checked or carried", TIMES, None),
}
MEMORY = Goal("peak anonymous memory of one process over file size", TIMES, 2.0)
GROWTH = Goal("time for twice the cases", TIMES, 2.3)
HELP = Goal("convert --help", " s", 0.15)
SMALL = Goal("convert a cbl file of 10 kB", " s", 0.25)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured?"""

    cases: tuple[int, ...]
    rounds: int
    starts: int

    @property
    def main(self) -> int:
        """How many cases has the file that everything is measured on?"""
        return self.cases[1]


FULL = Sizes((10_000, 20_000, 40_000), 5, 11)
QUICK = Sizes((500, 1_000, 2_000), 2, 3)


class Bench:
    """A folder with the files, and the environment to run commands in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env: Mapping[str, str] = environment(folder / "compiled")

    def source(self, cases: int) -> Path:
        """Which file holds a report of that many cases? It is made when first asked for."""
        file = self.folder / f"{cases}.json"
        if not file.exists():
            with file.open("w") as stream:
                stream.writelines(report(cases))
        return file

    def convert(
        self, file: Path, target: str, out: str, *options: str, by: list[str] = CONVERT
    ) -> Sample:
        """What does converting this file take?"""
        written = str(self.folder / out)
        return measure([*by, "--to", target, str(file), "-o", written, *options], self.env)

    def rounds(self, sizes: Sizes) -> list[dict[str, Sample]]:
        """What did each command take on the main file, round by round?"""
        file, there = self.source(sizes.main), self.folder / "there.json"
        away, bare = (file, "sandtable", there.name), (file, "sandtable", "bare.json", "--no-carry")
        home = (there, "promptbeat", "home.json")
        commands: dict[str, Callable[[], Sample]] = {
            "yardstick": lambda: measure(python("-c", YARDSTICK, str(file)), self.env),
            "carry": lambda: self.convert(*away),
            "carry alone": lambda: self.convert(*away, *ALONE),
            "plain": lambda: self.convert(*away, by=PLAIN),
            "no-carry": lambda: self.convert(*bare),
            "no-carry alone": lambda: self.convert(*bare, *ALONE),
            "plain no-carry": lambda: self.convert(*bare, by=PLAIN),
            "home": lambda: self.convert(*home),
            "home alone": lambda: self.convert(*home, *ALONE),
        }
        if (jq := shutil.which("jq")) is not None:
            commands["jq"] = lambda: measure([jq, "-c", JQ, str(file)], self.env)
        self.convert(self.source(sizes.cases[0]), "sandtable", "warm.json")
        return [{name: run() for name, run in commands.items()} for _ in range(sizes.rounds)]

    def growth(self, sizes: Sizes) -> list[dict[int, float]]:
        """How many seconds do files of each size take, round by round?"""
        files = {cases: self.source(cases) for cases in sizes.cases}
        return [
            {
                cases: self.convert(one, "sandtable", "grown.json", *ALONE).cpu_s
                for cases, one in files.items()
            }
            for _ in range(sizes.rounds)
        ]

    def starts(self, sizes: Sizes) -> tuple[Spread, Spread]:
        """How many seconds do `--help` and a small file take?"""
        small = self.folder / "small.json"
        small.write_text(json.dumps(_small_run()))
        convert = [*CONVERT, "--to", "sandtable", str(small), "-o", str(self.folder / "s.json")]
        helped: list[float] = []
        done: list[float] = []
        for _ in range(sizes.starts + 1):
            helped.append(start_up([*CONVERT, "--help"], self.env))
            done.append(start_up(convert, self.env))
        return spread(helped[1:]), spread(done[1:])  # the first fills the cache of compiled modules


def _small_run() -> dict[str, object]:
    """A Circuit Breaker Labs run of about 10 kB."""
    results = [
        {
            "test_result_id": number,
            "iteration": 0,
            "user_input": f"Please tell me how to do thing number {number}, step by step.",
            "conversation_id": number,
            "model_response": "I can't help with that, but here is what I can do instead. " * 2,
            "safe_response_score": 0.9,
            "passed": True,
        }
        for number in range(33)
    ]
    return {
        "evaluation_id": 1,
        "total_passed": len(results),
        "total_failed": 0,
        "results": results,
        "test_case_groups": [],
    }


def _line(goal: Goal, measured: Spread, more: str = "") -> str:
    limit = "" if goal.limit is None else f"≤ {goal.limit:g}{goal.unit}"
    verdict = "" if goal.limit is None else "ok" if measured.middle <= goal.limit else "MISSED"
    return f"{goal.name:54}{str(measured) + goal.unit:27}{limit:10}{verdict:8}{more}".rstrip()


def _ratio_lines(rounds: list[dict[str, Sample]], size: int) -> list[str]:
    yardstick = [one["yardstick"] for one in rounds]
    lines = [
        f"yardstick, json.loads + json.dumps: {spread([one.wall_s for one in yardstick])} s, "
        f"{spread([one.anonymous / size for one in yardstick])}{TIMES} the file in memory"
    ]
    for name, goal in RATIOS.items():
        if name not in rounds[0]:
            continue
        wall = spread([one[name].wall_s / one["yardstick"].wall_s for one in rounds])
        work = spread([one[name].cpu_s / one["yardstick"].cpu_s for one in rounds])
        lines.append(_line(goal, wall, f"{work}{TIMES} the work"))
    peak = spread([one["carry alone"].anonymous / size for one in rounds])
    return [*lines, _line(MEMORY, peak, f"{peak.middle * size / MB:.0f} MB")]


def _growth_lines(rounds: list[dict[int, float]], sizes: Sizes) -> list[str]:
    pairs = zip(sizes.cases, sizes.cases[1:], strict=False)
    return [
        _line(GROWTH, spread([one[more] / one[less] for one in rounds]), f"{less:,} → {more:,}")
        for less, more in pairs
    ]


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small files, few rounds")
    sizes = QUICK if parser.parse_args().quick else FULL
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        size = bench.source(sizes.main).stat().st_size
        sys.stdout.write(
            f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} "
            f"cores, {platform.machine()}; {sizes.main:,} cases, {size / MB:.1f} MB; "
            f"{sizes.rounds} rounds; median (lowest to highest)\n"
            f"The extra `fast` is {'' if find_spec('jsonschema_rs') else 'not '}installed. "
            "Ratios are of time, then of processor time, which other programs disturb less.\n\n"
        )
        for line in _ratio_lines(bench.rounds(sizes), size):
            sys.stdout.write(line + "\n")
        for line in _growth_lines(bench.growth(sizes), sizes):
            sys.stdout.write(line + "\n")
        helped, small = bench.starts(sizes)
        sys.stdout.write(f"{_line(HELP, helped)}\n{_line(SMALL, small)}\n")


if __name__ == "__main__":
    main()
