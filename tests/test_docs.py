"""Every block of shell and Python in the documentation runs, and prints what it is shown to."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.blocks import Block, blocks, commands, given
from tests.scratch import ROOT, Repository

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
RUN = ("sh", "console", "python")
SHOWN = ("yaml", "json", "diff", "toml", "text", "")
"""languages that are looked at, and not run"""
LEFT_OUT = "[…]"
"""a line of a transcript that stands for any number of lines"""
TESTS = "".join(
    (ROOT / "tests" / name).read_text(encoding="utf-8")
    for name in ("test_readme.py", "test_git.py")
)
BLOCKS = [block for page in PAGES for block in blocks(page)]


def place(block: Block) -> str:
    return f"{block.page.relative_to(ROOT)}:{block.line}"


@pytest.fixture
def scratch(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(block.language in RUN for block in blocks(page))],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_blocks_run_one_after_the_other(page: Path, scratch: Repository) -> None:
    for name, file in given(page):
        target = scratch.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / file).is_dir() else shutil.copy
        copy(ROOT / file, target)
    for block in blocks(page):
        if block.language in RUN and not block.skipped and not block.name:
            RUNNERS[block.language](block, scratch)


IN_ONE_SHELL = 'cd "$(cat "$HOME/.here" 2> /dev/null || pwd)"; trap \'pwd > "$HOME/.here"\' EXIT\n'
"""Where one block leaves off, the next goes on."""


def _shell(block: Block, scratch: Repository) -> None:
    done = scratch.done(IN_ONE_SHELL + block.text)
    assert done.returncode == block.exits, f"{place(block)}\n{done.stdout}{done.stderr}"


def _python(block: Block, scratch: Repository) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _claimed(block.text)],
        cwd=scratch.folder,
        env=scratch.environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{place(block)}\n{done.stderr}"


def _claimed(text: str) -> str:
    """The code, where a value in the comment after an expression is claimed to be its value."""
    return re.sub(r"^(\S.*?)  # (\S[^:\n]*)(.*)$", _claim, text, flags=re.MULTILINE)


def _claim(found: re.Match[str]) -> str:
    try:
        value = ast.literal_eval(found[2])
        ast.parse(found[1], mode="eval")
    except (ValueError, SyntaxError):
        return found[0]
    return f"assert ({found[1]}) == {value!r}"


def _transcript(block: Block, scratch: Repository) -> None:
    code = 0
    for command, shown in commands(block.text):
        done = scratch.done(f"exec 2>&1; {IN_ONE_SHELL}{command}")
        code = done.returncode
        assert _fits(done.stdout.splitlines(), shown), f"{place(block)}\n$ {command}\n{done.stdout}"
    assert code == block.exits, place(block)


def _fits(printed: list[str], shown: list[str]) -> bool:
    """Are these the lines that are shown, where some may be left out?"""
    pattern = "".join(r"(.*\n)*" if line == LEFT_OUT else f"{re.escape(line)}\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


RUNNERS = {"sh": _shell, "python": _python, "console": _transcript}


@pytest.mark.parametrize("block", BLOCKS, ids=place)
def test_each_block_is_run_or_says_why_not(block: Block) -> None:
    assert block.language in RUN + SHOWN
    if block.name:
        assert f'"{block.name}"' in TESTS
    if block.skipped:
        assert len(block.said.removeprefix("skip:").split()) >= 3
