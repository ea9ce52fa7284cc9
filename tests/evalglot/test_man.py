"""The manual pages: fresh, and read by groff without a warning, in 80 columns."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import click
import pytest

from evalglot import generate
from evalglot.man import pages

PAGES = sorted(generate.FOLDER.glob("*.1"))
GROFF = shutil.which("groff")
needs_groff = pytest.mark.skipif(GROFF is None, reason="groff is not installed")


def test_pages_are_fresh() -> None:
    assert generate.stale(generate.FOLDER) == [], "run `python -m evalglot.generate`"


def test_there_is_a_page_for_every_command() -> None:
    names = {path.stem for path in PAGES}
    assert {"evalglot", "diffruns", "evalglot-gate", "evalglot-registry-show"} <= names


def shown(text: str, tmp_path: Path) -> list[str]:
    """Which lines does groff make of a page, in 80 columns and without a word about it?"""
    (tmp_path / "page.1").write_text(text, encoding="utf-8")
    command = [str(GROFF), "-man", "-K", "utf8", "-T", "utf8", "-ww", "-rLL=80n", "-P-cbou"]
    done = subprocess.run(
        [*command, tmp_path / "page.1"], check=True, capture_output=True, encoding="utf-8"
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@needs_groff
@pytest.mark.parametrize("path", PAGES, ids=[path.stem for path in PAGES])
def test_page_fits_80_columns(path: Path, tmp_path: Path) -> None:
    lines = shown(path.read_text(encoding="utf-8"), tmp_path)
    assert [line for line in lines if len(line) > 80] == []
    heads = [line for line in lines if line and not line.startswith(" ")]
    assert heads[1:4] == ["NAME", "SYNOPSIS", "DESCRIPTION"]
    assert "EXAMPLES" in heads


@click.command(epilog="\b\nExamples:\n  tool '.x' \\n   with a remark\n")
@click.option("--a-b", help=".Dots and 'quotes' and \\fBslashes.")
def odd(a_b: str) -> None:
    """.What starts with a dot.

    'Or a quote, and a \\fBbackslash.
    """


@needs_groff
def test_nothing_in_a_help_is_read_as_troff(tmp_path: Path) -> None:
    lines = "\n".join(shown(pages("tool", odd, "1")["tool.1"], tmp_path))
    for text in (
        ".What starts with a dot.",
        "'Or a quote, and a \\fBbackslash.",
        "--a-b",
        "'.x' \\n",
    ):
        assert text in lines
