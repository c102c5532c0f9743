"""A fixed number of support vectors, no limit at all, or a number that grows with time."""

import math

from ..core.strategy import Count, Positive, strategy
from .base import Budget


@strategy
class Fixed(Budget):
    """At most `size` support vectors."""

    size: Count = 100

    def at(self, t: int) -> int:
        return self.size


@strategy
class Unlimited(Budget):
    """No limit: the model grows with the stream."""

    limited = False

    def at(self, t: int) -> int:
        return 1 << 62


@strategy
class Growing(Budget):
    """At most 1 + c √t support vectors, rounded to the nearest whole number (OLRD)."""

    c: Positive = 1.0

    def at(self, t: int) -> int:
        return int(1.5 + self.c * math.sqrt(t))
