"""A group of commands, each of which is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """Subcommands by name, each a `module:attribute`."""

    def __init__(self, *arguments: Any, commands: Mapping[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.homes = commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Which subcommands are there?"""
        return sorted(self.homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Which command has this name? None if there is none."""
        if cmd_name not in self.homes:
            return None
        module, _, name = self.homes[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Which command do these words ask for? Raises UsageError, with one that is near."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from registry.choosing import near

            hint = near(args[0], self.homes) or f"There are {', '.join(self.list_commands(ctx))}."
            raise click.UsageError(f"{error.message} {hint}", ctx) from None
