"""The umbrella command: `evalglot convert`, for people who have another `convert` on their PATH."""

from __future__ import annotations

import click

from registry.lazy import LazyGroup

COMMANDS = {
    "cases": "diffruns.cases:cases",
    "collect": "evalglot.dataset.commands.collect:collect",
    "convert": "converter.cli:convert",
    "diff": "diffruns.cli:diffruns",
    "gate": "evalglot.gate.command:gate",
    "new-format": "evalglot.newformat.command:new_format",
    "query": "evalglot.dataset.commands.query:query",
    "registry": "registry.cli:registry",
    "report": "evalglot.report.command:report",
    "roundtrip": "converter.roundtrip:roundtrip",
    "rules": "registry.commands.rules:rules",
    "trend": "evalglot.dataset.commands.trend:trend",
    "validate": "registry.commands.validate:validate",
    "verify": "converter.verifying:verify",
}

GENERATORS = ("converter.generate", "evalglot.dataset.generate")
"""What, besides the registry itself, writes files that `registry check` wants to be fresh?"""


EPILOG = """
\b
Examples:
  evalglot validate run.json                      is this file right?
  evalglot diff a.json b.json                     what changed?
  evalglot convert --to sandtable run.json -o out.json
  evalglot report run.json -o run.html            a page to look at
  evalglot gate --base origin/main results/       may this be merged?

\b
Exit codes of every command:
  0  nothing to report
  1  findings
  2  wrong usage, or a file that can't be read or written
  3  the runs may not be compared
  4  nothing could be assessed
"""


@click.group(
    cls=LazyGroup,
    epilog=EPILOG,
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "obj": GENERATORS},
)
@click.version_option(package_name="evalglot")
def evalglot() -> None:
    """Check, convert and compare the result files of AI-evaluation tools."""


def main() -> None:
    """Run `evalglot`."""
    from registry import ending

    ending.run(evalglot)
