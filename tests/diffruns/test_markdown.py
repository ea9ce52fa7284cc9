"""Markdown for a pull request: whatever files say, a reader of Markdown acts on none of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from converter.runs import run_file
from diffruns.compare import Comparison, compare
from diffruns.options import Options
from diffruns.renderers import View, markdown, words
from diffruns.sides import Side, side
from registry.reports.harmless import harmless
from tests.converter import samples
from tests.diffruns import golden

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = re.compile(r"<details( open)?><summary>[\w ,:^@'+-]+</summary>\n?|</details>\n?", re.ASCII)
LEADING = re.compile(r"https?:|www\.|\S@\S+\.|(?<!\w)@\w|#\d|GH-\d|\$")
"""What GitHub makes a link, a mention, a reference or a formula of, in text that is no code."""
AWKWARD = st.text(
    st.sampled_from("`|\\ \n\r\t*_[]()<>!#@$~&;:-+ax1\x1b\u202e\ud83d\U0001f9ea") | st.characters(),
    max_size=40,
)


def tokens(text: str) -> Iterator[Token]:
    for token in PARSER.parse(text):
        yield token
        yield from token.children or ()


def acts_on_nothing(text: str) -> None:
    """No link, no picture, no HTML but ours, and nothing in the text that GitHub would link."""
    for token in tokens(text):
        assert token.type not in ("link_open", "image", "html_inline", "fence", "code_block")
        assert token.type not in ("s_open", "em_open", "blockquote_open", "hr")
        if token.type == "html_block":
            assert OURS.fullmatch(token.content)
        if token.type == "text":
            assert not LEADING.search(token.content)


@pytest.mark.parametrize(
    "file", sorted(golden.BEHAVIOURS.glob("*/*.md")), ids=lambda file: file.parent.name
)
def test_a_comment_acts_on_nothing(file: Path) -> None:
    told = file.read_text(encoding="utf-8")
    acts_on_nothing(told)
    assert told.startswith("### ")
    parsed = [token.type for token in tokens(told)]
    assert parsed.count("table_open") >= 2
    assert told.count("<details") == told.count("</details>\n")


@given(AWKWARD, AWKWARD)
def test_a_cell_holds_its_text_and_nothing_else(one: str, other: str) -> None:
    told = "| a | b |\n| :-- | --: |\n" + f"| {markdown.code(one)} | {markdown.code(other)} |\n"
    acts_on_nothing(told)
    cells = [token.content for token in tokens(told) if token.type == "code_inline"]
    assert cells == [readable(one), readable(other)]


def readable(text: str) -> str:
    """What a reader sees of a text."""
    seen = words.shortened(words.seen(harmless(text)), markdown.LONGEST)
    return seen.replace("\\|", "\\\\u007c")


@given(AWKWARD)
def test_our_own_words_are_only_words(text: str) -> None:
    told = markdown.plain(f"a {text}")
    assert not {token.type for token in tokens(told)} & {"link_open", "image", "html_inline"}


def run(name: str) -> Side:
    path = next(one for one in samples.valid() if samples.name(one) == name)
    return side(run_file(samples.staged(path)), "", "")


def many(count: int, text: str) -> Comparison:
    """A comparison in which this many cases of this name broke, and as many checks, and values."""
    one = run("promptfoo@3/typical.json")
    comparison = compare(one, one, Options(by=("tag", "target")))
    report = comparison.report
    row = msgspec.structs.replace(report.cases[0], id=text, bucket="broke", target=text)
    modes = [report.failure_modes[0]] if report.failure_modes else []
    changed = msgspec.structs.replace(
        report,
        cases=(row,) * count,
        buckets={**report.buckets, "broke": count},
        by={name: groups * count for name, groups in report.by.items()},
        failure_modes=tuple(
            msgspec.structs.replace(mode, check=text, change="appeared") for mode in modes * count
        ),
    )
    return Comparison(changed, comparison.pairs, one, one, comparison.options)


@pytest.mark.parametrize("rows", [40, None])
@pytest.mark.parametrize("text", ["x", "`|" * 200, "\U0001f9ea" * 200, "\x1b" * 200])
@pytest.mark.parametrize("count", [1, 400, 20_000])
def test_a_comment_is_never_longer_than_github_takes(
    count: int, text: str, rows: int | None
) -> None:
    told = markdown.render(many(count, text), View(rows=rows)).decode()
    assert len(told) <= markdown.LIMIT
    acts_on_nothing(told)
    shown = len(re.findall("passed → passed|failed → |passed → ", told))
    assert (f"+{count:,} more" in told or re.search(r"\n\+[\d,]+ more\n", told)) or shown <= count
    if count == 20_000:
        assert re.search(r"^\+[\d,]+ more$", told, re.MULTILINE)
