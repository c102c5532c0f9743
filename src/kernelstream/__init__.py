"""Kernel classifiers and regressors that learn from data streams in bounded memory."""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import (
        admission,
        averaging,
        bounds,
        budgets,
        datasets,
        distributed,
        evaluate,
        files,
        kernels,
        losses,
        maintenance,
        merging,
        plot,
        recipes,
        refit,
        steps,
    )
    from .estimators import KernelClassifier, KernelRegressor
    from .files import load, save
    from .merging import Merged, merge
    from .model import Function, Model
    from .recipe import Recipe
    from .record import Record
    from .strategy import Strategy, strategy

__version__ = "0.1.0"

__all__ = [
    "Function",
    "KernelClassifier",
    "KernelRegressor",
    "Merged",
    "Model",
    "Recipe",
    "Record",
    "Strategy",
    "admission",
    "averaging",
    "bounds",
    "budgets",
    "datasets",
    "distributed",
    "evaluate",
    "files",
    "kernels",
    "load",
    "losses",
    "maintenance",
    "merge",
    "merging",
    "plot",
    "recipes",
    "refit",
    "save",
    "steps",
    "strategy",
]

# Everything is imported on first use: numba and scikit-learn take a second or two, and `kernelstream --help` and the
# completion of its commands need neither.
_HOMES = {
    "Function": "model", "KernelClassifier": "estimators", "KernelRegressor": "estimators", "Model": "model",
    "Merged": "merging", "Recipe": "recipe", "Record": "record", "Strategy": "strategy", "load": "files",
    "merge": "merging", "save": "files",
}  # fmt: skip


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    if name in __all__:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))


class _Package(ModuleType):
    """`kernelstream.strategy` is the decorator, though a submodule has the same name."""

    @property
    def strategy(self) -> object:
        return importlib.import_module(".strategy", __name__).strategy

    @strategy.setter
    def strategy(self, submodule: ModuleType) -> None:
        """Whoever imports the submodule lets Python set its name here: it stays the decorator's."""


sys.modules[__name__].__class__ = _Package
