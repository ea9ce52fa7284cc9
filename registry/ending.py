"""How does a command end when it is stopped, or when nobody can hear it?

A signal ends it with 128 and the signal's number, once all that was half done is taken away. What
can't be written to standard output is one clear error; what can't be told on standard error is not.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import warnings
from collections.abc import Callable
from typing import IO, Any, NoReturn

import click

from registry.errors import EvalglotError, OutputError, PluginWarning
from registry.reports.harmless import harmless

STOPS = ("SIGHUP", "SIGINT", "SIGTERM")
"""Which signals ask a command to end?"""

CLOSED_PIPE = 141
"""What does a command end with that is read from no more, as one does that SIGPIPE ends?"""


def run(command: Callable[[], object]) -> NoReturn:
    """Run a command to its end, whatever becomes of it."""
    _heed()
    _warn_plainly()
    streams = _heard() if os.name == "posix" else ()
    code = _code(command)
    ends = _code(sys.stdout.flush)
    if any(stream.unread for stream in streams):
        sys.exit(CLOSED_PIPE)
    sys.exit(code or ends)


def _code(command: Callable[[], object]) -> int | str | None:
    """Which exit code does this end with?"""
    try:
        command()
    except SystemExit as end:
        return end.code
    except BrokenPipeError:
        return CLOSED_PIPE
    except EvalglotError as error:
        click.echo(harmless(str(error)), err=True)
        return error.exit_code
    return 0


def _warn_plainly() -> None:
    """Tell what is wrong with a plug-in in one line, whatever becomes of other warnings."""
    usual = warnings.formatwarning

    def plain(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        line: str | None = None,
    ) -> str:
        if category is PluginWarning:
            return f"warning: {harmless(str(message))}\n"
        return usual(message, category, filename, lineno, line)

    warnings.simplefilter("always", PluginWarning)
    warnings.formatwarning = plain


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
        self.unread = False

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
                self.unread = True
                raise
            raise OutputError(
                found=f"can't be written ({error.strerror})", file=self._title
            ) from None


def _heard() -> tuple[_Told, _Told]:
    """Put streams that fail clearly in the place of standard output and standard error."""
    _fill_closed()
    out, err = _Told(1, "standard output"), _Told(2, "")
    sys.stdout, sys.stderr = _text(out, sys.stdout), _text(err, sys.stderr)
    return out, err


def _text(told: _Told, stream: IO[str] | None) -> io.TextIOWrapper:
    """Text for a stream; what its encoding has no characters for is written as escapes."""
    errors = getattr(stream, "errors", "strict")
    return io.TextIOWrapper(
        io.BufferedWriter(told),
        encoding=getattr(stream, "encoding", "utf-8"),
        errors="backslashreplace" if errors == "strict" else errors,
        line_buffering=told.fileno() == 2 or told.isatty(),
    )
