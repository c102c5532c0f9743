"""Online gradient descent on explicit features that approximate a kernel."""

from ..kernels import Gaussian, Kernel
from ..kernels.fourier import Fourier
from ..losses import Hinge, Loss
from ..maintenance import Freeze
from ..output import Output
from ..recipe import Recipe
from ..steps import Power
from .names import output_named


def fogd(
    gamma: float | str = "scale",
    frequencies: int = 100,
    loss: Loss = Hinge(),
    eta: float = 1.0,
    output: str | Output = "last",
) -> Recipe:
    r"""FOGD (Lu, Hoi, Wang, Zhao & Liu, JMLR 2016): gradient descent on 2D random Fourier features.

    .. math:: W \leftarrow W - \eta_t\, z(x_t)\, \partial\ell(W^\top z(x_t), y_t)^\top, \qquad \eta_t = \eta/\sqrt{t}

    The features have the factor 1/√D, which the authors' program leaves out: their η is D times smaller. In a model the
    frequencies stand where support vectors do.

    Parameters
    ----------
    gamma : float, "scale" or "auto", default "scale"
        γ of the Gaussian kernel that the features approximate.
    frequencies : int, default 100
        D, the number of random frequencies; there are 2D features.
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    eta : float, default 1.0
        η of the step η/√t.
    output : str or Output, default "last"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.

    See Also
    --------
    nogd

    References
    ----------
    .. [1] J. Lu, S. C. H. Hoi, J. Wang, P. Zhao and Z.-Y. Liu. Large scale online kernel learning. JMLR 17, 2016.

    Examples
    --------
    >>> fogd(gamma=4.0, frequencies=50).kernel
    Fourier(gamma=4.0, frequencies=50)
    """
    return Recipe(Fourier(gamma, frequencies), loss, Power(eta, 0.5), output=output_named(output))


def nogd(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    eta: float = 1.0,
    budget: int = 100,
    rank: int | None = None,
    output: str | Output = "last",
) -> Recipe:
    r"""NOGD (Lu, Hoi, Wang, Zhao & Liu, JMLR 2016): kernel gradient descent, and on Nyström features once it is full.

    With K = V diag(l) Vᵀ the Gram matrix of the first B support vectors, the features are those of its k largest
    eigenvalues: f stays in the span of the dictionary, and every step is projected on the leading eigenfunctions.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    eta : float, default 1.0
        η of the step η/√t.
    budget : int, default 100
        B, the number of support vectors, from which on the features are fixed.
    rank : int or None, default None
        k; None is a quarter of the budget.
    output : str or Output, default "last"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.

    See Also
    --------
    fogd

    References
    ----------
    .. [1] J. Lu, S. C. H. Hoi, J. Wang, P. Zhao and Z.-Y. Liu. Large scale online kernel learning. JMLR 17, 2016.

    Examples
    --------
    >>> nogd(budget=100).maintenance
    Freeze(rank=25)
    """
    freeze = Freeze(max(budget // 4, 1) if rank is None else rank)
    return Recipe(kernel, loss, Power(eta, 0.5), maintenance=freeze, budget=budget, output=output_named(output))
