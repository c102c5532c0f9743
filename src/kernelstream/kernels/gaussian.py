"""The Gaussian kernel."""

from typing import Any

from ..core.numba.math import cast, exp
from ..core.strategy import Positive, strategy
from .base import Radial, unit_diagonal
from .width import check_gamma, resolve_gamma


@strategy
class Gaussian(Radial):
    """The Gaussian (RBF) kernel κ(x, z) = exp(−γ ‖x − z‖²).

    Parameters
    ----------
    gamma : float, "scale" or "auto"
        "scale" is 1 / (features × variance), as in scikit-learn; "auto" is 1/(2σ²) with σ the 20th percentile of
        the distances between pairs. Both are taken from the first rows that a model sees.

    Examples
    --------
    >>> Gaussian(gamma=0.5)([[0.0, 0.0]], [[1.0, 1.0]]).round(4)
    array([[0.3679]])
    >>> Gaussian.of_width(1.0)
    Gaussian(gamma=0.5)
    """

    gamma: Positive | str = 1.0
    normalised = True
    diagonal = unit_diagonal
    mergeable = True
    blocks = True

    check = check_gamma
    resolve = resolve_gamma

    @staticmethod
    def of_width(sigma: float) -> "Gaussian":
        """The kernel exp(−‖x − z‖² / (2σ²))."""
        return Gaussian(1.0 / (2.0 * sigma * sigma))

    def steepness(self) -> Any:
        return self.gamma

    def of(self, u: Any) -> Any:
        return exp(-cast(self.gamma, u) * u)
