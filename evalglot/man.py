"""What do the manual pages say? All that `--help` does, and its examples.

In 80 columns: what is longer there is broken where a reader of a shell's lines expects it.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence

import click

HEADS = {"Examples:": "EXAMPLES", "Exit codes:": "EXIT STATUS"}
"""Which paragraphs at the end of a help are sections of their own?"""

ROOM = 72
"""columns of a line that is kept as it is"""


def pages(name: str, command: click.Command, version: str) -> Mapping[str, str]:
    """What does each page say, by its file's name? One for the command, and for each below it."""
    return dict(_pages(_context(name, command), version))


def _context(
    name: str, command: click.Command, parent: click.Context | None = None
) -> click.Context:
    settings = command.context_settings
    return click.Context(command, info_name=name, parent=parent, **settings)


def _pages(context: click.Context, version: str) -> Iterator[tuple[str, str]]:
    yield f"{_title(context)}.1", "\n".join(_page(context, version)) + "\n"
    for name, command in _below(context):
        yield from _pages(_context(name, command, context), version)


def _below(context: click.Context) -> Iterator[tuple[str, click.Command]]:
    group = context.command
    if isinstance(group, click.Group):
        for name in group.list_commands(context):
            if command := group.get_command(context, name):
                yield name, command


def _title(context: click.Context) -> str:
    return context.command_path.replace(" ", "-")


def _page(context: click.Context, version: str) -> Iterator[str]:
    command, title = context.command, _title(context)
    yield f'.TH "{_said(title.upper())}" "1" "" "evalglot {_said(version)}" "evalglot"'
    yield ".SH NAME"
    yield _said(f"{title} - {command.get_short_help_str(200).rstrip('.')}").replace(" - ", r" \- ")
    yield from (".SH SYNOPSIS", f".B {_said(context.command_path)}")
    yield _said(" ".join(command.collect_usage_pieces(context)))
    yield ".SH DESCRIPTION"
    yield from _paragraphs(inspect.cleandoc(command.help or ""))
    yield from _options(context)
    yield from _commands(context)
    yield from _epilog(command.epilog or "")
    yield from _also(context)


def _options(context: click.Context) -> Iterator[str]:
    yield ".SH OPTIONS"
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record:
            name, said = record
            yield from (".TP", f".B {_said(name)}", _said(said))


def _commands(context: click.Context) -> Iterator[str]:
    below = [*_below(context)]
    if below:
        yield ".SH COMMANDS"
    for name, command in below:
        yield from (".TP", rf"\fB{_said(_title(context))}\-{_said(name)}\fR(1)")
        yield _said(command.get_short_help_str(200))


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(re.split(r"\n\s*\n", text.strip())):
        if number:
            yield ".PP"
        yield _said(" ".join(paragraph.split()))


def _epilog(text: str) -> Iterator[str]:
    """The paragraphs of an epilog: each is a head, and lines that are kept as they are."""
    for paragraph in re.split(r"\n\s*\n", text.replace("\b", "").strip()):
        head, *lines = textwrap.dedent(paragraph.strip("\n")).splitlines() or [""]
        section = HEADS.get(head.replace(" of every command:", ":"), "NOTES")
        yield f".SH {section}"
        if section == "NOTES":
            yield _said(head)
        if section == "EXIT STATUS":
            yield from _statuses(lines)
        elif lines:
            yield from (".nf", *map(_said, _broken(lines)), ".fi")


def _statuses(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        code, _, said = line.strip().partition("  ")
        yield from (".TP", f".B {_said(code)}", _said(said.strip()))


def _broken(lines: Sequence[str]) -> Iterator[str]:
    """The lines, none longer than there is room for: a remark goes below what it is about."""
    for line in lines:
        told = line.strip()
        if len(told) <= ROOM:
            yield told
            continue
        shown, _, remark = re.sub(r"\s{2,}(?=\S+( \S+)*$)", "\0", told).partition("\0")
        yield from textwrap.wrap(shown, ROOM, subsequent_indent="    ", break_on_hyphens=False)
        if remark:
            yield f"    {remark}"


def _also(context: click.Context) -> Iterator[str]:
    if context.parent:
        yield from (".SH SEE ALSO", rf"\fB{_said(_title(context.parent))}\fR(1)")


def _said(text: str) -> str:
    """The text as troff reads it: nothing in it is a request, an escape or a broken option."""
    plain = text.replace("\\", r"\e").replace("-", r"\-").replace("`", r"\`").replace("'", r"\(aq")
    return re.sub(r"^(?=[.'])", r"\\&", plain.replace("…", "..."))
