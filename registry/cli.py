"""`evalglot registry`: look at the shelves, and keep them."""

from __future__ import annotations

import click

from registry.lazy import LazyGroup

NAMES = ("add", "check", "diff", "infer", "lint", "list", "publish", "show")
COMMANDS = {
    name: f"registry.commands.{name}:{'list_' if name == 'list' else name}" for name in NAMES
}


@click.group(
    cls=LazyGroup,
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def registry() -> None:
    """Look at the schemas of result formats, check them, and add to them."""
