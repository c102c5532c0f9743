"""Features in other units: everything stored is converted, so that a stream's scale may change while it is learned."""

from typing import Any

import numpy as np

from ..core.precision import DEFAULT
from ..core.state import PASSING, Derived, State, allocate
from ..core.strategy import Dims


def convert(recipe: Any, state: State, factors: np.ndarray) -> None:
    """Multiply feature k of every stored row by factors[k]; squared norms, kernel values and what follows from them are
    computed again.

    The statistics of a refit stay as they are: they fade, or are gathered again at the next renewal.
    """
    # two small states that differ in the number of features tell which axis that is
    small = Dims(1, 1, 1, np.dtype(DEFAULT), recipe.batch)
    one, two = allocate(recipe, small), allocate(recipe, small._replace(features=2))
    for name, part in state._asdict().items():
        if name not in PASSING:
            _convert(part, getattr(one, name), getattr(two, name), factors)
    ex, n = state.expansion, int(state.expansion.n[0])
    recipe.output.rescaled(state.output)
    state.run.intact[0] = 0.0
    if not state.inverse and not state.norm and recipe.kernel.normalised:
        return  # nothing else depends on kernel values, and κ(x, x) is 1
    gram = recipe.kernel.gram(ex.sv[:, :n].T.astype(np.float64))
    coef = ex.coef[:, :n].T * ex.scale[0]
    ex.diag[:n] = np.diag(gram)
    recipe.inverse.adopt(state.inverse, gram, coef)
    recipe.norm.adopt(state.norm, float(np.sum(coef * (gram @ coef))))


def _convert(node: Any, one: Any, two: Any, factors: np.ndarray) -> None:
    if isinstance(node, Derived):
        return
    if not isinstance(node, np.ndarray):
        for parts in zip(node, one, two, strict=True):
            _convert(*parts, factors)
        for rows, squares, axis in (("sv", "sq", 0), ("x", "xx", 1)):
            if hasattr(node, rows) and hasattr(node, squares):
                getattr(node, squares)[...] = (getattr(node, rows).astype(np.float64) ** 2).sum(axis=axis)
        return
    for k in range(node.ndim):
        if one.shape[k] != two.shape[k]:
            shape = [1] * node.ndim
            shape[k] = -1
            node *= factors.reshape(shape).astype(node.dtype)
