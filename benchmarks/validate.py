"""Measure `evalglot validate` beside check-jsonschema, on the same files with the same schema.

    python -m benchmarks.validate [--quick]

Everything is measured in one run, in rounds that take turns, each command in a process of its own.
No time is asserted anywhere: a table says who is right, and another how long each took.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.generate import report
from benchmarks.measuring import ROOT, Spread, environment, measure, python, spread, start_up

OURS = python("-m", "evalglot", "validate", "--quiet")
PLAIN = python(
    "-c",
    "import sys; sys.modules['jsonschema_rs'] = None; sys.argv[0] = 'evalglot'; "
    "from evalglot.cli import main; main()",
    *OURS[3:],
)
"""the same as without the extra `fast`: the import fails"""
THEIRS = python(
    "-c",
    "import sys; sys.modules['orjson'] = None; sys.argv[0] = 'check-jsonschema'; "
    "from check_jsonschema import main; main()",
    "--schemafile",
)
"""as pip and pre-commit install it: orjson, which it would use, is not among what it needs"""
LOADS = "import json, sys; json.loads(open(sys.argv[1], 'rb').read())"
SCHEMAS = ROOT / "versions"
MB = 1_000_000
TIMES = "\N{MULTIPLICATION SIGN}"


@dataclass(frozen=True, slots=True)
class Odd:
    """A file on which a check may go wrong, and what it should say of it."""

    name: str
    content: bytes
    good: bool
    format: str = "cbl/4"
    suffix: str = ".json"


def _row(number: int) -> dict[str, object]:
    return {
        "test_result_id": number,
        "iteration": 0,
        "user_input": f"Tell me about thing {number}.",
        "conversation_id": number,
        "model_response": "No.",
        "safe_response_score": 0.75,
        "passed": True,
    }


def cbl(rows: int) -> bytes:
    """A Circuit Breaker Labs run of that many small cases."""
    head = {"evaluation_id": 1, "total_passed": rows, "total_failed": 0}
    cases = ",\n".join(json.dumps(_row(number)) for number in range(rows))
    return f'{json.dumps(head)[:-1]}, "results": [\n{cases}\n]}}\n'.encode()


def _item(**changed: object) -> bytes:
    item = {"ScenarioID": "s", "SeedID": "1", "CasePrompt": "Hi", "Status": "PASS", "Passed": True}
    return json.dumps(item | changed).encode() + b"\n"


RUN = cbl(2)
JUDGED = "promptbeat-judgment/1"
ODD = (
    Odd("a valid file", RUN, good=True),
    Odd("a field of the wrong type", RUN.replace(b"true", b'"yes"', 1), good=False),
    Odd("cut off in the middle", RUN[:-60], good=False),
    Odd("NaN as a score", RUN.replace(b"0.75", b"NaN", 1), good=False),
    Odd("1e400", RUN.replace(b"{", b'{"x": 1e400,', 1), good=False),
    Odd("a key twice", RUN.replace(b"{", b'{"total_passed": 3,', 1), good=False),
    Odd("half an emoji, as JavaScript cuts", RUN.replace(b"No.", b"\\ud83d", 1), good=True),
    Odd("Latin-1", RUN.replace(b"No.", b"\xe9", 1), good=False),
    Odd("UTF-16, as PowerShell writes", RUN.decode().encode("utf-16"), good=True),
    Odd("UTF-8 with a byte order mark", b"\xef\xbb\xbf" + RUN, good=True),
    Odd("100,000 nested lists", b"[" * 100_000 + b"]" * 100_000, good=False),
    Odd("JSON Lines", _item() + _item(SeedID="2"), good=True, format=JUDGED, suffix=".jsonl"),
    Odd(
        "JSON Lines, one of the wrong type",
        _item() + _item(Passed="yes"),
        good=False,
        format=JUDGED,
        suffix=".jsonl",
    ),
    Odd("totals that miscount", RUN.replace(b'passed": 2', b'passed": 7', 1), good=False),
    Odd("a field that was renamed", RUN.replace(b"iteration", b"round"), good=False),
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured?"""

    rows: int
    cases: int
    files: int
    rounds: int
    starts: int


FULL = Sizes(290_000, 20_000, 500, 3, 11)
QUICK = Sizes(5_000, 500, 20, 1, 3)


class Bench:
    """A folder with the files, and the environment to run commands in."""

    def __init__(self, folder: Path, sizes: Sizes) -> None:
        self.folder = folder
        self.sizes = sizes
        self.env: Mapping[str, str] = environment(folder / "compiled")

    def file(self, name: str, content: bytes) -> str:
        """Which file holds this?"""
        path = self.folder / name
        path.write_bytes(content)
        return str(path)

    def verdicts(self) -> Iterator[tuple[Odd, str, str]]:
        """What do both say of each odd file?"""
        for number, odd in enumerate(ODD):
            file = self.file(f"odd{number}{odd.suffix}", odd.content)
            id_ = odd.format.replace("/", "@")
            schema = str(SCHEMAS / odd.format / "schema.json")
            ours = self._verdict([*OURS, "--strict", "--from", id_, file], odd)
            yield odd, ours, self._verdict([*THEIRS, schema, file], odd)

    def _verdict(self, command: list[str], odd: Odd) -> str:
        done = subprocess.run(
            command, env=dict(self.env), check=False, capture_output=True, encoding="utf-8"
        )
        if "Traceback" in done.stdout + done.stderr:
            return "traceback"
        right = done.returncode == (0 if odd.good else 1)
        return f"{'accepted' if done.returncode == 0 else 'refused'}{'' if right else ', wrong'}"

    def times(
        self, files: list[str], schema: str, rounds: int, how: Callable[[list[str]], float]
    ) -> dict[str, list[float]]:
        """How many seconds does each take for these files, round by round?"""
        commands = {
            "ours": [*OURS, *files],
            "plain": [*PLAIN, *files],
            "theirs": [*THEIRS, str(SCHEMAS / schema / "schema.json"), *files],
        }
        for command in commands.values():  # fills the cache of compiled modules
            start_up([*command[: len(command) - len(files)], files[0]], self.env)
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                taken[name].append(how(command))
        return taken

    def wall(self, command: list[str]) -> float:
        """How many seconds pass?"""
        return start_up(command, self.env)

    def cpu(self, command: list[str]) -> float:
        """How many seconds of a processor does it take?"""
        return measure(command, self.env).cpu_s


def _line(name: str, taken: Mapping[str, list[float]]) -> str:
    ours, plain, theirs = (spread(taken[one]) for one in ("ours", "plain", "theirs"))
    pairs = zip(taken["theirs"], taken["ours"], strict=True)
    ratio = spread([theirs / ours for theirs, ours in pairs])
    return f"{name:36}{_s(ours):>12}{_s(plain):>14}{_s(theirs):>20}{ratio.middle:>9.1f}{TIMES}"


def _s(taken: Spread) -> str:
    return f"{taken.middle:.2f} s"


def _beside(bench: Bench) -> Iterator[str]:
    """How long do both take, from one small file to one big one?"""
    sizes = bench.sizes
    yield f"{'':36}{'evalglot':>12}{'without fast':>14}{'check-jsonschema':>20}{'ratio':>10}"
    one = bench.file("one.json", cbl(33))
    yield _line("one file of 6 kB", bench.times([one], "cbl/4", sizes.starts, bench.wall))
    many = [bench.file(f"many{number}.json", cbl(33)) for number in range(sizes.files)]
    name = f"{sizes.files} files of 6 kB"
    yield _line(name, bench.times(many, "cbl/4", sizes.rounds, bench.wall))
    big = cbl(sizes.rows)
    name = f"{len(big) / MB:.0f} MB, {sizes.rows:,} small cases"
    yield _line(name, bench.times([bench.file("big.json", big)], "cbl/4", sizes.rounds, bench.cpu))


def _yardstick(bench: Bench) -> Iterator[str]:
    """How long does checking take beside reading alone, and how much memory?"""
    file = bench.file("report.json", "".join(report(bench.sizes.cases)).encode())
    size = Path(file).stat().st_size
    commands = {"loads": python("-c", LOADS, file), "ours": [*OURS, file], "plain": [*PLAIN, file]}
    rounds = [
        {name: measure(command, bench.env) for name, command in commands.items()}
        for _ in range(bench.sizes.rounds + 2)
    ]
    for name, words in (("ours", "evalglot validate"), ("plain", "the same without fast")):
        ratio = spread([one[name].cpu_s / one["loads"].cpu_s for one in rounds])
        memory = spread([one[name].anonymous / size for one in rounds])
        wall = spread([one[name].wall_s for one in rounds])
        yield (
            f"{words:36}{ratio}{TIMES} json.loads, {wall} s, {memory.middle:.2f}{TIMES} the file's "
            f"{size / MB:.0f} MB in memory"
        )


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small files, few rounds")
    sizes = QUICK if parser.parse_args().quick else FULL
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), sizes)
        sys.stdout.write(
            f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} "
            f"cores, {platform.machine()}; median of {sizes.rounds} rounds\n\n"
            f"{'':36}{'should be':12}{'evalglot --strict':20}check-jsonschema\n"
        )
        for odd, ours, theirs in bench.verdicts():
            wanted = "accepted" if odd.good else "refused"
            sys.stdout.write(f"{odd.name:36}{wanted:12}{ours:20}{theirs}\n")
        for lines in (_beside(bench), _yardstick(bench)):
            sys.stdout.write("\n")
            for line in lines:
                sys.stdout.write(line + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
