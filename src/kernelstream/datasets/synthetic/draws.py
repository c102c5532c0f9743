"""Random access to random numbers: row i of a stream always uses the same draws.

A stream that consumes a fixed number of uniforms per row can start anywhere, because PCG64 jumps ahead
in O(log i). Normals therefore come from the inverse distribution function, one uniform each; numpy's own
normals take a varying number of draws.
"""

import numpy as np
from scipy.special import ndtri

from ..array_types import Floats, Labels


def uniforms(n: int, width: int, *, start: int, seed: int) -> Floats:
    """Rows ``start`` to ``start + n`` of the endless (·, width) table of uniforms that belongs to ``seed``.

    >>> table = uniforms(5, 3, start=0, seed=7)
    >>> bool((uniforms(2, 3, start=3, seed=7) == table[3:]).all())
    True
    """
    if n < 0:
        raise ValueError(f"n={n} rows were requested: use 0 or more.")
    if start < 0:
        raise ValueError(f"start={start} is negative: rows are counted from 0.")
    generator = np.random.PCG64(seed).advance(start * width)
    return np.random.Generator(generator).random((n, width))


def normals(u: Floats) -> Floats:
    """Standard normals from uniforms in [0, 1); an exact 0 counts as half the smallest step, 2⁻⁵⁴.

    >>> normals(np.array([0.5, 0.975])).round(3).tolist()
    [0.0, 1.96]
    """
    return ndtri(np.maximum(u, 2.0**-54))


def choices(u: Floats, k: int) -> Labels:
    """Uniform choices among 0 … k − 1 from uniforms in [0, 1)."""
    return (u * k).astype(np.int64)
