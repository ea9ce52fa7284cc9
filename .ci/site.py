"""What is done to pages on their way to the site: those that stand at the repository's root."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ELSEWHERE = {"contributing.md": "CONTRIBUTING.md"}
"""Which pages stand elsewhere, where people look for them?"""


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Which Markdown is a page made of?"""
    home = ELSEWHERE.get(page.file.src_uri)
    if home is None:
        return markdown
    text = (ROOT / home).read_text(encoding="utf-8")
    return _lists(re.sub(r"^ *<!--.*-->\n", "", text, flags=re.MULTILINE)).replace("(docs/", "(")


def _lists(text: str) -> str:
    """The same, as this parser wants lists: indented by four, each item after an empty line."""
    apart = re.sub(r"^(?=\d+\. )", "\n", text, flags=re.MULTILINE)
    begun = re.sub(r"^(?!   (?:\*| {2}))(.*\S)\n(?=   \* )", r"\1\n\n", apart, flags=re.MULTILINE)
    return re.sub(r"^   (?=\S| {2}\S)", "    ", begun, flags=re.MULTILINE)
