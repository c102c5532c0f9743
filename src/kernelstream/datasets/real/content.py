"""How a data set is known to be the one that it should be: by its values, however they were packed.

Two files with the same rows differ by compression, by zeros that are left out or not, by digits that say nothing. So
what was read is compared.
"""

import hashlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._types import Floats


def digest(X: Floats, y: NDArray) -> str:
    """SHA-256 of the shape, of X as float32 row by row, and of y as float32; −0 counts as 0.

    >>> digest(np.array([[0.0, 1.0]]), np.array([1])) == digest(np.array([[-0.0, 1.0]]), np.array([1.0]))
    True
    """
    found = hashlib.sha256(repr(X.shape).encode())
    for array in (X, y):
        found.update((np.ascontiguousarray(array, "<f4") + np.float32(0.0)).tobytes())
    return found.hexdigest()


class Exactly(NamedTuple):
    """The values with this digest."""

    digest: str

    def fault(self, X: Floats, y: NDArray) -> str | None:
        found = digest(X, y)
        return None if found == self.digest else f"its values have the digest {found}, not {self.digest}"


class Nearly(NamedTuple):
    """Columns with these means and deviations, the target last: values that are published with more or fewer digits."""

    means: tuple[float, ...]
    deviations: tuple[float, ...]

    def fault(self, X: Floats, y: NDArray) -> str | None:
        table = np.column_stack([X, y])
        means, deviations = table.mean(axis=0), table.std(axis=0)
        for what, found, known in (("mean", means, self.means), ("deviation", deviations, self.deviations)):
            # digits that were rounded away move neither by more than a thousandth of the deviation
            for column in np.flatnonzero(np.abs(found - known) > 1e-3 * np.asarray(self.deviations)):
                where = "the target" if column == X.shape[1] else f"feature {column + 1}"
                return f"{where} has the {what} {found[column]:.6g}, not {known[column]:.6g}"
        return None


Content = Exactly | Nearly


def fault(X: Floats, y: NDArray, rows: int, features: int, content: Content) -> str | None:
    """What is wrong with what was read, or None."""
    if X.shape != (rows, features):
        return f"it has {X.shape[0]:,} rows of {X.shape[1]} features, not {rows:,} of {features}"
    return content.fault(X, y)
