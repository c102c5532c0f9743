"""Kernels with heavy tails: Cauchy and rational quadratic."""

from typing import Any

from ..core.numba.math import cast
from ..core.strategy import Positive, strategy
from .base import Radial, unit_diagonal
from .width import LARGEST, SMALLEST, check_gamma, check_length, resolve_gamma


@strategy
class Cauchy(Radial):
    """The Cauchy kernel κ(x, z) = 1 / (1 + γ ‖x − z‖²).

    Parameters
    ----------
    gamma : float, "scale" or "auto", default 1.0
        γ, the inverse squared width; "scale" and "auto" as for `Gaussian`.

    Examples
    --------
    >>> Cauchy(gamma=0.5)([[0.0, 0.0]], [[1.0, 1.0]])
    array([[0.5]])
    """

    gamma: Positive | str = 1.0
    normalised = True
    diagonal = unit_diagonal
    blocks = True

    check = check_gamma
    resolve = resolve_gamma

    def steepness(self) -> Any:
        return self.gamma

    def of(self, u: Any) -> Any:
        return cast(1.0, u) / (cast(1.0, u) + cast(self.gamma, u) * u)


@strategy
class RationalQuadratic(Radial):
    """The rational quadratic kernel κ(x, z) = (1 + ‖x − z‖² / (2αℓ²))^−α, a mixture of Gaussians of widths around ℓ.

    Parameters
    ----------
    alpha : float, default 1.0
        α: smaller values mix widths farther apart.
    length : float, default 1.0
        ℓ, the length scale, in units of the features.

    Examples
    --------
    >>> RationalQuadratic(alpha=1.0, length=1.0)([[0.0, 0.0]], [[1.0, 1.0]])
    array([[0.5]])
    """

    alpha: Positive = 1.0
    length: Positive = 1.0
    normalised = True
    diagonal = unit_diagonal
    blocks = True

    def check(self) -> None:
        check_length(self)
        if not all(SMALLEST <= value <= LARGEST for value in (self.alpha, self.alpha * self.length * self.length)):
            raise ValueError(
                f"RationalQuadratic: alpha and alpha · length² must be from {SMALLEST:g} to {LARGEST:g}, and alpha is "
                f"{self.alpha!r}. Scale the features, or use the Gaussian kernel instead of a large alpha."
            )

    def steepness(self) -> float:
        return 0.5 / (self.length * self.length)

    def of(self, u: Any) -> Any:
        base = cast(1.0, u) + u / cast(2.0 * self.alpha * self.length * self.length, u)
        return base ** cast(-self.alpha, u)
