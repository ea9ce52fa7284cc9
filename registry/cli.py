"""`evalglot registry`: look at the shelves, and keep them."""

from __future__ import annotations

import click

from registry.lazy import LazyGroup

NAMES = ("add", "check", "diff", "infer", "lint", "list", "publish", "show")
COMMANDS = {
    name: f"registry.commands.{name}:{'list_' if name == 'list' else name}" for name in NAMES
}


EPILOG = """
\b
Examples:
  evalglot registry list                    formats and versions
  evalglot registry show cbl@4              its fields
  evalglot registry diff cbl@3 cbl@4        what changed, and what that breaks
"""


@click.group(
    cls=LazyGroup,
    epilog=EPILOG,
    short_help="Look at schemas, and keep them.",
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def registry() -> None:
    """Look at the schemas of result formats, check them, and add to them."""
