"""Losses: what learning minimises."""

from ..core.registry import Registry
from .base import Loss, ScalarLoss
from .crammer_singer import CrammerSinger
from .hinge import Hinge, SquaredHinge
from .logistic import Exponential, Logistic, Multinomial, RealExponential
from .perceptron_loss import Perceptron, PerceptronClasses
from .regression import Absolute, EpsilonInsensitive, Huber, Quantile, Squared


def _as_loss(value: object) -> Loss:
    if not isinstance(value, Loss):
        raise ValueError(f"a loss must be a Loss, such as Hinge(), not {value!r}.")
    return value


LOSSES: Registry[Loss] = Registry(
    "loss",
    {
        "hinge": Hinge(),
        "squared_hinge": SquaredHinge(),
        "logistic": Logistic(),
        "exponential": Exponential(),
        "crammer_singer": CrammerSinger(),
        "multinomial": Multinomial(),
        "squared": Squared(),
        "absolute": Absolute(),
        "epsilon_insensitive": EpsilonInsensitive(),
        "huber": Huber(),
        "quantile": Quantile(),
        "perceptron": Perceptron(),
    },
    _as_loss,
)
register = LOSSES.register

__all__ = [
    "LOSSES",
    "Absolute",
    "CrammerSinger",
    "EpsilonInsensitive",
    "Exponential",
    "Hinge",
    "Huber",
    "Logistic",
    "Loss",
    "Multinomial",
    "Perceptron",
    "PerceptronClasses",
    "Quantile",
    "RealExponential",
    "ScalarLoss",
    "Squared",
    "SquaredHinge",
    "register",
]
