"""What `diffruns` prints is what it printed; and whatever it prints is fit for its reader."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from registry import gate
from registry.engine import judge
from registry.shelves import versions_root
from tests.diffruns import golden

ACTIVE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
COLOUR = re.compile(r"\x1b\[\d+m")
COMMAND = re.compile(r"::(error|warning|notice) (file=[^:,]+,)?title=[^:,]+::.*")


def files(name: str) -> Any:
    """Every file of this name that a behaviour has."""
    found = sorted(golden.BEHAVIOURS.glob(f"*/{name}"))
    return pytest.mark.parametrize("file", found, ids=[file.parent.name for file in found])


def commands() -> list[tuple[Path, golden.Command]]:
    return [(folder, one) for folder in golden.behaviours() for one in golden.commands(folder)]


@cache
def schema() -> Any:
    return gate.load((versions_root() / "evalglot-diff-report/1/schema.json").read_bytes())


@pytest.mark.parametrize("folder", golden.behaviours(), ids=lambda folder: folder.name)
def test_output_is_as_it_was(folder: Path) -> None:
    told = golden.expected(folder)
    held = {file: (folder / file).read_bytes() for file in told}
    assert told == held


@pytest.mark.parametrize("folder", golden.behaviours(), ids=lambda folder: folder.name)
def test_a_behaviour_holds_nothing_beside_what_its_commands_tell(folder: Path) -> None:
    told = {golden.ENDED, *(one.file for one in golden.commands(folder))}
    assert {file.name for file in folder.iterdir()} - told <= {"a.json", "b.json", "commands"}


@pytest.mark.parametrize(
    ("folder", "command"),
    commands(),
    ids=lambda one: one.file if isinstance(one, golden.Command) else one.name,
)
def test_text_acts_on_nothing_and_fits_the_terminal(folder: Path, command: golden.Command) -> None:
    told = (folder / command.file).read_text(encoding="utf-8")
    if command.file.endswith(".json"):
        return
    plain = COLOUR.sub("", told) if "TERMINAL" in command.environment else told
    assert not ACTIVE.search(plain)
    if "--format" in command.arguments or "--case" in command.arguments:
        return
    lines = plain.splitlines()
    assert max(map(len, lines), default=0) <= int(command.environment.get("COLUMNS", 80))
    if not {"--all", "--by"} & {*command.arguments}:
        assert len(lines) <= 40


def test_colour_is_for_terminals_that_want_it() -> None:
    folder = golden.BEHAVIOURS / "colour-on-a-terminal-only"
    colour, plain = (
        (folder / name).read_text(encoding="utf-8") for name in ("colour.txt", "asked-not-to.txt")
    )
    assert colour != plain == COLOUR.sub("", colour)


@files("json.json")
def test_json_keeps_to_its_schema(file: Path) -> None:
    assert judge(schema())(gate.load(file.read_bytes()))


@files("github.txt")
def test_github_reads_one_command_a_line(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    assert all(COMMAND.fullmatch(line) for line in lines)
    for level in ("error", "warning", "notice"):
        assert sum(line.startswith(f"::{level} ") for line in lines) <= 10
