"""How is told, in 80 columns, what a new version changes, and what is left to do?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from registry.adding import Added, Reading
from registry.comparison import as_text
from registry.reports.harmless import harmless
from registry.reports.paths import relative

WIDTH = 80

_TOLD = {
    "ok": "all of them stay valid",
    "undecided": "no schema can tell whether all stay valid",
    "breaks": "some become invalid",
}


def text(added: Added) -> str:
    """Which lines tell it? None of what was found; that is a report of its own."""
    return "\n".join(_lines(added)) + "\n"


def _lines(added: Added) -> Iterator[str]:
    after = f" after {added.predecessor}" if added.predecessor else ", the first of its format"
    yield f"{added.ref}: a draft{after}; promise: {added.promise}"
    for reading in added.readings:
        yield from _reading(reading)
    if added.since and added.predecessor:
        yield ""
        yield from as_text(added.since, added.predecessor, added.ref).splitlines()
    yield from _list("Written:", [relative(str(path)) for path in added.written])
    if added.written:
        yield from _list("Still to do, in its fixtures:", added.missing)


def _reading(one: Reading) -> Iterator[str]:
    who = f"who reads files of {one.files} by {one.by} ({one.direction}): {_TOLD[one.verdict]}"
    yield from _wrapped(who)
    if one.refused:
        shown = ", ".join(one.refused[:3]) + (", …" if len(one.refused) > 3 else "")
        count = f"{len(one.refused)} of {one.samples} sample files are refused"
        yield from _wrapped(f"{count}: {shown}", "    ")


def _list(head: str, entries: Sequence[str]) -> Iterator[str]:
    if entries:
        yield ""
        yield head
        for entry in entries:
            yield from _wrapped(entry)


def _wrapped(said: str, indent: str = "  ") -> list[str]:
    return wrap(
        harmless(said),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
    )


def _breaks_promise(added: Added) -> bool:
    found = (finding for file in added.report.files for finding in file.findings)
    return any(finding.rule.startswith("compat/") for finding in found)


def outcome(added: Added) -> str:
    """What came out, in one line?"""
    errors = added.report.having("error")
    if errors:
        said = f"{errors} error{'s'[: errors != 1]}; nothing was written"
        return f"{said}; --compat none would promise less" if _breaks_promise(added) else said
    if not added.written:
        return f"{added.ref} could be added; nothing was written"
    return f"{added.ref} is a draft now; wrote {len(added.written)} files"
