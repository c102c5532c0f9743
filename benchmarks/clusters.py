"""Generated data of any width: Gaussian clusters around centres, each of a class of its own choosing."""

import numpy as np
from numpy.typing import NDArray


def clusters(
    n: int, features: int, *, classes: int = 2, centres: int = 40, spread: float = 0.3, seed: int = 0
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Rows c + spread · N(0, I/features) around centres c ~ N(0, I/features), and the class of the centre, 0, 1, ….

    Distances do not depend on the number of features, so that one γ, about 2, serves all.

    >>> X, y = clusters(1000, 10, classes=3)
    >>> X.shape, sorted(set(y.tolist()))
    ((1000, 10), [0, 1, 2])
    """
    rng = np.random.default_rng(seed)
    at = rng.standard_normal((centres, features), np.float32)
    which = rng.integers(centres, size=n)
    X = at[which] + np.float32(spread) * rng.standard_normal((n, features), np.float32)
    return (X / np.sqrt(features)).astype(np.float32), which % classes


def as_signs(y: NDArray[np.int64]) -> NDArray[np.float64]:
    """Two classes, 0 and 1, as −1 and +1 in a column.

    >>> as_signs(np.array([0, 1])).tolist()
    [[-1.0], [1.0]]
    """
    return np.where(y == 1, 1.0, -1.0)[:, None]
