"""How does a command end when it is stopped, or when nobody can hear it?

A signal ends it with 128 and the signal's number, once all that was half done is taken away. What
can't be written to standard output is one clear error; what can't be told on standard error is not.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Callable
from typing import IO, Any, NoReturn

import click

from registry.errors import EvalglotError, OutputError
from registry.reports.harmless import harmless

STOPS = ("SIGHUP", "SIGINT", "SIGTERM")
"""Which signals ask a command to end?"""

CLOSED_PIPE = 141
"""What does a command end with that is read from no more, as one does that SIGPIPE ends?"""


def run(command: Callable[[], object]) -> None:
    """Run a command to its end, whatever becomes of it."""
    _heed()
    if os.name == "posix":
        _fill_closed()
        sys.stdout = _told(sys.stdout, 1, "standard output")
        sys.stderr = _told(sys.stderr, 2, "")
    try:
        command()
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # click ends with 1, which is a finding
            sys.exit(CLOSED_PIPE)
        raise
    except EvalglotError as error:
        click.echo(harmless(str(error)), err=True)
        sys.exit(error.exit_code)


def _heed() -> None:
    """End on the signals that ask for it, but for those that whoever started this has silenced."""
    for number in _stops():
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _stop)


def _stops() -> list[signal.Signals]:
    return [signal.Signals[name] for name in STOPS if name in signal.Signals.__members__]


def _stop(number: int, frame: object) -> NoReturn:
    for other in _stops():  # a second one must not end the cleaning up
        signal.signal(other, signal.SIG_IGN)
    sys.exit(128 + number)


def _fill_closed() -> None:
    """Let no file that is opened later take the place of a standard stream that was closed.

    What stands there can't be written to, or read from.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # the lowest number that is free is given
            os.open(os.devnull, os.O_RDONLY if number else os.O_WRONLY)


class _Told(io.FileIO):
    """A standard stream, by its name, or one without a name that need not be heard."""

    def __init__(self, number: int, title: str) -> None:
        super().__init__(number, "w", closefd=False)
        self._title = title
        self._lost = False

    def write(self, data: Any, /) -> int:
        """Write, or say once that it can't be; what is still held back then is let go."""
        if self._lost:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except OSError as error:
            self._lost = True
            if not self._title:
                return memoryview(data).nbytes
            if isinstance(error, BrokenPipeError):
                raise
            raise OutputError(
                found=f"can't be written ({error.strerror})", file=self._title
            ) from None


def _told(stream: IO[str] | None, number: int, title: str) -> io.TextIOWrapper:
    """The same stream; what its encoding has no characters for is written as escapes."""
    if stream is not None:
        stream.flush()
    errors = getattr(stream, "errors", "strict")
    return io.TextIOWrapper(
        io.BufferedWriter(_Told(number, title)),
        encoding=getattr(stream, "encoding", "utf-8"),
        errors="backslashreplace" if errors == "strict" else errors,
        line_buffering=number == 2 or os.isatty(number),
    )
