"""Kernel perceptrons: without a budget, with random removal, with forgetting, with projection."""

from ..admission import LinearDependence, MarginDependence
from ..averaging import Average
from ..budgets import Budget
from ..kernels import Gaussian, Kernel
from ..losses import Hinge, Perceptron
from ..maintenance import Before, Forget, ForgetBasic, Random, Remove
from ..recipe import Recipe
from ..steps import Constant, Shifting
from .names import average_named


def perceptron(kernel: Kernel = Gaussian(), average: str | Average = "last") -> Recipe:
    r"""The kernel perceptron (Freund & Schapire 1999): on a mistake, add the example.

    .. math:: y_t f_t(x_t) \le 0 \;\Rightarrow\; f_{t+1} = f_t + y_t\, \kappa(x_t, \cdot)

    With several classes: +1 at the true class, −1 at the best wrong one.

    >>> perceptron().loss
    Perceptron()
    """
    return Recipe(kernel, Perceptron(), Constant(1.0), average=average_named(average))


def rbp(
    kernel: Kernel = Gaussian(),
    budget: Budget | int | str = 100,
    lam: float | None = None,
    average: str | Average = "last",
) -> Recipe:
    r"""RBP, the randomized budget perceptron (Cavallanti, Cesa-Bianchi & Gentile, Machine Learning 2007).

    On a mistake of a full model a support vector drawn at random goes first; then the example is added.

    Parameters
    ----------
    lam : float or None
        Shifting decay: at the k-th mistake f ← (1 − λ_k) f with λ_k = λ/(λ + k); None for none.

    >>> rbp(budget=50).maintenance
    Before(inner=Remove(choice=Random()))
    """
    step = Constant(1.0) if lam is None else Shifting(lam)
    return Recipe(
        kernel, Perceptron(), step, maintenance=Before(Remove(Random())), budget=budget, average=average_named(average)
    )


def forgetron(
    kernel: Kernel = Gaussian(),
    budget: Budget | int | str = 100,
    self_tuned: bool = True,
    average: str | Average = "last",
) -> Recipe:
    r"""The Forgetron (Dekel, Shalev-Shwartz & Singer, SIAM Journal on Computing 2008).

    On a mistake the example is added; if that exceeds the budget, everything is shrunk by φ and the oldest support
    vector forgotten. Self-tuned, φ is as large as the analysis allows: the damage Q of all removals stays below
    (15/32) M, M the number of mistakes.

    With several classes (ours) the weight of a support vector is measured in units of one step, which has norm √2, so
    that two classes behave as in the binary algorithm.

    >>> forgetron(budget=50).maintenance
    Forget()
    """
    return Recipe(
        kernel, Perceptron(), Constant(1.0), maintenance=Forget() if self_tuned else ForgetBasic(), budget=budget,
        average=average_named(average),
    )  # fmt: skip


def projectron(kernel: Kernel = Gaussian(), eta: float = 0.1, plus: bool = False) -> Recipe:
    r"""Projectron and Projectron++ (Orabona, Keshet & Caputo, JMLR 2009).

    On a mistake, with δ the distance of κ(x, ·) from the span of the support vectors: if δ ≤ η the step is projected on
    that span, else the example is added. Projectron++ also learns from margin errors whose loss ℓ exceeds δ/η, by

    .. math:: \tau = \min\Bigl\{\frac{\ell}{\|P\varphi\|^2}, \frac{2(\ell - \delta/\eta)}{\|P\varphi\|^2}, 1\Bigr\}

    along the projection. δ is not squared, and it is the least of the three: public programs differ on both.

    >>> projectron(plus=True).admission
    MarginDependence(eta=0.1)
    """
    if plus:
        return Recipe(kernel, Hinge(), Constant(1.0), admission=MarginDependence(eta))
    return Recipe(kernel, Perceptron(), Constant(1.0), admission=LinearDependence(eta))
