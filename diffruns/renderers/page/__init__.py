"""One self-contained page: no asset from elsewhere, nothing that a file says can act in it.

What is fixed is written here, as HTML and SVG: it needs no script, and prints. The list of cases
is built by the page's script from data that stand in it; see `data`.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from diffruns.renderers.page.data import Data
from diffruns.renderers.page.markup import Markup, tag, together
from registry.reports.harmless import harmless_json

_ACTIVE = re.compile(rb"[<>&]|\xe2\x80[\xa8\xa9]")
_ESCAPES = {
    b"<": b"\\u003c",
    b">": b"\\u003e",
    b"&": b"\\u0026",
    b"\xe2\x80\xa8": b"\\u2028",
    b"\xe2\x80\xa9": b"\\u2029",
}


class Section(NamedTuple):
    """One part of the page, under a heading; `id` is its name in the address."""

    id: str
    heading: str
    content: Markup


def page(title: str, head: Markup, sections: Sequence[Section], data: Data) -> bytes:
    """Which bytes are the page?"""
    parts = {
        "policy": _policy(),
        "title": tag("title", title),
        "style": Markup(_asset("page.css")),
        "script": Markup(_asset("page.js")),
        "head": head,
        "links": together(tag("a", one.heading, href=f"#{one.id}") for one in sections),
        "sections": together(map(_section, sections)),
    }
    before, _, after = _asset("page.html").partition("{{data}}")
    return _filled(before, parts) + b"".join(map(_block, data.blocks)) + _filled(after, parts)


@cache
def _asset(name: str) -> str:
    """The file of that name beside this one, its lines ended as a browser counts them."""
    return (files(__package__) / name).read_text("utf-8")


def _policy() -> Markup:
    """What may the page do? Run its own script, take its own style, and nothing else."""
    style, script = (
        b64encode(sha256(_asset(name).encode()).digest()).decode()
        for name in ("page.css", "page.js")
    )
    return tag(
        "meta",
        http_equiv="Content-Security-Policy",
        content="default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src 'sha256-{style}'; script-src 'sha256-{script}'",
    )


def _filled(template: str, parts: dict[str, Markup]) -> bytes:
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template).encode()


def _section(one: Section) -> Markup:
    heading = tag("h2", one.heading, id=f"{one.id}-heading")
    return tag("section", heading, one.content, id=one.id, aria_labelledby=f"{one.id}-heading")


def _block(block: tuple[str, bytes]) -> bytes:
    """Data that no reader of HTML takes for anything else."""
    name, value = block
    harmless = _ACTIVE.sub(lambda found: _ESCAPES[found[0]], harmless_json(value))
    return b'<script type="application/json" id="%s">%s</script>\n' % (name.encode(), harmless)
