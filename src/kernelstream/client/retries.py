"""When a request is sent again, and after which pause."""

import random
import time
from collections.abc import Callable
from typing import Any

FIRST, LARGEST = 0.1, 10.0  # seconds between two attempts: doubled every time, up to this
BUSY = (429, 503)


class Retries:
    """The attempts of one request: exponential back-off with jitter, but never before the server's `Retry-After`.

    >>> pauses = []
    >>> attempts = Retries(60.0, sleep=pauses.append, draw=lambda low, high: high)
    >>> attempts.pause(), attempts.pause(), attempts.pause("3"), attempts.pause("3600")
    (True, True, True, False)
    >>> pauses
    [0.1, 0.2, 3.4]
    """

    def __init__(
        self,
        seconds: float,
        *,
        sleep: Callable[[float], Any] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[float, float], float] = random.uniform,
    ):
        self.until, self.number = clock() + seconds, 0
        self._sleep, self._clock, self._draw = sleep, clock, draw

    def pause(self, retry_after: str | None = None) -> bool:
        """Wait before the next attempt; False if there is no time for one."""
        step = min(FIRST * 2.0**self.number, LARGEST)
        wait = _seconds(retry_after) + self._draw(step / 2.0, step)
        if self._clock() + wait > self.until:
            return False
        self.number += 1
        self._sleep(wait)
        return True


def _seconds(retry_after: str | None) -> float:
    """The header as a number of seconds, which is the only form that our server sends; proxies may send dates."""
    try:
        return max(float(retry_after or 0.0), 0.0)
    except ValueError:
        return FIRST
