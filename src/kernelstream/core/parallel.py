"""Work on rows divided among threads. Compiled code releases the GIL, so processes are not needed."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, TypeVar

S = TypeVar("S")
T = TypeVar("T")


@lru_cache(maxsize=1)
def _controller() -> Any:
    """Finding the BLAS libraries of the process takes milliseconds, so it is done once."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


_IDLE: dict[int, list[ThreadPoolExecutor]] = {}  # threads that are kept while there is work, by their number
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_IDLE.clear)  # a fork has no threads but its own


class _OneBlasThread:
    """Limits BLAS to one thread while any thread is inside. The limit is per process: the last to leave restores it,
    and ends the threads that were kept meanwhile."""

    def __init__(self) -> None:
        self.lock, self.inside = threading.Lock(), 0
        self.limits: Any = None

    def __enter__(self) -> None:
        with self.lock:
            if self.inside == 0:
                self.limits = _controller().limit(limits=1, user_api="blas")
            self.inside += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.inside -= 1
            if self.inside == 0:
                self.limits.restore_original_limits()
                while _IDLE:
                    for pool in _IDLE.popitem()[1]:
                        pool.shutdown(wait=False)


one_blas_thread = _OneBlasThread()
WORTH = 2e7  # multiplications: with fewer, starting threads takes longer than the work
LITTLE = 1e6  # with fewer, limiting the threads of BLAS does too


_ASKED: ContextVar[int | None] = ContextVar("jobs", default=None)
_SHARED: ContextVar[bool] = ContextVar("shared", default=False)  # whether this is a thread that work is shared out to


@contextmanager
def _threads(count: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that nobody else uses meanwhile. They are kept while the work goes on: BLAS sets up memory for every new
    one, which takes as long as a small product. After an error or Ctrl-C they may still be busy, and are not kept."""
    idle = _IDLE.setdefault(count, [])
    try:
        pool = idle.pop()
    except IndexError:
        pool = ThreadPoolExecutor(count, initializer=_SHARED.set, initargs=(True,))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    idle.append(pool)


@contextmanager
def jobs(number: int | None) -> Iterator[None]:
    """Use this many threads inside, as scikit-learn's n_jobs: −1 is all cores, −2 all but one; None changes nothing."""
    token = None if number is None else _ASKED.set(_positive(number))
    try:
        yield
    finally:
        if token is not None:
            _ASKED.reset(token)


def _positive(number: int) -> int:
    return number if number > 0 else max(_available() + 1 + number, 1)


def cores() -> int:
    """How many threads to use: those asked for by `jobs`, or OMP_NUM_THREADS if that is set, or the cores of this
    process. Work that is shared out already is not shared again: it would wait for its own threads."""
    if _SHARED.get():
        return 1
    asked = _ASKED.get()
    if asked is not None:
        return asked
    try:
        return max(int(os.environ["OMP_NUM_THREADS"]), 1)
    except (KeyError, ValueError):
        return _available()


def _available() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_parts(function: Callable[[int, int], T], rows: int, work: float, multiple: int) -> list[T]:
    """[function(start, stop), …] over parts of the rows, in parallel if the `work` (in multiplications) is enough.

    The size of a part is a multiple of `multiple` rows, so that the result does not depend on the number of threads.
    """
    count = min(cores(), -(-rows // multiple)) if work >= WORTH else 1
    if work < LITTLE:
        return [function(0, rows)]
    if count <= 1:
        with one_blas_thread:
            return [function(0, rows)]
    size = -(-rows // (count * multiple)) * multiple
    starts = range(0, rows, size)
    return list(in_order(lambda start: function(start, min(start + size, rows)), starts, work))


def in_order(function: Callable[[S], T], starts: Sequence[S], work: float) -> Iterator[T]:
    """function(start) for each start, in parallel if `work` is large enough, yielded in order: a sum over the results
    does not depend on the number of threads. What it calls uses one thread each."""
    count = min(cores(), len(starts)) if work >= WORTH else 1
    with one_blas_thread:  # in each thread: BLAS must not start threads of its own on top
        if count <= 1:
            yield from map(function, starts)
            return
        with _threads(cores()) as pool:
            waiting: list[Future[T]] = []
            try:
                for start in starts:
                    waiting.append(pool.submit(function, start))
                waiting.reverse()
                while waiting:
                    found = waiting[-1].result()
                    waiting.pop()  # so that no result is kept
                    yield found
            finally:
                # whoever stops early, by an error or Ctrl-C, must not meet threads that still work on his arrays
                for each in waiting:
                    each.cancel()
                wait(waiting)
