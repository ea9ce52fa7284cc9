"""How does a report come into its file: whole, or not at all?"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from registry.errors import OutputError


def put(data: bytes, file: str, inputs: Iterable[str] = ()) -> None:
    """Make the file hold these bytes, unless it is one of the inputs. Raises OutputError."""
    try:
        _refuse_input(file, inputs)
        _put(data, Path(os.path.realpath(file)))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise OutputError(found=f"can't be written ({reason})", file=file) from None


def _refuse_input(file: str, inputs: Iterable[str]) -> None:
    for one in inputs:
        if os.path.exists(one) and os.path.exists(file) and os.path.samefile(one, file):  # noqa: PTH110, PTH121
            raise OutputError(
                found="this is the input itself",
                expected="another file",
                hint="The input is never overwritten.",
                file=file,
            )


def _put(data: bytes, target: Path) -> None:
    """Write beside the target, then rename; what is no regular file is written to as it is."""
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:64]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise


def _umask() -> int:
    """Which permissions do new files not get? It can only be read by setting it."""
    held = os.umask(0)
    os.umask(held)
    return held
