"""A rotating hyperplane: continuous drift."""

import numpy as np

from ..array_types import Floats, Labels
from .draws import uniforms


def plane_of_rotation(features: int, seed: int) -> Floats:
    """Two orthonormal vectors, shape (2, features), between which the hyperplane's normal rotates."""
    directions = np.random.default_rng([seed, 2]).standard_normal((features, 2))
    return np.linalg.qr(directions)[0].T


def rotating_hyperplane(
    n: int, *, features: int = 10, period: int = 10_000, noise: float = 0.0, start: int = 0, seed: int = 0
) -> tuple[Floats, Labels]:
    """Points of a cube, on one side or the other of a hyperplane through its centre that rotates at constant speed.

    x is uniform on [−1, 1)^features, and row t has y = +1 where w_t · x > 0, else −1, with the normal
    w_t = cos(2πt/period) u + sin(2πt/period) v for two directions u ⊥ v of the seed. Half a period later all labels
    are the opposite of what they were. (The hyperplane of Hulten, Spencer & Domingos drifts by random changes of
    its weights; this one can be started at any row.)

    Parameters
    ----------
    n : int
        Rows to return.
    features : int, default=10
        At least 2.
    period : int, default=10_000
        Rows for a full rotation.
    noise : float, default=0.0
        Probability that a label is flipped.
    start : int, default=0
        First row: ``rotating_hyperplane(n, start=s)`` are the last n rows of ``rotating_hyperplane(s + n)``.
    seed : int, default=0
        Same seed, same directions and same stream.

    Returns
    -------
    X : float64 array of shape (n, features)
    y : int64 array of shape (n,), −1 or +1

    References
    ----------
    G. Hulten, L. Spencer & P. Domingos, "Mining time-changing data streams", KDD 2001.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> from kernelstream.datasets import rotating_hyperplane
    >>> model = LinearSVC().fit(*rotating_hyperplane(500))
    >>> for start in (500, 2_500, 5_000):       # soon after, a quarter and a half rotation later
    ...     print(f"{model.score(*rotating_hyperplane(500, start=start)):.2f}")
    0.90
    0.55
    0.04
    """
    if features < 2:
        raise ValueError(f"features={features} must be at least 2, so that a hyperplane can rotate.")
    if period < 1:
        raise ValueError(f"period={period} rows must be at least 1.")
    if not 0.0 <= noise <= 1.0:
        raise ValueError(f"noise={noise} must be a probability, from 0 to 1.")
    u = uniforms(n, features + 1, start=start, seed=seed)
    X = 2.0 * u[:, :features] - 1.0
    angle = 2.0 * np.pi * (np.arange(start, start + n) % period) / period
    first, second = plane_of_rotation(features, seed)
    side = np.where(np.cos(angle) * (X @ first) + np.sin(angle) * (X @ second) > 0.0, 1, -1)
    return X, np.where(u[:, features] < noise, -side, side)
