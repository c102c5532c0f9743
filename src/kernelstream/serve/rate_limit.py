"""How many requests a second somebody may send."""

import time
from collections import OrderedDict
from collections.abc import Callable

BURST = 2.0  # seconds' worth of requests that may come at once
MOST = 10_000  # who are remembered; of the others the limit starts anew


class RateLimit:
    """A bucket for each of those who send requests: it has room for some, and empties at `rate` a second.

    >>> now = 0.0
    >>> limit = RateLimit(1.0, clock=lambda: now)
    >>> [limit.wait("a") for _ in range(3)], limit.wait("b")
    ([0.0, 0.0, 1.0], 0.0)
    >>> now = 1.0
    >>> limit.wait("a"), limit.wait("a")
    (0.0, 1.0)
    """

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic):
        self.rate, self._clock = rate, clock
        self._room = max(BURST * rate, 1.0)
        self._used = OrderedDict[str, tuple[float, float]]()  # requests in the bucket, and when that was

    def wait(self, who: str) -> float:
        """Count a request; 0, or the seconds after which there is room for it."""
        if self.rate <= 0.0:
            return 0.0
        now = self._clock()
        before, at = self._used.pop(who, (0.0, now))
        filled = max(before - (now - at) * self.rate, 0.0)
        fits = filled + 1.0 <= self._room
        self._used[who] = (filled + 1.0 if fits else filled, now)
        if len(self._used) > MOST:
            self._used.popitem(last=False)
        return 0.0 if fits else (filled + 1.0 - self._room) / self.rate
