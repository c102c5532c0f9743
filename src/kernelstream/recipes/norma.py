"""NORMA: online gradient descent over a sliding window."""

from ..budgets import Budget
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Loss
from ..maintenance import Oldest, Remove
from ..recipe import Recipe
from ..steps import Power


def norma(
    kernel: Kernel = Gaussian(),
    loss: Loss = Hinge(),
    eta: float = 0.5,
    lam: float = 0.01,
    budget: Budget | int | str = 100,
) -> Recipe:
    r"""NORMA (Kivinen, Smola & Williamson, IEEE Transactions on Signal Processing 2004): decay, and drop the oldest.

    .. math:: f_{t+1} = (1 - \eta_t\lambda) f_t - \eta_t\, \partial\ell(f_t(x_t), y_t)\, \kappa(x_t, \cdot),
              \qquad \eta_t = \eta / \sqrt{t}

    Old coefficients have decayed most, so the oldest beyond the window can be dropped. The paper's window is a number
    of time steps; here it is a number of support vectors, so that memory is bounded.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    eta : float, default 0.5
        η of the step η/√t.
    lam : float, default 0.01
        λ, the regularisation: the weight of ½‖f‖² beside the mean loss.
    budget : int, str or Budget, default 100
        The most support vectors, a size such as "64 KiB", or a `Budget`.

    See Also
    --------
    kernel_sgd, bogd

    References
    ----------
    .. [1] J. Kivinen, A. J. Smola and R. C. Williamson. Online learning with kernels. IEEE Transactions on Signal
           Processing 52, 2004.

    Examples
    --------
    >>> norma().maintenance
    Remove(choice=Oldest())
    """
    return Recipe(kernel, loss, Power(eta, 0.5, lam), maintenance=Remove(Oldest()), budget=budget)
