"""The `convert` command."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from registry import completing
from registry.choosing import Choice

if TYPE_CHECKING:
    from registry.redaction import Redactor

EXAMPLES = """
\b
Examples:
  convert --to sandtable run.json -o out.json     from whichever format run.json has
  convert --from cbl --to sandtable run.json      to standard output
  convert --to cbl out.json -o again.json         and home: the same values as in run.json
  convert --to promptbeat runs/ --out-dir out/    all results in a folder
  convert --plan --from cbl --to promptbeat       what would be lost, before there is any data
  convert --list                                  formats and versions
"""


@click.command(
    epilog=EXAMPLES,
    short_help="Turn a result file into another format.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.argument("inputs", nargs=-1, metavar="[INPUT]...", shell_complete=completing.files)
@click.option(
    "--from",
    "source",
    metavar="F[@V]",
    shell_complete=completing.refs,
    help="Format of the input; found out if left out.",
)
@click.option(
    "--to",
    "target",
    metavar="F[@V]",
    shell_complete=completing.refs,
    help="Format to write, such as sandtable or cbl@3.",
)
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    shell_complete=completing.files,
    help="File to write; - for standard output (default).",
)
@click.option("--out-dir", metavar="DIR", help="Folder to write to, one file for each input.")
@click.option("--report", metavar="FILE", help="Write a JSON account of what became of each value.")
@click.option(
    "--strict", is_flag=True, help="Refuse (exit 1) unless the target says everything itself."
)
@click.option("--no-carry", is_flag=True, help="Write a clean file; what it can't say is dropped.")
@click.option(
    "--carry",
    type=Choice(["inline", "sidecar"]),
    default="inline",
    help="Where the rest travels: in the file (default), or in FILE.carry.json beside it.",
)
@click.option("--ignore-carry", is_flag=True, help="Read the input as if it carried nothing.")
@click.option(
    "--nonfinite",
    type=Choice(["reject", "keep", "null"]),
    default="reject",
    help="What to do with bare NaN and Infinity in the input.",
)
@click.option(
    "--redact",
    is_flag=True,
    help="Mask likely keys and tokens; the result says so. Needs the extra redact.",
)
@click.option(
    "--provenance",
    is_flag=True,
    help="Write FILE.intoto beside the output: which file it was made from. See evalglot verify.",
)
@click.option("--verify", is_flag=True, help="Go home again from what was written, and compare.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes for a big file; one for each core if left out.",
)
@click.option("--plan", is_flag=True, help="Print what the target can and can't say, and stop.")
@click.option("--list", "lists", is_flag=True, help="Print formats and versions, and stop.")
@click.option("-q", "--quiet", is_flag=True, help="No account on standard error.")
def convert(inputs: Sequence[str], **given: Any) -> None:
    """Turn one evaluation tool's result file into another's, and back, without loss.

    What the target has no place for travels along in a slot of the file, so that converting back
    gives every value again. One line on standard error says what was carried.
    """
    from converter import command
    from converter.jobs import Options

    # Records come and go without cycles: looking for some costs a third of the time of a long run.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    if given.pop("redact"):
        given["redactor"] = _redactor()
    sys.exit(command.run(inputs, Options(**given)))


def _redactor() -> Redactor:
    from registry.redaction import Redactor

    return Redactor()


def main() -> None:
    """Run `convert`: exit 0 done, 1 refused, 2 usage or unreadable input."""
    from registry import ending

    ending.run(convert)


if __name__ == "__main__":
    main()
