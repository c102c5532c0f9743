"""Four moving squares: drift after which points have other labels."""

import numpy as np

from ..array_types import Floats, Labels
from .draws import choices, uniforms

SQUARES = 4
SPACING = 2.0  # from square to square, whose side is 1: the gap between them is 1 too


def moving_squares(
    n: int, *, horizon: int = 120, distance: int = 4, start: int = 0, seed: int = 0
) -> tuple[Floats, Labels]:
    """Four classes, each uniform on a unit square, in a row that moves back and forth.

    At row t square c covers [o_t + 2c, o_t + 2c + 1) × [0, 1), where the offset o_t goes from 0 to ``distance`` and
    back at a speed of 1/horizon. The gap between squares is 1, so a point seen less than ``horizon`` rows ago
    still has its label, or none; after that it belongs to the next class.

    Parameters
    ----------
    n : int
        Rows to return.
    horizon : int, default=120
        Rows after which a square reaches the position that its neighbour had.
    distance : int, default=4
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
    if horizon < 1 or distance < 1:
        raise ValueError(f"horizon={horizon} and distance={distance} must be at least 1.")
    u = uniforms(n, 3, start=start, seed=seed)
    y = choices(u[:, 0], SQUARES)
    round_trip = 2 * distance * horizon
    phase = np.arange(start, start + n) % round_trip
    offset = np.minimum(phase, round_trip - phase) / horizon
    return np.column_stack([offset + SPACING * y + u[:, 1], u[:, 2]]), y
