"""The umbrella command: `evalglot convert`, for people who have another `convert` on their PATH."""

from __future__ import annotations

import click

from registry.lazy import LazyGroup

COMMANDS = {
    "cases": "diffruns.cases:cases",
    "convert": "converter.cli:convert",
    "diff": "diffruns.cli:diffruns",
    "registry": "registry.cli:registry",
    "report": "evalglot.report.command:report",
    "roundtrip": "converter.roundtrip:roundtrip",
    "rules": "registry.commands.rules:rules",
    "validate": "registry.commands.validate:validate",
    "verify": "converter.verifying:verify",
}

GENERATORS = ("converter.generate",)
"""What, besides the registry itself, writes files that `registry check` wants to be fresh?"""


@click.group(
    cls=LazyGroup,
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "obj": GENERATORS},
)
@click.version_option(package_name="evalglot")
def evalglot() -> None:
    """Check and convert the result files of AI-evaluation tools."""


def main() -> None:
    """Run `evalglot`."""
    from registry import ending

    ending.run(evalglot)
