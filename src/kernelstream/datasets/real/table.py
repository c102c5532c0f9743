"""A data set as it is."""

from typing import NamedTuple

from numpy.typing import NDArray

from .._types import Floats


class Table(NamedTuple):
    """Rows in their original order, values as they were published.

    Labels are the original integers, targets of a regression numbers. Sets that come without a split of their own have
    no test rows.
    """

    X: Floats
    y: NDArray
    X_test: Floats | None
    y_test: NDArray | None
    task: str
    about: str
