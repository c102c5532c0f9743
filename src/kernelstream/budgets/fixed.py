"""A fixed number of support vectors, or no limit."""

from ..core.strategy import Count, strategy
from .base import Budget


@strategy
class Fixed(Budget):
    """At most `size` support vectors.

    Parameters
    ----------
    size : int, default 100
        The number of support vectors.
    """

    size: Count = 100

    def at(self, t: int) -> int:
        return self.size


@strategy
class Unlimited(Budget):
    """No limit: the model grows with the stream."""

    limited = False

    def at(self, t: int) -> int:
        return 1 << 62
