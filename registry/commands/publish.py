"""`evalglot registry publish`: how do the schemas get to where editors find them?"""

from __future__ import annotations

import click

from registry.asked import HELP, ended, shelves, shelves_option

EXAMPLES = """
\b
Examples:
  evalglot registry publish site --base-url https://example.org/schemas
  check-jsonschema --schemafile \\
    https://example.org/schemas/cbl/4/schema.json run.json

\b
Exit codes:
  0  published
  2  wrong usage, unreadable shelves, or a folder that can't be written
"""


@click.command(
    epilog=EXAMPLES, short_help="Write a static site of all schemas.", context_settings=HELP
)
@click.argument("directory", metavar="DIR")
@click.option("--base-url", metavar="URL", help="Where the folder will be found: $id and url.")
@shelves_option
def publish(*, directory: str, base_url: str | None, folder: str | None) -> None:
    """Write a static site with every schema at the path of its $id.

    Beside the schemas come catalog.json, in the shape of SchemaStore's, for editors
    and validators, and index.html. DIR is new, empty, or was published into before:
    then it is brought up to date. Without --base-url each $id stays as it is, and
    the addresses in catalog.json are relative.
    """
    from pathlib import Path

    from registry import library, publishing, site

    with ended("publish"):
        base = publishing.base(base_url) if base_url is not None else None
        held = library.read(shelves(folder))
        done = publishing.publish(site.files(held, base), Path(directory))
        said = f"{done.files} files, {done.written} written"
        removed = f", {done.removed} removed" if done.removed else ""
        click.echo(f"publish: {directory}: {said}{removed}", err=True)
        if base is None:
            click.echo("publish: no --base-url: addresses in catalog.json are relative", err=True)
