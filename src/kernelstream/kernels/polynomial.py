"""Kernels of the dot product."""

from typing import Any

from ..core.numba.math import cast
from ..core.strategy import Count, NonNegative, Positive, strategy
from .base import OfDot
from .width import check_gamma, resolve_gamma


@strategy
class Linear(OfDot):
    """The linear kernel κ(x, z) = x · z.

    Examples
    --------
    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """

    blocks = True

    def of(self, u: Any) -> Any:
        return u


@strategy
class Polynomial(OfDot):
    """The polynomial kernel κ(x, z) = (γ x · z + c₀)^p; γ may be "scale" or "auto", as for `Gaussian`.

    Parameters
    ----------
    degree : int, default 3
        p, the degree.
    gamma : float, "scale" or "auto", default 1.0
        γ, the factor of the dot product.
    coef0 : float, default 1.0
        c₀, the constant.

    Examples
    --------
    >>> Polynomial(degree=2, gamma=1.0, coef0=1.0)([[1.0, 2.0]], [[3.0, 4.0]])
    array([[144.]])
    """

    degree: Count = 3
    gamma: Positive | str = 1.0
    coef0: NonNegative = 1.0
    blocks = True

    check = check_gamma
    resolve = resolve_gamma

    def of(self, u: Any) -> Any:
        base = cast(self.gamma, u) * u + cast(self.coef0, u)
        power = base
        for _ in range(self.degree - 1):
            power = power * base
        return power
