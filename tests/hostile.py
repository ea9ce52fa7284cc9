"""Texts that act where they are not neutralised: in a terminal, a page, a comment, a log."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

from registry import catalog
from registry.engine import judge

PAGE = {
    "closing": "</script><script>window.hit=1</script>",
    "comment": "<!--<script>window.hit=1",
    "image": "<img src=https://example.invalid/x onerror=window.hit=1>",
    "attribute": '" onmouseover="window.hit=1" x=\'',
    "style": "</style><style>*{display:none}</style>",
    "policy": "<meta http-equiv=refresh content='0;url=https://example.invalid/'>",
    "entity": "&lt;img src=x onerror=window.hit=1&gt;&#x3c;",
    "bidi": "safe \u202e elif eht \u2066 \u200f",
    "ansi": "\x1b[31mred\x1b[0m \x1b]8;;https://example.invalid\x07link\x1b]8;;\x07",
    "separators": "one \u2028 two \u2029 three",
    "surrogate": "half \ud83d a pair",
    "tags": "hidden \U000e0041\U000e0042",
    "prototype": "__proto__",
    "template": "{{data}} ${window.hit=1} {{script}}",
    "script": "javascript:window.hit=1",
}

ELSEWHERE = {
    "command": "::set-output name=a::b",
    "command after a line": "x\n::error file=a::b\r\n::stop-commands::x",
    "group": "##[error]x ##vso[task.setvariable variable=a]b",
    "escaped line": "a%0A::warning::b%0D",
    "c1 controls": "\x7f\x9b31m\x9d0;title\x9c\x90\x85",
    "not in xml": "]]> \x00 \x0b \ufffe \uffff <![CDATA[x]]>",
    "doctype": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>&a;',
    "instruction": "<?xml-stylesheet href='https://example.invalid'?>",
    "markdown": "[a](javascript:hit) ![b](https://example.invalid/x.png) <https://example.invalid>",
    "markdown block": "# a\n\n> b\n\n```\n---\n- c | d\n\n    e",
    "cell": "`a` | b | \\| `` c",
    "mention": "@everyone #1 GH-2 https://example.invalid www.example.invalid $x$",
    "reference": "[a]: https://example.invalid\n[a] [b][a] {0} {a}",
    "details": "</summary></details><details open><summary>",
    "formula": "=cmd|'/C calc'!A0",
    "address": "data:text/html,<script>window.hit=1</script>",
}

TEXTS = {**PAGE, **ELSEWHERE}

UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\ufff9-\uffff\U000e0000-\U000e007f]"
)
"""What is not seen, or turns text around, in a page: it has tabs, and emoji joined by U+200D."""

ACTIVE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\ufff9-\uffff\U000e0000-\U000e007f]|##\\[|##vso"
)
"""What acts in a terminal, a log or a comment."""


def filled(document: Any, ref: str, turn: int) -> Any:
    """The document with a hostile text, one after the other, wherever its schema lets one be."""
    fits = judge(catalog.parse_ref(ref).schema)
    made = copy.deepcopy(document)
    texts = [*TEXTS.values()]
    for number, (parent, key) in enumerate([*_leaves(made, str)]):
        before = parent[key]
        parent[key] = texts[(number + turn) % len(texts)]
        if not fits(made):
            parent[key] = before
    return made


def turned(document: Any, ref: str) -> Any:
    """The same document with other verdicts, wherever its schema lets them be."""
    fits = judge(catalog.parse_ref(ref).schema)
    made = copy.deepcopy(document)
    for parent, key in [*_leaves(made, bool)]:
        parent[key] = not parent[key]
        if not fits(made):
            parent[key] = not parent[key]
    return made


def _leaves(value: Any, kind: type) -> Iterator[tuple[Any, Any]]:
    """Where are values of this kind?"""
    for key, held in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(held, kind):
            yield value, key
        elif isinstance(held, dict | list):
            yield from _leaves(held, kind)
