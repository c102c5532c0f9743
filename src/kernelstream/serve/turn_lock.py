"""A lock for one thread that learns and many that predict: those who predict come first, and learning never starves."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

NAP = 0.0002  # seconds in which those who wait take the lock
PATIENCE = 0.02  # seconds that the learning thread lets others go first


class Busy(Exception):
    """Rows are being learned for longer than the caller will wait."""


class TurnLock:
    """`reading` for predictions, `learning` for a chunk of rows. Python gives a lock to whoever asks at the right
    moment, which is always the thread that has just released it; so the learning thread waits until nobody asks.

    >>> turns = TurnLock()
    >>> with turns.learning():
    ...     with turns.reading(patience=0.001):
    ...         pass
    Traceback (most recent call last):
    kernelstream.serve.turn_lock.Busy
    """

    def __init__(self) -> None:
        self._lock, self._count = threading.Lock(), threading.Lock()
        self._asking = 0

    @contextmanager
    def reading(self, patience: float = -1) -> Iterator[None]:
        """Nothing is learned meanwhile. `Busy` if it does not begin within `patience` seconds; -1 waits."""
        with self._count:
            self._asking += 1
        try:
            if not self._lock.acquire(timeout=patience):
                raise Busy
            try:
                yield
            finally:
                self._lock.release()
        finally:
            with self._count:
                self._asking -= 1

    @contextmanager
    def learning(self) -> Iterator[None]:
        """Nobody predicts meanwhile."""
        until = time.monotonic() + PATIENCE
        while self._asking and time.monotonic() < until:
            time.sleep(NAP)
        with self._lock:
            yield
