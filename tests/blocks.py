"""The blocks of code in a page, and what a page says about running them.

A comment before a block says what is not seen in it:

    <!-- skip: REASON -->             it is not run, and why
    <!-- exits: CODE -->              its last command ends with this code
    <!-- NAME -->                     a test of its own runs it, by this name

and anywhere in a page `<!-- given: NAME = FILE -->` is a file, or folder, of this repository that
stands under that name where the blocks are run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

COMMENT = re.compile(r"<!--\s*(.*?)\s*-->", re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One block of code: its language, its text, and what the comment before it says."""

    page: Path
    line: int
    language: str
    text: str
    said: str

    @property
    def skipped(self) -> bool:
        return self.said.startswith("skip:")

    @property
    def name(self) -> str:
        """By which name does a test of its own find it? "" if none does."""
        return self.said if re.fullmatch(r"[a-z]+", self.said) else ""

    @property
    def exits(self) -> int:
        return int(self.said.removeprefix("exits:")) if self.said.startswith("exits:") else 0


def blocks(page: Path) -> Iterator[Block]:
    """Which blocks of code has a page?"""
    before = ""
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        if token.type == "html_block":
            before = token.content
        elif token.type == "fence":
            said = COMMENT.findall(before)
            line = (token.map or [0])[0] + 1
            yield Block(page, line, token.info, token.content, said[-1] if said else "")
            before = ""
        elif token.type != "list_item_open":
            before = ""


def given(page: Path) -> Iterator[tuple[str, str]]:
    """Which files are there when a page's blocks are run: by which name, and which file?"""
    for said in COMMENT.findall(page.read_text(encoding="utf-8")):
        if said.startswith("given:"):
            name, _, file = said.removeprefix("given:").partition("=")
            yield name.strip(), file.strip()


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Which commands does a transcript show, each with the lines that it prints?"""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *printed = part.splitlines()
        yield command, printed
