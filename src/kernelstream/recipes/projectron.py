"""Projectron and Projectron++."""

from ..admission import LinearDependence, MarginDependence
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Perceptron
from ..recipe import Recipe
from ..steps import Constant


def projectron(kernel: Kernel = Gaussian(), eta: float = 0.1, plus: bool = False, own: bool = False) -> Recipe:
    r"""Projectron and Projectron++ (Orabona, Keshet & Caputo, JMLR 2009).

    On a mistake, with δ the distance of κ(x, ·) from the span of the support vectors: if δ ≤ η the step is projected
    onto that span, else the example is added. Projectron++ also learns from margin errors whose loss ℓ exceeds δ/η, by

    .. math:: \tau = \min\Bigl\{\frac{\ell}{\|P\varphi\|^2}, \frac{2(\ell - \delta/\eta)}{\|P\varphi\|^2}, 1\Bigr\}

    along the projection. δ is not squared, and τ is the smallest of the three: published implementations differ on
    both.

    With several classes the step D = (e_y − e_s) κ(x, ·), s the best wrong class, takes the place of φ, and η bounds
    the error of the projection of a single κ(x, ·): δ/η is ‖D − PD‖/(√2 η).

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    eta : float, default 0.1
        η, the largest distance of a projected example from its projection, in the feature space of the kernel.
    plus : bool, default False
        Whether to learn from margin errors too: Projectron++.
    own : bool, default False
        Whether a class projects on its own support vectors only, those added with a coefficient for it, instead of on
        all. Wang, Crammer & Vucetic (ICML 2010) describe the multi-class Projectron so, and compare with it. There is
        one decision for both classes of a step: both are projected if both errors are at most η (a class without
        support vectors projects to 0), else the example is added for both. More support vectors are kept, and the
        inverse matrices of c classes take O(c n²) memory. With two classes it makes no difference.

    See Also
    --------
    perceptron, polk

    References
    ----------
    .. [1] F. Orabona, J. Keshet and B. Caputo. Bounded kernel-based online learning. JMLR 10, 2009.

    Examples
    --------
    >>> projectron(plus=True).admission
    MarginDependence(eta=0.1, own=False)
    """
    if plus:
        return Recipe(kernel, Hinge(), Constant(1.0), admission=MarginDependence(eta, own))
    return Recipe(kernel, Perceptron(), Constant(1.0), admission=LinearDependence(eta, own))
