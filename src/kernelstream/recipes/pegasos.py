"""Kernel SGD and Pegasos, both without a budget."""

from ..bounds import Ball, Bound, Unbounded
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Loss
from ..output import Output
from ..recipe import Recipe
from ..steps import InverseTime
from .names import output_named


def kernel_sgd(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    lam: float = 1e-4,
    offset: float = 0.0,
    output: str | Output = "last",
    batch: int = 1,
    bound: Bound = Unbounded(),
) -> Recipe:
    r"""Stochastic gradient descent in the RKHS, without a budget (Kivinen, Smola & Williamson 2004).

    .. math:: f_{t+1} = (1 - \eta_t\lambda) f_t - \eta_t\, \partial\ell(f_t(x_t), y_t)\, \kappa(x_t, \cdot),
              \qquad \eta_t = \frac{1}{\lambda (t + t_0)}

    Every example with a loss becomes a support vector.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    lam : float, default 1e-4
        λ, the regularisation.
    offset : float, default 0.0
        t₀ = offset/λ. The papers use 0; with 2 no step exceeds ½.
    output : "last", "mean", "suffix", "random" or an Output, default "last"
        Which iterate is the model.
    batch : int, default 1
        Examples per update; the step is along their mean gradient.
    bound : Bound, default Unbounded()
        What f is projected on after each step; `Unbounded()` for nothing.

    See Also
    --------
    pegasos, norma, olk

    References
    ----------
    .. [1] J. Kivinen, A. J. Smola and R. C. Williamson. Online learning with kernels. IEEE Transactions on Signal
           Processing 52, 2004.

    Examples
    --------
    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(1000, seed=0)
    >>> Model.from_recipe(recipes.kernel_sgd(Gaussian(4.0)), X, y).learn_many(X, y).n_support
    153
    """
    return Recipe(kernel, loss, InverseTime.offset(lam, offset), bound=bound, output=output_named(output), batch=batch)


def pegasos(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    lam: float = 1e-4,
    offset: float = 0.0,
    output: str | Output = "last",
    batch: int = 1,
) -> Recipe:
    r"""Pegasos (Shalev-Shwartz, Singer & Srebro, ICML 2007): kernel SGD, projected onto a ball.

    .. math:: f_{t+1} \leftarrow \min\{1, R / \|f_{t+1}\|\}\, f_{t+1}, \qquad \lambda R^2 = \sup_z (-\ell'(z)\, z)

    The ball contains the optimum. For the hinge loss R = 1/√λ, as in the paper; other losses have their own radius,
    because 1/√λ would exclude the optimum of some of them.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    lam : float, default 1e-4
        λ, the regularisation: the weight of ½‖f‖² beside the mean loss.
    offset : float, default 0.0
        t₀ = offset/λ in the step 1/(λ (t + t₀)). The papers use 0; with 2 no step exceeds ½.
    output : str or Output, default "last"
        Which iterate predicts: "last", "mean", "suffix" (the mean of the last half), "random", or an `Output`.
    batch : int, default 1
        Examples per update; the step is along their mean gradient.

    See Also
    --------
    kernel_sgd, bsgd

    References
    ----------
    .. [1] S. Shalev-Shwartz, Y. Singer and N. Srebro. Pegasos: primal estimated sub-gradient solver for SVM. ICML 2007.

    Examples
    --------
    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(1000, seed=0)
    >>> Model.from_recipe(recipes.pegasos(Gaussian(4.0), lam=0.01), X, y).learn_many(X, y).norm <= 10.0
    True
    """
    return kernel_sgd(kernel, loss, lam, offset, output, batch, bound=Ball())
