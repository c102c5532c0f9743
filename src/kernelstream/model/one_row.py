"""The fast path for a single example: preallocated arrays and cheap checks."""

from typing import Any

import numpy as np

from ..core.numba.cache import direct, shared
from ..core.precision import HEAVIEST, LARGEST, any_finite, largest
from ..core.rows import narrow

FLOAT64 = np.dtype(np.float64)
NUMBERS = "fiubO"  # NumPy would make numbers of dates too, and drop the imaginary part of complex ones


class OneRow:
    """One row, its target and its weight, as compiled code takes them."""

    __slots__ = ("flat", "known", "limit", "narrow", "own", "row", "single", "target", "weight", "wide", "width")

    def __init__(self, features: int, outputs: int, dtype: np.dtype, kind: str):
        self.width, self.row = features, np.zeros((1, features), dtype)
        self.flat, self.wide, self.limit = self.row[0], np.zeros(features), largest(dtype)
        self.narrow = direct(shared(narrow), self.wide, self.flat, self.limit)
        # compiled code refuses what is not finite
        self.own = dtype if any_finite(dtype) else None
        self.target, self.weight = np.zeros((1, 1)), np.ones(1)
        self.known = {"signs": {-1.0, 1.0}, "class": {float(i) for i in range(outputs)}}.get(kind)
        self.single = kind == "class" or outputs == 1

    def takes(self, x: Any) -> bool:
        """Copy x into the buffer; False if it is not one row of numbers, or if a number is too large."""
        try:
            if len(x) != self.width:
                return False
            if type(x) is np.ndarray:
                kind = x.dtype
                if kind is self.own:
                    self.flat[...] = x
                    return True
                if kind is not FLOAT64 and kind.kind not in NUMBERS:
                    return False
            elif isinstance(x, (str, bytes)) or (x := np.asarray(x)).dtype.kind not in NUMBERS:
                return False
            # NumPy would warn of a cast that overflows
            self.wide[...] = x
            return bool(self.narrow(self.wide, self.flat, self.limit))
        except (TypeError, ValueError, OverflowError, RuntimeWarning):
            return False

    def takes_target(self, y: Any, weight: float) -> bool:
        """The same for a target and a weight."""
        try:
            fits = -LARGEST <= y <= LARGEST if self.known is None else y in self.known
            self.target[0, 0], self.weight[0] = y, weight
            return fits and self.single and 0.0 <= weight <= HEAVIEST
        except (TypeError, ValueError, OverflowError):
            return False
