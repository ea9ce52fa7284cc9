"""What `diffruns` prints, behaviour by behaviour: `python -m tests.diffruns.golden --write`.

Each folder of `behaviours/` is one behaviour, named after it: two small synthetic runs, and what
comes of comparing them. `commands` has a line for each command: the file of its stdout, then its
arguments; without it, the four in USUAL are run. `ended` tells how each command ended, with stderr.

A line may set COLUMNS=140 first, or TERMINAL=1 for a terminal with colours.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tty
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from diffruns.cli import diffruns

BEHAVIOURS = Path(__file__).parent / "behaviours"
USUAL = """\
text a.json b.json
json a.json b.json --format json
markdown a.json b.json --format markdown
github a.json b.json --format github
"""
SUFFIXES = {"json": "json", "markdown": "md"}
ENDED = "ended"


class Command(NamedTuple):
    """One line of a behaviour: where its stdout is, what is set, and what is asked."""

    file: str
    environment: dict[str, str]
    arguments: list[str]

    @property
    def asked(self) -> str:
        settings = [f"{name}={value}" for name, value in self.environment.items()]
        return " ".join([*settings, "diffruns", shlex.join(self.arguments)])


class Done(NamedTuple):
    """How did a command end?"""

    stdout: bytes
    stderr: bytes
    code: int


def behaviours() -> list[Path]:
    """Which behaviours are there?"""
    return sorted(path for path in BEHAVIOURS.iterdir() if path.is_dir())


def commands(folder: Path) -> list[Command]:
    """Which commands tell a behaviour?"""
    listed = folder / "commands"
    lines = (listed.read_text(encoding="utf-8") if listed.exists() else USUAL).splitlines()
    return [_command(line) for line in lines]


def _command(line: str) -> Command:
    name, *words = shlex.split(line)
    settings = [word for word in words if word.split("=")[0] in ("COLUMNS", "TERMINAL", "NO_COLOR")]
    file = f"{name}.{SUFFIXES.get(name, 'txt')}"
    return Command(file, dict(word.split("=") for word in settings), words[len(settings) :])


def done(folder: Path, command: Command) -> Done:
    """What does a command print, run in this folder, 80 columns wide unless it says otherwise?"""
    environment = {"COLUMNS": "80", **command.environment}
    if "TERMINAL" in environment:
        return _on_a_terminal(folder, command, environment)
    with chdir(folder):
        ran = CliRunner().invoke(diffruns, command.arguments, env=environment)
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return Done(ran.stdout_bytes, ran.stderr_bytes, ran.exit_code)


def _on_a_terminal(folder: Path, command: Command, environment: dict[str, str]) -> Done:
    """What is printed, bytes as they are, where stdout is a terminal?"""
    here, there = os.openpty()
    tty.setraw(there)
    root = str(Path(__file__).parents[2])
    inherited = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, "-m", "diffruns.cli", *command.arguments],
        cwd=folder,
        env={**inherited, "PYTHONPATH": root, **environment},
        stdout=there,
        stderr=subprocess.PIPE,
    ) as process:
        os.close(there)
        stdout = b"".join(_read(here))
        stderr = process.stderr.read() if process.stderr else b""
    os.close(here)
    return Done(stdout, stderr, process.returncode)


def _read(descriptor: int) -> Iterator[bytes]:
    """What a terminal shows, until nobody writes any more: Linux says so by an error."""
    while True:
        try:
            chunk = os.read(descriptor, 65_536)
        except OSError:
            return
        if not chunk:
            return
        yield chunk


def expected(folder: Path) -> dict[str, bytes]:
    """Which files does a behaviour come to, by name?"""
    found: dict[str, bytes] = {}
    ended = []
    for command in commands(folder):
        result = done(folder, command)
        found[command.file] = result.stdout
        ended.append(
            f"$ {command.asked}\n".encode() + result.stderr + f"exit code {result.code}\n".encode()
        )
    return {**found, ENDED: b"\n".join(ended)}


def main() -> None:
    """Write the files anew, or say which are not what they were."""
    parser = argparse.ArgumentParser(description="What diffruns prints, behaviour by behaviour.")
    parser.add_argument("--write", action="store_true", help="write them anew, to be looked at")
    parser.add_argument("names", nargs="*", help="of behaviours; all if left out")
    asked = parser.parse_args()
    stale = []
    for folder in behaviours():
        if asked.names and folder.name not in asked.names:
            continue
        for file, told in expected(folder).items():
            path = folder / file
            if path.exists() and path.read_bytes() == told:
                continue
            stale.append(f"{folder.name}/{file}")
            if asked.write:
                path.write_bytes(told)
    print("\n".join(stale) or "all as they were")
    sys.exit(bool(stale) and not asked.write)


if __name__ == "__main__":
    main()
