"""What does a static site of the schemas hold, so that editors and validators find them there?

Every schema stands at the path of its `$id`: urn:evalglot:cbl:4 at cbl/4/schema.json. Beside
them are `catalog.json`, in the shape of SchemaStore's, and a page for people.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from urllib.parse import quote

from registry.catalog import Format
from registry.gate import dump
from registry.library import Held, Library
from registry.values import JSON

CATALOG = "catalog.json"
PAGE = "index.html"
SHAPE = "https://json.schemastore.org/schema-catalog.json"


def files(held: Library, base: str | None) -> dict[str, bytes]:
    """What is in each file of the site? With `base`, addresses are absolute."""
    return {
        **{path(one): _spelled(_schema(held, one, base)) for one in held.all},
        CATALOG: _spelled(_catalog(held, base)),
        PAGE: _page(held, base).encode("utf-8", "backslashreplace"),
    }


def path(one: Held) -> str:
    """Where on the site is a schema?"""
    return f"{one.format}/{one.version}/schema.json"


def _address(one: Held, base: str | None) -> str:
    return f"{base}/{quote(path(one))}" if base else path(one)


def _spelled(value: JSON) -> bytes:
    return dump(value, indent=2) + b"\n"


def _schema(held: Library, one: Held, base: str | None) -> JSON:
    schema = held.sound(one)
    return {**schema, "$id": _address(one, base)} if base else schema


def _by_format(held: Library) -> Iterator[list[Held]]:
    """Which versions has each format, oldest first?"""
    for _, versions in groupby(held.all, key=lambda one: one.format):
        yield list(versions)


def _catalog(held: Library, base: str | None) -> JSON:
    """Which schemas are there for which files, in SchemaStore's words?"""
    described = {format_.id: format_ for format_ in held.catalog.formats}
    return {
        "$schema": SHAPE,
        "version": 1,
        "schemas": [
            {
                **_named(held, versions[-1], described.get(versions[-1].format)),
                "url": _address(versions[-1], base),
                "versions": {one.version: _address(one, base) for one in versions},
            }
            for versions in _by_format(held)
        ],
    }


def _named(held: Library, newest: Held, described: Format | None) -> JSON:
    """How is a format called, and which names have its files?"""
    files = [f"*.{newest.format}.json", *(described.files if described else ())]
    if described is None:
        schema = held.schema(newest)
        return {
            "name": newest.format,
            "description": schema.get("description", ""),
            "fileMatch": files,
        }
    return {"name": described.title, "description": described.summary, "fileMatch": files}


STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #666; --link: #0645ad }
@media (prefers-color-scheme: dark) { :root { --soft: #aaa; --link: #8ab4f8 } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem;
  background: Canvas; color: CanvasText }
a { color: var(--link) }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0;
  border-bottom: 1px solid var(--line) }
h2 { margin: 2rem 0 0; font-size: 1.15rem }
p { margin: .25rem 0 .75rem; color: var(--soft) }
pre { padding: .75rem; border: 1px solid var(--line); overflow-x: auto }
"""


def _page(held: Library, base: str | None) -> str:
    """Which page shows all of it? It loads nothing and runs nothing."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta http-equiv="Content-Security-Policy"'
            " content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            "<title>Schemas of evaluation results</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            "<h1>Schemas of evaluation results</h1>",
            "<p>JSON Schema, draft-07, of what each tool writes.",
            f'<a href="{CATALOG}">{CATALOG}</a> names them all, as SchemaStore does.</p>',
            f"<pre>{escape(_example(held, base))}</pre>",
            *(line for versions in _by_format(held) for line in _section(held, versions)),
            "</body>",
            "</html>",
            "",
        ]
    )


def _example(held: Library, base: str | None) -> str:
    newest = held.versions[-1] if held.versions else held.all[-1]
    return f"check-jsonschema --schemafile {_address(newest, base or 'URL')} results.json"


def _section(held: Library, versions: Sequence[Held]) -> Iterator[str]:
    newest = versions[-1]
    described = {format_.id: format_ for format_ in held.catalog.formats}.get(newest.format)
    said = _named(held, newest, described)
    yield f'<h2 id="{escape(newest.format)}">{escape(said["name"])}</h2>'
    yield f"<p>{escape(said['description'])} {_home(described)}</p>"
    yield "<table>"
    yield "<thead><tr><th>version</th><th>status</th><th>says</th></tr></thead>"
    yield "<tbody>"
    for one in reversed(versions):
        title = held.schema(one).get("description", "")
        status = f"{one.status} {one.released or ''}".strip()
        yield (
            f'<tr><td><a href="{escape(quote(path(one)))}">{escape(one.ref)}</a></td>'
            f"<td>{escape(status)}</td><td>{escape(title)}</td></tr>"
        )
    yield "</tbody>"
    yield "</table>"


def _home(described: Format | None) -> str:
    """The link to a tool's page, where it is a web address."""
    if described is None or not described.homepage.startswith(("https://", "http://")):
        return ""
    return f'<a href="{escape(described.homepage)}">{escape(described.homepage)}</a>'
