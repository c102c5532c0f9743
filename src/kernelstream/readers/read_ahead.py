"""Read ahead: a thread produces the next items while the caller processes the current one."""

import threading
from collections.abc import Generator
from queue import Empty, Full, Queue
from typing import TypeVar

T = TypeVar("T")
_POLL = 0.1  # seconds between two checks whether the other side has stopped


class _End:
    """The last item of the queue: the iterable is exhausted, or has failed."""

    def __init__(self, error: BaseException | None):
        self.error = error


def read_ahead(items: Generator[T], depth: int) -> Generator[T]:
    """The same items, up to `depth` of them produced in advance by a thread: decompression and parsing release the GIL.
    An error is raised in the position of its item; a caller that stops early stops the thread.

    >>> list(read_ahead((i for i in range(5)), 2))
    [0, 1, 2, 3, 4]
    """
    queue: Queue[T | _End] = Queue(depth)
    stopped = threading.Event()

    def put(item: T | _End) -> None:
        while not stopped.is_set():
            try:
                return queue.put(item, timeout=_POLL)
            except Full:
                continue

    def work() -> None:
        error = None
        try:
            for item in items:
                put(item)
                if stopped.is_set():
                    break
            items.close()
        except BaseException as caught:
            error = caught
        put(_End(error))

    # a daemon, because it may wait for standard input forever
    threading.Thread(target=work, daemon=True).start()
    try:
        while True:
            try:
                # with a timeout, so that Ctrl-C works
                item = queue.get(timeout=_POLL)
            except Empty:
                continue
            if isinstance(item, _End):
                if item.error is not None:
                    raise item.error
                return
            yield item
    finally:
        stopped.set()
