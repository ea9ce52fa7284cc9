"""Other processes that each do one piece of work, so that every core has something to do.

A helper starts as a copy of this process: it knows all that is known here, and nothing has to be
sent to it. Only what its work came to is sent back.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import IO, Any, NoReturn, TypeVar

from registry.errors import EvalglotError

Result = TypeVar("Result")

MOST_JOBS = 8
"""processes that share one work, unless more are asked for"""

POSSIBLE = hasattr(os, "fork") and sys.platform != "darwin"
"""May a process be copied here? On a Mac, its own libraries can't bear it."""


class HelperLost(EvalglotError):
    """A helper ended before its work was done."""


def cores() -> int:
    """How many processes can this one have running at once, itself among them?"""
    if not POSSIBLE:
        return 1
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def jobs(asked: int | None) -> int:
    """How many processes share work of which so many were asked for? One for each core if None."""
    if not POSSIBLE:
        return 1
    return min(cores(), MOST_JOBS) if asked is None else asked


def each(works: Sequence[Callable[[], Result]], count: int) -> list[Result]:
    """What does each of these works come to, done by so many processes that take turns?"""
    shares = [works[first::count] for first in range(count)]
    done: list[Any] = [None] * len(works)
    with helpers([partial(_all, share) for share in shares[1:]]) as started:
        done[0::count] = _all(shares[0])
        for first, helper in enumerate(started, 1):
            done[first::count] = helper.result()
    return done


def _all(works: Sequence[Callable[[], Result]]) -> list[Result]:
    return [work() for work in works]


@contextmanager
def helpers(works: Sequence[Callable[[], Any]]) -> Iterator[list[Helper]]:
    """One helper for each piece of work; those still at it in the end are stopped."""
    started: list[Helper] = []
    try:
        for work in works:
            started.append(Helper(work))
        yield started
    finally:
        for helper in started:
            helper.stop()


class Helper:
    """A process that does one piece of work."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._told = tempfile.TemporaryFile()  # noqa: SIM115 (`stop` closes it)
        sys.stdout.flush()
        sys.stderr.flush()
        self._process: int | None = os.fork()
        if self._process == 0:
            _do(work, self._told)

    def result(self) -> Any:
        """What did the work come to? Raises the error that it ended with."""
        assert self._process is not None
        _, status = os.waitpid(self._process, 0)
        self._process = None
        if code := os.waitstatus_to_exitcode(status):
            raise HelperLost(
                found=f"a helper process ended early ({_named(code)})",
                hint="Give --jobs 1 to do without helpers.",
            )
        import pickle

        self._told.seek(0)
        kind, outcome = pickle.load(self._told)  # written by this program, to a file without a name
        if kind is None:
            return outcome
        error = kind.__new__(kind)
        error.__dict__.update(outcome)
        raise error

    def stop(self) -> None:
        """End the process, if it is still there."""
        if self._process is not None:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            self._process = None
        self._told.close()


def _do(work: Callable[[], Any], out: IO[bytes]) -> NoReturn:
    """Do the work, say what it came to, and end this process, whatever happens."""
    status = 1
    try:
        import pickle

        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it is told, and stops it
        try:
            told = (None, work())
        except EvalglotError as error:
            told = (type(error), error.__dict__)  # type: ignore[assignment]
        pickle.dump(told, out, pickle.HIGHEST_PROTOCOL)
        out.flush()
        status = 0
    finally:
        if status:
            sys.excepthook(*sys.exc_info())
        os._exit(status)


def _named(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"status {code}"
