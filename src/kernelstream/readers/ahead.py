"""Reading ahead: the next items are made in a thread while the caller works on the last one."""

import threading
from collections.abc import Generator
from queue import Empty, Full, Queue
from typing import TypeVar

T = TypeVar("T")
_PATIENCE = 0.1  # seconds between two looks at whether the other side is still there


class _End:
    """The last thing in the queue: the iterable is exhausted, or has failed."""

    def __init__(self, error: BaseException | None):
        self.error = error


def ahead(items: Generator[T], depth: int) -> Generator[T]:
    """The same items, up to `depth` of them made before they are asked for. Decompressing and parsing let other
    threads run meanwhile. An error arrives where its item would have; a caller who stops early stops the thread.

    >>> list(ahead((i for i in range(5)), 2))
    [0, 1, 2, 3, 4]
    """
    queue: Queue[T | _End] = Queue(depth)
    stopped = threading.Event()

    def put(item: T | _End) -> None:
        while not stopped.is_set():
            try:
                return queue.put(item, timeout=_PATIENCE)
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

    # a daemon, because it may wait for standard input for ever
    threading.Thread(target=work, daemon=True).start()
    try:
        while True:
            try:
                # not for ever, so that Ctrl-C is heard
                item = queue.get(timeout=_PATIENCE)
            except Empty:
                continue
            if isinstance(item, _End):
                if item.error is not None:
                    raise item.error
                return
            yield item
    finally:
        stopped.set()
