"""The `new-format` command."""

from __future__ import annotations

import click

from registry.asked import HELP, ended

EXAMPLES = """
\b
Examples:
  evalglot new-format my-tool                a package in ./evalglot-my-tool
  pip install -e './evalglot-my-tool[dev]'   from now on, evalglot knows it
  pytest evalglot-my-tool                    and every law holds for it
"""


@click.command("new-format", epilog=EXAMPLES, context_settings=HELP)
@click.argument("name", metavar="NAME")
@click.option(
    "--folder", metavar="DIR", default=".", help="Where to put the package (default: here)."
)
def new_format(*, name: str, folder: str) -> None:
    """Begin a package that adds a format to evalglot.

    It is of a small made-up format, installs as it is, and its tests pass; what
    to change stands in its README. NAME is the format's id, such as my-tool.
    """
    import re
    from pathlib import Path

    from evalglot.newformat import scaffold
    from registry.catalog import FORMAT, catalog
    from registry.errors import EvalglotError

    with ended("new-format"):
        if not re.match(FORMAT, name):
            raise EvalglotError(
                found=f"{name!r} is no format's id", expected="words of a to z, with dashes between"
            )
        if name in catalog().roots:
            raise EvalglotError(found=f"there is a format {name}", expected="a name of its own")
        root = Path(folder) / scaffold.folder(name)
        if root.exists():
            raise EvalglotError(found="it is there already", expected="no folder", file=str(root))
        made = scaffold.files(name)
        for place, text in made.items():
            path = root / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        click.echo(f"{root}: {len(made)} files. Its README says what to change.")
