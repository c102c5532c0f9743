"""The state of a model carried over to one of other sizes, its outputs mixed anew."""

from typing import Any

import numpy as np

from ..state import Derived, allocate
from ..strategy import Dims


def carry_over(recipe: Any, old: Any, new: Any, mix: np.ndarray) -> None:
    """Copy the state `old` into `new`, as much of each array as both have; f_new = mix @ f_old.

    Everything that has an axis of outputs is linear in them: coefficients, their averages, sums of targets.
    """
    # two small states that differ in the number of outputs tell which axis that is
    small = Dims(1, 1, 1, np.dtype(np.float32), recipe.batch)
    _carry(old, new, allocate(recipe, small), allocate(recipe, small._replace(outputs=2)), mix)


def _carry(old: Any, new: Any, one: Any, two: Any, mix: np.ndarray) -> None:
    if isinstance(old, Derived):
        return
    if not isinstance(old, np.ndarray):
        for parts in zip(old, new, one, two, strict=True):
            _carry(*parts, mix)
        return
    axis = next((k for k in range(old.ndim) if one.shape[k] != two.shape[k]), None)
    if axis is not None:
        old = np.moveaxis(np.tensordot(mix, old, (1, axis)), 0, axis)
    shared = tuple(slice(0, min(sizes)) for sizes in zip(old.shape, new.shape, strict=True))
    new[shared] = old[shared]
