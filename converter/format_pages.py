"""Which pages of the documentation tell what the registry knows of each format?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from registry import catalog, lock
from registry.catalog import Format, Rule, Version
from registry.fields import Field, fields
from registry.rules import RULES
from registry.shelves import versions_root

NOTE = "Written by `python -m converter.generate`; do not edit."
OWN = "evalglot-"
"""what the names of our own outputs' schemas begin with"""


def format_pages(tools: Path) -> Mapping[str, str]:
    """What does each page say, by its path in docs/? `tools` is the folder of how-tos by format."""
    formats = catalog.formats()
    told = {f"formats/{one.id}.md": _joined(_format(one, tools)) for one in formats}
    return {"formats/index.md": _joined(_index(formats)), **told, "outputs.md": _joined(_outputs())}


def _joined(lines: Iterator[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"


def _index(formats: Sequence[Format]) -> Iterator[str]:
    yield f"# Formats and versions\n\n{NOTE}\n"
    yield "| format | versions | what it is |\n|---|---|---|"
    for one in formats:
        versions = ", ".join(shelf.version for shelf in one.versions)
        yield f"| [`{one.id}`]({one.id}.md) | {versions} | {one.summary} |"
    yield "\n[Loss matrix](../loss-matrix.md) shows what each can say of the others,"
    yield "[Rules](../rules.md) what files are held to beyond their shape."


def _format(one: Format, tools: Path) -> Iterator[str]:
    yield f"# {one.title}\n\n{NOTE}\n"
    yield f"`{one.id}`: {one.summary} [{one.homepage}]({one.homepage})\n"
    if (tools / f"{one.id}.md").is_file():
        yield f"How to use such files: [{one.title}](../tools/{one.id}.md).\n"
    yield from _facts(one)
    yield from _versions(one)
    yield from _rules(one)
    yield from _fields(Version(one.id, one.newest.version))
    yield from _history(one)


def _facts(one: Format) -> Iterator[str]:
    nonfinite = "accepted: the tool writes them" if one.nonfinite else "refused, unless asked for"
    yield f"* What tells a case in every run: {one.case_key.removesuffix('.')}."
    run, record = _code(one.slot.run), _code(one.slot.record)
    yield f"* What others carry stands at {run} of the run, and {record} of each record."
    yield f"* NaN and infinities are {nonfinite} (`--nonfinite`)."
    yield f"* What a version promises to the one before: {one.compat}.\n"


def _versions(one: Format) -> Iterator[str]:
    locked = lock.read()
    yield "## Versions\n\n| version | status | what it is | told by |\n|---|---|---|---|"
    for shelf in reversed(one.versions):
        version = Version(one.id, shelf.version)
        entry = locked[version.ref]
        status = f"released {entry.released}" if entry.released else entry.status
        said = _cell(version.schema.get("description", ""))
        yield f"| `{version.ref}` | {status} | {said} | {_cell('; '.join(_told(shelf.detect)))} |"
    yield ""


def _told(rule: Rule, of: str = "") -> Iterator[str]:
    """By what is a version told, in words?"""
    for word, pointers in (("has", rule.has), ("has not", rule.lacks), ("has one of", rule.any)):
        if pointers:
            yield f"{of}{word} {', '.join(map(_code, pointers))}"
    for pointer, kind in rule.types.items():
        yield (
            f"{of}{_code(pointer)} is an {kind}"
            if kind[0] in "aoi"
            else (f"{of}{_code(pointer)} is a {kind}")
        )
    for pointer, value in rule.equals.items():
        yield f"{of}{_code(pointer)} is {_code(json.dumps(value))}"
    if rule.first:
        yield from _told(rule.first, "the first record ")


def _rules(one: Format) -> Iterator[str]:
    held = [rule for rule in RULES if rule.format == one.id]
    if held:
        yield "## Rules beyond shape\n\n| rule | what is true |\n|---|---|"
        yield from (f"| `{rule.id}` | {_cell(rule.sentence)} |" for rule in held)
        yield ""


STARS = """`*` is every entry of a list, and every field without a name of its own. Required: of the
object around it; *some*: in some of its forms.
"""


def _fields(version: Version) -> Iterator[str]:
    yield f"## Fields of {version.ref}\n"
    yield STARS
    yield from _table(fields(version.schema))
    schema = f"versions/{version.format}/{version.version}/schema.json"
    yield f"\n`evalglot registry show {version.ref}` prints this; the schema is `{schema}`.\n"


def _table(held: Sequence[Field]) -> Iterator[str]:
    yield "| field | type | required | |\n|---|---|---|---|"
    for one in held:
        kinds = ", ".join(sorted(one.types, key="null".__eq__)) or "any"
        allowed = _code(one.allowed) if one.allowed else ""
        said = ". ".join(filter(None, [allowed, _cell(one.description)]))
        yield f"| {_code(one.pointer)} | {kinds} | {one.required} | {said} |"


def _history(one: Format) -> Iterator[str]:
    path = versions_root() / one.id / "CHANGELOG.md"
    if path.is_file():
        _, _, told = path.read_text(encoding="utf-8").partition("\n")
        yield "## Which releases write which version"
        yield re.sub("^## ", "### ", told, flags=re.MULTILINE)


OUTPUTS = """# JSON outputs

What programs may build upon. Each report in JSON names its schema in `$schema`, as
`urn:evalglot:NAME:VERSION`, and keeps to it. A released schema is never edited: what is new comes
in a new version. [What is public](stability.md) says what else is promised.

"""


def _outputs() -> Iterator[str]:
    yield f"{OUTPUTS}{NOTE}\n"
    yield "| schema | what it is |\n|---|---|"
    own = [ref for ref in lock.read() if ref.startswith(OWN)]
    for ref in own:
        id_, _, version = ref.partition("@")
        said = _cell(Version(id_, version).schema.get("description", ""))
        yield f"| [`{ref}`](#{id_}-{version.replace('.', '')}) | {said} |"
    for ref in own:
        id_, _, version = ref.partition("@")
        yield f"\n## {id_} {version}\n"
        yield from _table(fields(Version(id_, version).schema))


def _cell(text: str) -> str:
    """Our own words in a table."""
    return " ".join(text.replace("|", "\\|").split())


def _code(text: str) -> str:
    """A pointer or a value in a table, as code."""
    return f"`{text.replace('|', chr(92) + '|')}`"
