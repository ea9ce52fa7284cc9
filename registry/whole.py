"""How does a report come into its file: whole, or not at all?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import combinations, product

from registry import names
from registry.errors import OutputError

STDIN = STDOUT = "-"


def put(data: bytes, file: str, inputs: Iterable[str] = ()) -> None:
    """Make the file hold these bytes, unless it is one of the inputs. Raises OutputError."""
    try:
        refuse_overwriting(inputs, [file])
        _put(data, file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise OutputError(found=f"can't be written ({reason})", file=file) from None


def refuse_overwriting(inputs: Iterable[str], outs: Sequence[str]) -> None:
    """Raise OutputError where an output would replace an input, or another output.

    `-` is whatever file standard input comes from, or standard output goes to.
    """
    for out, file in product(outs, inputs):
        if names.is_one(0 if file == STDIN else file, 1 if out == STDOUT else out):
            raise OutputError(
                found="this is the input itself",
                expected="another file",
                hint="The input is never overwritten.",
                file="standard output" if out == STDOUT else out,
            )
    files = [out for out in outs if out != STDOUT]
    for one, other in combinations(map(names.real, files), 2):
        if one == other and not names.is_other(str(one)):
            raise OutputError(
                found="two outputs in one file", expected="a file for each", file=str(one)
            )


def _put(data: bytes, file: str) -> None:
    """Write beside the target, then rename; what is no regular file is written to as it is."""
    target = names.real(file)
    if names.is_other(file):
        target.write_bytes(data)
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    name = names.temporary(target)
    try:
        with os.fdopen(names.new(name), "wb") as stream:
            stream.write(data)
        name.chmod(mode)
        name.replace(target)
    except BaseException:
        with suppress(OSError):
            name.unlink()
        raise


def _umask() -> int:
    """Which permissions do new files not get? It can only be read by setting it."""
    held = os.umask(0)
    os.umask(held)
    return held
