"""Matérn kernels with ν = 3/2 and 5/2: functions that are once and twice differentiable."""

from typing import Any

import numpy as np

from ..core.numba.math import cast, exp
from ..core.strategy import Positive, strategy
from .base import Radial, unit_diagonal
from .width import check_length

FAR = 1e12  # the largest r²: there the kernel is 0 to any precision, and r² times the least value of `exp` still is


@strategy
class Matern32(Radial):
    """The Matérn-3/2 kernel κ(x, z) = (1 + r) e^−r with r = √3 ‖x − z‖ / ℓ.

    Parameters
    ----------
    length : float, default 1.0
        ℓ, the length scale, in units of the features.

    Examples
    --------
    >>> Matern32(length=1.0)([[0.0]], [[1.0]]).round(4)
    array([[0.4834]])
    """

    length: Positive = 1.0
    normalised = True
    diagonal = unit_diagonal
    blocks = True

    check = check_length

    def steepness(self) -> float:
        return 1.5 / (self.length * self.length)

    def of(self, u: Any) -> Any:
        r = np.sqrt(np.minimum(cast(3.0 / (self.length * self.length), u) * u, cast(FAR, u)))
        return (cast(1.0, u) + r) * exp(-r)


@strategy
class Matern52(Radial):
    """The Matérn-5/2 kernel κ(x, z) = (1 + r + r²/3) e^−r with r = √5 ‖x − z‖ / ℓ.

    Parameters
    ----------
    length : float, default 1.0
        ℓ, the length scale, in units of the features.

    Examples
    --------
    >>> Matern52(length=1.0)([[0.0]], [[1.0]]).round(4)
    array([[0.524]])
    """

    length: Positive = 1.0
    normalised = True
    diagonal = unit_diagonal
    blocks = True

    check = check_length

    def steepness(self) -> float:
        return 5.0 / (6.0 * self.length * self.length)

    def of(self, u: Any) -> Any:
        v = np.minimum(cast(5.0 / (self.length * self.length), u) * u, cast(FAR, u))
        r = np.sqrt(v)
        return (cast(1.0, u) + r + v / cast(3.0, u)) * exp(-r)
