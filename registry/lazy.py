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
