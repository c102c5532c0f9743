"""The Laplacian kernel."""

from typing import Any

from ..core.numba.math import cast, exp
from ..core.strategy import Positive, strategy
from .base import OfManhattan, unit_diagonal
from .width import check_gamma, resolve_gamma


@strategy
class Laplacian(OfManhattan):
    """The Laplacian kernel κ(x, z) = exp(−γ Σ_k |x_k − z_k|).

    Parameters
    ----------
    gamma : float, "scale" or "auto", default 1.0
        γ, the inverse width; "scale" and "auto" as for `Gaussian`.

    Examples
    --------
    >>> Laplacian(gamma=0.5)([[0.0, 0.0]], [[1.0, 1.0]]).round(4)
    array([[0.3679]])
    """

    gamma: Positive | str = 1.0
    normalised = True
    diagonal = unit_diagonal

    check = check_gamma
    resolve = resolve_gamma

    def of(self, u: Any) -> Any:
        return exp(-cast(self.gamma, u) * u)
