"""Projectron and Projectron++."""

from ..admission import LinearDependence, MarginDependence
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Perceptron
from ..recipe import Recipe
from ..steps import Constant


def projectron(kernel: Kernel = Gaussian(), eta: float = 0.1, plus: bool = False) -> Recipe:
    r"""Projectron and Projectron++ (Orabona, Keshet & Caputo, JMLR 2009).

    On a mistake, with δ the distance of κ(x, ·) from the span of the support vectors: if δ ≤ η the step is projected
    onto that span, else the example is added. Projectron++ also learns from margin errors whose loss ℓ exceeds δ/η, by

    .. math:: \tau = \min\Bigl\{\frac{\ell}{\|P\varphi\|^2}, \frac{2(\ell - \delta/\eta)}{\|P\varphi\|^2}, 1\Bigr\}

    along the projection. δ is not squared, and τ is the smallest of the three: published implementations differ on
    both.

    >>> projectron(plus=True).admission
    MarginDependence(eta=0.1)
    """
    if plus:
        return Recipe(kernel, Hinge(), Constant(1.0), admission=MarginDependence(eta))
    return Recipe(kernel, Perceptron(), Constant(1.0), admission=LinearDependence(eta))
