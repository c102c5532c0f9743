"""Budgets: how many support vectors the model may have."""

from typing import Any

from .base import Budget
from .fixed import Fixed, Unlimited
from .growing import Growing
from .memory import Memory


def as_budget(value: Any) -> Budget:
    """A number of support vectors, a size such as "64 KiB", None for no limit, or a `Budget`.

    Parameters
    ----------
    value : int, str, Budget or None
        What to convert.
    """
    if isinstance(value, Budget):
        return value
    if value is None:
        return Unlimited()
    if isinstance(value, str):
        return Memory.parse(value)
    try:
        return Fixed(value)
    except ValueError:
        raise ValueError(
            f"budget must be a number of support vectors, 1 or more, or a size such as '64 KiB', not {value!r}."
        ) from None


__all__ = ["Budget", "Fixed", "Growing", "Memory", "Unlimited", "as_budget"]
