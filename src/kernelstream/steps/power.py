"""Constant steps and steps that fall as a power of time."""

from typing import Any

from ..core.state import State
from ..core.strategy import NonNegative, Positive, strategy
from .base import Step


def _check_decay(step: Any) -> None:
    if step.eta * step.lam >= 1.0:
        raise ValueError(
            f"{type(step).__name__}: eta * lam = {step.eta * step.lam:g} would erase the function at every step; "
            "it must be below 1."
        )


@strategy
class Constant(Step):
    """A constant step η_t = η, with decay 1 − ηλ.

    Parameters
    ----------
    eta : float, default 0.5
        η, the step size.
    lam : float, default 0.0
        λ, the regularisation.
    """

    eta: Positive = 0.5
    lam: NonNegative = 0.0

    check = _check_decay

    def rate(self, t: int, loss: float, curve: float) -> float:
        return self.eta

    def decay(self, t: int, st: State) -> float:
        return 1.0 - self.eta * self.lam


@strategy
class Power(Step):
    """Steps that fall as a power of time: η_t = η t^−b, with decay 1 − η_t λ. b = ½ is online gradient descent.

    Parameters
    ----------
    eta : float, default 0.5
        η, the first step.
    b : float, default 0.5
        The power of time.
    lam : float, default 0.0
        λ, the regularisation.
    """

    eta: Positive = 0.5
    b: Positive = 0.5
    lam: NonNegative = 0.0

    check = _check_decay

    def rate(self, t: int, loss: float, curve: float) -> float:
        return self.eta * float(t) ** -self.b

    def decay(self, t: int, st: State) -> float:
        return 1.0 - self.eta * float(t) ** -self.b * self.lam
