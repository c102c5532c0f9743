"""How large the model may become."""

from .base import Budget
from .fixed import Fixed, Growing, Unlimited
from .memory import Memory


def as_budget(value) -> Budget:
    """A number of support vectors, a size such as "64 KiB", None for no limit, or a `Budget`."""
    if isinstance(value, Budget):
        return value
    if value is None:
        return Unlimited()
    return Memory.parse(value) if isinstance(value, str) else Fixed(value)


__all__ = ["Budget", "Fixed", "Growing", "Memory", "Unlimited", "as_budget"]
