"""Kernel classifiers and regressors that learn from data streams in bounded memory."""

import importlib
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
    steps,
)
from .model import Function, Model
from .recipe import Recipe
from .record import Record
from .strategy import Strategy, strategy

if TYPE_CHECKING:
    from . import evaluate, files, plot
    from .estimators import KernelClassifier, KernelRegressor
    from .files import load, save

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
    "evaluate",
    "files",
    "kernels",
    "load",
    "losses",
    "maintenance",
    "plot",
    "recipes",
    "save",
    "steps",
    "strategy",
]

# what is imported on first use: scikit-learn alone takes longer than everything else together
_LATER = {"KernelClassifier": "estimators", "KernelRegressor": "estimators", "load": "files", "save": "files"}
_MODULES = {"evaluate", "files", "plot"}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
