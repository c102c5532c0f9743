"""Rows shared out over the cores. Compiled code releases the interpreter's lock, so threads are enough."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
WORTH = 2e7  # multiplications: with fewer, starting threads takes longer than the work


def cores() -> int:
    """How many threads to use: the cores of this process, or OMP_NUM_THREADS if that is set."""
    try:
        return max(int(os.environ["OMP_NUM_THREADS"]), 1)
    except (KeyError, ValueError):
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_parts(function: Callable[[int, int], T], rows: int, work: float, multiple: int) -> list[T]:
    """[function(start, stop), …] over parts of the rows, at once where their `work` is worth it.

    Parts are of whole multiples of so many rows, so that the result does not depend on the number of threads.
    """
    count = min(cores(), -(-rows // multiple)) if work >= WORTH else 1
    if count <= 1:
        return [function(0, rows)]
    from threadpoolctl import threadpool_limits

    size = -(-rows // (count * multiple)) * multiple
    starts = range(0, rows, size)
    # each thread multiplies matrices by itself: BLAS must not start threads of its own on top
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(count) as pool:
        return list(pool.map(function, starts, [min(start + size, rows) for start in starts]))
