"""Losses: what the learned function is asked to keep small."""

from .base import Loss, ScalarLoss
from .crammer_singer import CrammerSinger
from .hinge import Hinge, SquaredHinge
from .logistic import Exponential, Logistic, Multinomial
from .perceptron import Perceptron, PerceptronClasses
from .regression import Absolute, EpsilonInsensitive, Huber, Quantile, Squared

__all__ = [
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
    "ScalarLoss",
    "Squared",
    "SquaredHinge",
]
