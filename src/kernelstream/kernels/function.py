"""A user's plain function of two vectors as a kernel."""

import functools
from typing import Any

import numpy as np

from ..core.numba.lowering import compiled_for_users
from ..core.strategy import strategy
from ..core.types import Array
from .base import Pairwise


def kernel(function: Any) -> Pairwise:
    """Make a kernel of a function of two 1-d arrays that returns a number; it runs compiled like the built-in ones.

    The function must be one that numba can compile: arithmetic, loops, `math` and most of `numpy`.

    Parameters
    ----------
    function : function of two arrays
        κ(x, z): takes two vectors of float and returns a number.

    Examples
    --------
    >>> import numpy as np
    >>> from kernelstream.kernels import kernel
    >>> def histogram_intersection(x, z):
    ...     return np.minimum(x, z).sum()
    >>> kernel(histogram_intersection)([[1.0, 3.0]], [[2.0, 2.0]])
    array([[3.]])
    """
    if not callable(function):
        raise ValueError(f"kernel: {function!r} is not a function of two vectors.")
    return _class_of(function)()


@functools.cache
def _class_of(function: Any) -> Any:
    call, plain = compiled_for_users(function)

    class FunctionKernel(Pairwise):
        __slots__ = ()

        def pair(self, x: Array, z: Array) -> float:
            return call(x, z)

        def matrix(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
            return np.array([[plain(x, z) for z in Z] for x in X], np.float64)

        def __repr__(self) -> str:
            return f"kernel({plain.__name__})"

        def __reduce__(self) -> tuple:
            return kernel, (function,)

    if plain.__name__.isidentifier():  # a lambda has no name
        FunctionKernel.__name__ = FunctionKernel.__qualname__ = plain.__name__
    new: Any = strategy(FunctionKernel)
    new.function = staticmethod(plain)
    return new
