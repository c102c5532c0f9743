"""Four squares that move: what was true of a place is soon false."""

import numpy as np

from ._draws import choices, uniforms
from ._types import Floats, Labels

SQUARES = 4
SPACING = 2.0  # from square to square, whose side is 1: the gap between them is 1 too


def moving_squares(n: int, *, horizon: int = 120, way: int = 4, start: int = 0, seed: int = 0) -> tuple[Floats, Labels]:
    """Four classes, each uniform on a unit square, in a row that moves to and fro.

    At row t square c covers [o_t + 2c, o_t + 2c + 1) × [0, 1), where the offset o_t goes from 0 to ``way`` and
    back at a speed of 1/horizon. The gap between squares is 1, so places that were seen less than ``horizon`` rows
    ago have the label that they had, or none; after that they belong to the next class.

    Parameters
    ----------
    n : int
        Rows to return.
    horizon : int, default=120
        Rows after which a square reaches the place that its neighbour had.
    way : int, default=4
        How far the row of squares moves before it turns back, in sides of a square.
    start : int, default=0
        First row: ``moving_squares(n, start=s)`` are the last n rows of ``moving_squares(s + n)``.
    seed : int, default=0
        Same seed, same stream.

    Returns
    -------
    X : float64 array of shape (n, 2)
    y : int64 array of shape (n,), 0, 1, 2 or 3

    References
    ----------
    After V. Losing, B. Hammer & H. Wersing, "KNN classifier with self adjusting memory for heterogeneous concept
    drift", ICDM 2016.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from kernelstream.datasets import moving_squares
    >>> X, y = moving_squares(40, start=1_300)
    >>> for age in (40, 120, 240):
    ...     old = KNeighborsClassifier(1).fit(*moving_squares(40, start=1_300 - age))
    ...     print(f"{old.score(X, y):.2f}")
    1.00
    0.62
    0.38
    """
    if horizon < 1 or way < 1:
        raise ValueError(f"Squares cannot move with horizon={horizon} and way={way}: use 1 or more of each.")
    u = uniforms(n, 3, start=start, seed=seed)
    y = choices(u[:, 0], SQUARES)
    there_and_back = 2 * way * horizon
    phase = np.arange(start, start + n) % there_and_back
    offset = np.minimum(phase, there_and_back - phase) / horizon
    return np.column_stack([offset + SPACING * y + u[:, 1], u[:, 2]]), y
