"""The umbrella command: `evalglot convert`, for people who have another `convert` on their PATH."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "convert": "converter.cli:convert",
    "roundtrip": "converter.roundtrip:roundtrip",
    "validate": "registry.commands.validate:validate",
}


class LazyGroup(click.Group):
    """Subcommands that are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Which subcommands are there?"""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Which command has this name? None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="evalglot")
def evalglot() -> None:
    """Check and convert the result files of AI-evaluation tools."""


def main() -> None:
    """Run `evalglot`."""
    evalglot()
