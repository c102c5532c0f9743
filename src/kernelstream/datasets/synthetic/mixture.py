"""Gaussian mixtures in the plane, one for each class: the experiment of the POLK paper."""

import numpy as np

from ..array_types import Floats, Labels
from .draws import choices, normals, uniforms


def mode_means(classes: int, modes: int, spread: float, seed: int) -> Floats:
    """The means μ_{y,j} of a mixture, shape (classes, modes, 2): they depend on the seed, not on the rows."""
    angle = 2.0 * np.pi * np.arange(classes) / classes
    theta = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    noise = np.random.default_rng([seed, 1]).standard_normal((classes, modes, 2))
    return theta[:, None, :] + np.sqrt(spread) * noise


def gaussian_mixture(
    n: int,
    *,
    classes: int = 5,
    modes: int = 3,
    variance: float = 0.2,
    spread: float = 1.0,
    start: int = 0,
    seed: int = 0,
) -> tuple[Floats, Labels]:
    """Labels uniform, x | y an equal mixture of ``modes`` Gaussians in the plane.

    The means are drawn once per seed: μ_{y,j} ~ N(θ_y, spread · I) with θ_y equally spaced on the unit
    circle. Then x ~ N(μ_{y,j}, variance · I) with y and j uniform. The paper prints a component variance
    of 1; its figures and model sizes need about 0.2, the default here.

    Parameters
    ----------
    n : int
        Rows to return.
    classes, modes : int, default=5, 3
        Number of classes, and of Gaussians in each.
    variance, spread : float, default=0.2, 1.0
        Variance of a component, and of the component means around θ_y, along each axis.
    start : int, default=0
        First row: ``gaussian_mixture(n, start=s)`` are the last n rows of ``gaussian_mixture(s + n)``.
    seed : int, default=0
        Same seed, same mixture and same stream.

    Returns
    -------
    X : float64 array of shape (n, 2)
    y : int64 array of shape (n,), 0 … classes − 1

    References
    ----------
    A. Koppel, G. Warnell, E. Stump & A. Ribeiro, "Parsimonious online learning with kernels via sparse
    projections in function space", ICASSP 2017, section 5.

    Examples
    --------
    >>> from kernelstream.datasets import gaussian_mixture
    >>> X, y = gaussian_mixture(7_500)
    >>> X.shape, sorted(set(y.tolist()))
    ((7500, 2), [0, 1, 2, 3, 4])
    """
    if classes < 1 or modes < 1:
        raise ValueError(f"classes={classes} and modes={modes} must be at least 1.")
    if variance < 0.0 or spread < 0.0:
        raise ValueError(f"variance={variance} and spread={spread} must not be negative.")
    u = uniforms(n, 4, start=start, seed=seed)
    y, j = choices(u[:, 0], classes), choices(u[:, 1], modes)
    means = mode_means(classes, modes, spread, seed)
    return means[y, j] + np.sqrt(variance) * normals(u[:, 2:]), y
