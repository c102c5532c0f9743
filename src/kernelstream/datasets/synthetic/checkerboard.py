"""The checkerboard: a problem on which a linear model learns nothing."""

import numpy as np

from ..array_types import Floats, Labels
from .draws import uniforms


def checkerboard(n: int, *, cells: int = 4, noise: float = 0.0, start: int = 0, seed: int = 0) -> tuple[Floats, Labels]:
    """Points of a board of ``cells`` × ``cells`` unit squares, labelled by the colour of their square.

    x is uniform on [0, cells)², and y = +1 where ⌊x₁⌋ + ⌊x₂⌋ is even, else −1. A square has side 1, so a
    Gaussian kernel exp(−γ‖x − z‖²) with γ = 4 has fallen to e⁻¹ half a square away. For other coordinates
    scale γ too: on [0, 1]² the same kernel has γ = 4 · cells².

    Parameters
    ----------
    n : int
        Rows to return.
    cells : int, default=4
        Squares along each side. With an even number both colours are equally frequent.
    noise : float, default=0.0
        Probability that a label is flipped; no classifier has a lower error than min(noise, 1 − noise).
    start : int, default=0
        First row: ``checkerboard(n, start=s)`` are the last n rows of ``checkerboard(s + n)``.
    seed : int, default=0
        Same seed, same stream.

    Returns
    -------
    X : float64 array of shape (n, 2)
    y : int64 array of shape (n,), −1 or +1

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(2_000)
    >>> X_test, y_test = checkerboard(10_000, start=2_000)
    >>> print(f"{SVC(gamma=4, C=10).fit(X, y).score(X_test, y_test):.2f}")
    0.96
    """
    if cells < 1:
        raise ValueError(f"cells={cells} must be at least 1.")
    if not 0.0 <= noise <= 1.0:
        raise ValueError(f"noise={noise} must be a probability, from 0 to 1.")
    u = uniforms(n, 3, start=start, seed=seed)
    X = u[:, :2] * cells
    colour = 1 - 2 * (np.floor(X).astype(np.int64).sum(axis=1) % 2)
    return X, np.where(u[:, 2] < noise, -colour, colour)
