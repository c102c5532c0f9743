"""The one thing that an example cannot do without: a row of kernel values, κ(x, all B support vectors).

Computed row by row, as the loop that learns needs it: no faster product of many rows at a time stands in for it.
"""

import time
from typing import Any

import numpy as np

from kernelstream import Model
from kernelstream.core.numba.cache import fingerprint, specialise
from kernelstream.core.rows import sqnorm


def rows(h: Any, X: np.ndarray, out: np.ndarray) -> float:
    """Entry point: a row of kernel values per example. The sum keeps the compiler from leaving them out."""
    ex, kernel, scratch = h.state.expansion, h.recipe.kernel, h.state.scratch
    total = 0.0
    for i in range(X.shape[0]):
        kernel.row(ex.sv, ex.sq, X[i], sqnorm(X[i]), ex.n[0], out, scratch)
        total += out[i % ex.n[0]]
    return total


def row_seconds(model: Model, X: np.ndarray) -> float:
    """Seconds for a row of every example against the support vectors of a trained model."""
    out = np.empty(model.dims.capacity, model.dtype)
    compiled = specialise(rows, *fingerprint(model.recipe))
    start = time.perf_counter()
    compiled(model._to_learn(), X, out)
    return time.perf_counter() - start
