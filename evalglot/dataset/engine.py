"""Who does the work: this process, others on this machine, or the workers of a cluster?

Each is an executor of the standard library's kind, so the rest need not know.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, TypeVar

from evalglot.dataset.needed import known_errors, need
from registry import helping
from registry.errors import EvalglotError

Work = TypeVar("Work")
Result = TypeVar("Result")

ADDRESS = re.compile(r"(tcp|tls|ws|wss)://[^/\s]+:\d{1,5}")
"""how a scheduler is named; of what is named otherwise, its library tells in many lines"""
RETRIES = 3
"""how often a cluster does work again whose worker was lost"""


class WorkerLost(EvalglotError):
    """A worker ended before its work was done, or the cluster can't be reached."""


class _Here(Executor):
    """Does each piece of work at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do the work now."""
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


@contextmanager
def executor(scheduler: str | None, jobs: int) -> Iterator[tuple[Executor, int]]:
    """An executor, and how many pieces of work it does at the same time.

    Raises WorkerLost when a scheduler can't be reached.
    """
    if scheduler is not None:
        with _cluster(scheduler) as found:
            yield found
    elif jobs <= 1:
        yield _Here(), 1
    else:
        with _processes(jobs) as pool:
            yield pool, jobs


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_together)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _end_together() -> None:
    """Let this process end when the one does that started it, however that ends."""
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it is told, and stops it
    parent = parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=wait, daemon=True).start()


@contextmanager
def _cluster(scheduler: str) -> Iterator[tuple[Executor, int]]:
    need("distributed")
    from distributed import Client

    if ADDRESS.fullmatch(scheduler) is None:
        raise _unreachable(scheduler, "no such address")
    try:
        client = Client(scheduler, timeout="10s", set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise _unreachable(scheduler, str(error)[:120]) from None
    with client:
        threads = sum(client.nthreads().values())
        yield client.get_executor(retries=RETRIES, pure=False), max(2, threads)


def _unreachable(scheduler: str, reason: str) -> WorkerLost:
    return WorkerLost(
        found=f"the scheduler can't be reached ({reason})",
        expected="a Dask scheduler's address, such as tcp://10.0.0.1:8786",
        file=scheduler,
    )


def each(
    executor: Executor, width: int, work: Callable[[Work], Result], over: Iterable[Work]
) -> Iterator[Result]:
    """What does each piece of work come to, in order? No more are under way than needed.

    Raises WorkerLost when a worker ended early.
    """
    waiting: deque[Future[Result]] = deque()
    try:
        for one in over:
            waiting.append(executor.submit(work, one))
            if len(waiting) > 2 * width:
                yield _result(waiting.popleft())
        while waiting:
            yield _result(waiting.popleft())
    finally:
        for future in waiting:
            future.cancel()


def _result(future: Future[Result]) -> Result:
    from concurrent.futures import CancelledError
    from concurrent.futures.process import BrokenProcessPool

    lost: tuple[type[BaseException], ...] = (BrokenProcessPool, CancelledError)
    try:
        return future.result()
    except (*lost, *known_errors("distributed:KilledWorker")) as error:
        raise WorkerLost(
            found=f"a worker ended early ({type(error).__name__})",
            hint="What was collected before is kept: collect again. --jobs 1 does without.",
        ) from None


def jobs(asked: int | None) -> int:
    """How many processes are used: as many as asked for, else one for each core?"""
    return helping.cores() if asked is None else asked
