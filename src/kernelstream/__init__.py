"""Kernel classifiers and regressors that learn from data streams in bounded memory."""

from typing import TYPE_CHECKING

from . import (
    admission,
    averaging,
    bounds,
    budgets,
    datasets,
    kernels,
    losses,
    maintenance,
    recipes,
    refit,
    steps,
)
from .model import Function, Model
from .recipe import Recipe
from .record import Record
from .strategy import Strategy, strategy

if TYPE_CHECKING:
    from .estimators import KernelClassifier, KernelRegressor

__version__ = "0.1.0"

__all__ = [
    "Function",
    "KernelClassifier",
    "KernelRegressor",
    "Model",
    "Recipe",
    "Record",
    "Strategy",
    "admission",
    "averaging",
    "bounds",
    "budgets",
    "datasets",
    "kernels",
    "losses",
    "maintenance",
    "recipes",
    "refit",
    "steps",
    "strategy",
]

_ESTIMATORS = {"KernelClassifier", "KernelRegressor"}


def __getattr__(name: str) -> object:
    """The estimators on first use: importing scikit-learn takes longer than everything else together."""
    if name not in _ESTIMATORS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import estimators

    return getattr(estimators, name)


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
