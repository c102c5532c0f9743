"""Check a data set by its values.

Files with the same rows differ in compression, in explicit zeros and in trailing digits. So the parsed values are
compared.
"""

import hashlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..array_types import Floats


def digest(X: Floats, y: NDArray) -> str:
    """SHA-256 of the shape, of X as float32 row by row, and of y as float32; −0 is taken as 0.

    >>> digest(np.array([[0.0, 1.0]]), np.array([1])) == digest(np.array([[-0.0, 1.0]]), np.array([1.0]))
    True
    """
    found = hashlib.sha256(repr(X.shape).encode())
    for array in (X, y):
        found.update((np.ascontiguousarray(array, "<f4") + np.float32(0.0)).tobytes())
    return found.hexdigest()


class ExactContent(NamedTuple):
    """Values with this digest."""

    digest: str

    def fault(self, X: Floats, y: NDArray) -> str | None:
        found = digest(X, y)
        return None if found == self.digest else f"the digest of its values is {found}, not {self.digest}"


class ApproximateContent(NamedTuple):
    """Columns with these means and standard deviations, the target last: for values of varying precision."""

    means: tuple[float, ...]
    deviations: tuple[float, ...]

    def fault(self, X: Floats, y: NDArray) -> str | None:
        table = np.column_stack([X, y])
        means, deviations = table.mean(axis=0), table.std(axis=0)
        for what, found, known in (("mean", means, self.means), ("standard deviation", deviations, self.deviations)):
            # rounding changes neither by more than a thousandth of the standard deviation
            for column in np.flatnonzero(np.abs(found - known) > 1e-3 * np.asarray(self.deviations)):
                where = "the target" if column == X.shape[1] else f"feature {column + 1}"
                return f"the {what} of {where} is {found[column]:.6g}, not {known[column]:.6g}"
        return None


Content = ExactContent | ApproximateContent


def fault(X: Floats, y: NDArray, rows: int, features: int, content: Content) -> str | None:
    """What is wrong with the parsed values, or None."""
    if X.shape != (rows, features):
        return f"it has {X.shape[0]:,} rows and {X.shape[1]} features, not {rows:,} and {features}"
    return content.fault(X, y)
