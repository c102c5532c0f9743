"""A budget in bytes: as many support vectors as fit."""

import re
from collections.abc import Callable

from ..core.strategy import Count, Facts, strategy
from .base import Budget
from .fixed import Fixed

_UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "ki": 1024, "mi": 1024**2, "gi": 1024**3}


def bytes_in(text: str) -> int | None:
    """The size in bytes that a text denotes; None if it denotes none.

    >>> bytes_in("64 KiB"), bytes_in("64kb"), bytes_in("much")
    (65536, 64000, None)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmg]?i?)b?\s*", text, re.IGNORECASE)
    if not match or match[2].lower() not in _UNITS:
        return None
    return int(float(match[1]) * _UNITS[match[2].lower()]) or None


@strategy
class Memory(Budget):
    """At most `limit` bytes for everything that the learner keeps: support vectors, coefficients, scratch, and the
    inverse Gram matrix where the recipe has one. Tables that all models of a process share do not count.

    Parameters
    ----------
    limit : int, default 65536
        The size in bytes.

    Examples
    --------
    >>> Memory.parse("64 KiB")
    Memory(limit=65536)
    """

    limit: Count = 65536
    settled = False

    @staticmethod
    def parse(text: str) -> "Memory":
        limit = bytes_in(text)
        if limit is None:
            raise ValueError(f"budget: {text!r} is neither a number of support vectors nor a size such as '64 KiB'.")
        return Memory(limit)

    def at(self, t: int) -> int:
        raise NotImplementedError("a budget in bytes is converted by `within` before learning starts")

    def within(self, facts: Facts, bytes_for: Callable[[int], int]) -> Budget:
        if bytes_for(2) > self.limit:
            raise ValueError(
                f"budget: {self.limit} bytes do not hold a model of {facts.features} features and {facts.outputs} "
                f"outputs with 2 support vectors, which needs {bytes_for(2)}. Allow more, or use fewer features."
            )
        low, high = 2, 4
        while bytes_for(high) <= self.limit:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if bytes_for(middle) <= self.limit else (low, middle)
        return Fixed(low)
