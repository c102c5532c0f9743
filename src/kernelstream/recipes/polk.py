"""Parsimonious online learning with kernels."""

from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Loss
from ..maintenance import Prune
from ..recipe import Recipe
from ..steps import Constant, Power


def polk(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    eta: float = 0.5,
    lam: float = 1e-6,
    parsimony: float = 0.1,
    diminishing: bool = False,
    batch: int = 1,
) -> Recipe:
    r"""POLK (Koppel, Warnell, Stump & Ribeiro, ICASSP 2017): a step, then as few support vectors as a tolerance allows.

    .. math:: \tilde f_{t+1} = (1 - \eta\lambda) f_t - \eta\, \partial\ell(f_t(x_t), y_t)\, \kappa(x_t, \cdot), \qquad
              f_{t+1} = \mathrm{KOMP}(\tilde f_{t+1}, \varepsilon), \quad \|f_{t+1} - \tilde f_{t+1}\| \le \varepsilon

    with ε = K η^{3/2} for a constant step and ε_t = η_t² for a diminishing one, η_t = η/t. There is no budget: the
    size of the model follows from the tolerance. Each removal updates the inverse Gram matrix in O(M²), without a new
    inversion.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    eta : float, default 0.5
        η, the step size; with `diminishing` that of the first step.
    lam : float, default 1e-6
        λ of the objective, mean loss + ½λ‖f‖², whose gradient step has the decay 1 − ηλ (the paper's equation 7). The
        objective of its experiment (23) is printed without the ½, which would be the problem with 2λ.
    parsimony : float, default 0.1
        K. Larger values give fewer support vectors and a coarser function. Not used with `diminishing`.
    diminishing : bool, default False
        Whether the step is η/t, with the tolerance η_t², instead of constant.
    batch : int, default 1
        Examples per step. The published experiment is reproduced with batch=32, eta=6, parsimony=0.04.

    See Also
    --------
    bsgd, projectron

    References
    ----------
    .. [1] A. Koppel, G. Warnell, E. Stump and A. Ribeiro. Parsimonious online learning with kernels via sparse
           projections in function space. ICASSP 2017.

    Examples
    --------
    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(1000, seed=0)
    >>> Model.from_recipe(recipes.polk(Gaussian(4.0)), X, y).learn_many(X, y).n_support
    147
    """
    if diminishing:
        return Recipe(kernel, loss, Power(eta, 1.0, lam), maintenance=Prune(1.0, 2.0), batch=batch)
    return Recipe(kernel, loss, Constant(eta, lam), maintenance=Prune(parsimony, 1.5), batch=batch)
