"""The way of a single example: arrays made once, and checks that cost little."""

import math
from typing import Any

import numpy as np


class OneRow:
    """One row, its target and its weight, as compiled code takes them."""

    __slots__ = ("known", "row", "single", "target", "weight", "width")

    def __init__(self, features: int, outputs: int, dtype: np.dtype, kind: str):
        self.width, self.row = features, np.zeros((1, features), dtype)
        self.target, self.weight = np.zeros((1, 1)), np.ones(1)
        self.known = {"signs": {-1.0, 1.0}, "class": {float(i) for i in range(outputs)}}.get(kind)
        self.single = kind == "class" or outputs == 1

    def takes(self, x: Any) -> bool:
        """Put x into the row; False if it is not one row of numbers."""
        try:
            if len(x) != self.width or isinstance(x, (str, bytes)):
                return False
            self.row[0] = x
        except (TypeError, ValueError, RuntimeWarning):
            return False
        return True

    def takes_target(self, y: Any, weight: float) -> bool:
        """The same for a target and a weight."""
        try:
            fits = math.isfinite(y) if self.known is None else y in self.known
            self.target[0, 0], self.weight[0] = y, weight
            return fits and self.single and 0.0 <= weight < math.inf
        except (TypeError, ValueError):
            return False
