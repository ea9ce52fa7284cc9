"""What is every command of the registry asked in the same words, and how does each end?"""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from registry.choosing import Choice
from registry.errors import EvalglotError, InputError
from registry.reports.harmless import harmless
from registry.shelves import versions_root

if TYPE_CHECKING:
    from registry.redaction import Redactor

Command = TypeVar("Command", bound=Callable[..., Any])

HELP = {"help_option_names": ["-h", "--help"]}


def shelves_option(command: Command) -> Command:
    """Give a command the option that names a folder of shelves."""
    return click.option(
        "--shelves",
        "folder",
        metavar="DIR",
        help="Folder with the schemas; by default versions/, else evalglot's own.",
    )(command)


def shape_option(*shapes: str) -> Callable[[Command], Command]:
    """Give a command the option that says which shape its report has; the first is usual."""
    return click.option(
        "--format",
        "shape",
        type=Choice(shapes),
        default=shapes[0],
        help=f"Shape of the report (default: {shapes[0]}).",
    )


def redact_option(command: Command) -> Command:
    """Give a command the option that masks secrets."""
    return click.option(
        "--redact", is_flag=True, help="Mask likely keys and tokens. Needs the extra redact."
    )(command)


def redactor(*, asked: bool) -> Redactor | None:
    """What masks secrets, where that was asked for? Raises InputError without the extra."""
    if not asked:
        return None
    from registry.redaction import Redactor

    return Redactor()


def shelves(given: str | None) -> Path:
    """Which shelves are meant: those given, else those of this folder, else the registry's own?

    Raises InputError when a folder was given that has none.
    """
    here = Path("versions")
    if given is None:
        return here if _has_shelves(here) else versions_root()
    if not _has_shelves(Path(given)):
        raise InputError(
            found="no shelves",
            expected="a folder with FORMAT/format.json for each format",
            file=given,
        )
    return Path(given)


def _has_shelves(folder: Path) -> bool:
    try:
        return any(folder.glob("*/format.json"))
    except OSError:  # such as a name that is too long for one
        return False


@contextmanager
def ended(name: str) -> Iterator[None]:
    """End the command with one message and the error's exit code, if there is one.

    What the system refuses where nobody foresaw it is told, too, with the file.
    """
    try:
        yield
    except EvalglotError as error:
        click.echo(f"{name}: {harmless(str(error))}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        if error.errno == errno.EPIPE:  # whoever reads has had enough; click ends quietly
            raise
        place = f"{error.filename}: " if error.filename else ""
        told = f"{place}can't be read or written ({error.strerror or error})"
        click.echo(f"{name}: {harmless(told)}", err=True)
        sys.exit(InputError.exit_code)


def write(told: bytes, out: str, inputs: Iterable[str] = ()) -> None:
    """Write a report to a file, whole or not at all, or to standard output for `-`.

    Raises OutputError when that does not work, or when the file is one of the inputs.
    """
    from registry import whole

    if out == whole.STDOUT:
        whole.refuse_overwriting(inputs, [out])
        click.echo(told, nl=False)
        return
    whole.put(told, out, inputs)
