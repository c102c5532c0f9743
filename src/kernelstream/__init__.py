"""Kernel classifiers and regressors that learn from data streams within a memory budget."""

import importlib
import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import (
        admission,
        bounds,
        budgets,
        client,
        datasets,
        distributed,
        estimators,
        evaluate,
        export,
        extend,
        kernels,
        losses,
        maintenance,
        merging,
        model,
        output,
        pipeline,
        plot,
        prepare,
        readers,
        recipes,
        reproduce,
        river,
        saving,
        serve,
        steps,
        tracking,
        tuning,
    )
    from .core.strategy import Strategy, strategy
    from .estimators import KernelClassifier, KernelRegressor, feature_relevance
    from .estimators.warm_up import warmup
    from .merging import Merged, merge
    from .model import Function, Model, Record
    from .pipeline import StreamPipeline, load
    from .recipe import Recipe
    from .saving import save

__version__ = "0.1.0"

# Silent by default; logging.basicConfig(level="INFO") shows compilations, rejected refits and the like.
logging.getLogger(__name__).addHandler(logging.NullHandler())

# Everything is imported on first use: numba and scikit-learn take a second or two, and `kernelstream --help` and the
# completion of its commands need neither. `client`, `river` and `distributed` ask for packages of their own.
_HOMES = {
    "Function": "model", "KernelClassifier": "estimators", "KernelRegressor": "estimators", "Merged": "merging",
    "Model": "model", "Recipe": "recipe", "Record": "model", "Strategy": "core.strategy", "StreamPipeline": "pipeline",
    "feature_relevance": "estimators", "load": "pipeline", "merge": "merging", "save": "saving",
    "strategy": "core.strategy", "warmup": "estimators.warm_up",
}  # fmt: skip

__all__ = [
    "Function",
    "KernelClassifier",
    "KernelRegressor",
    "Merged",
    "Model",
    "Recipe",
    "Record",
    "Strategy",
    "StreamPipeline",
    "admission",
    "bounds",
    "budgets",
    "client",
    "datasets",
    "distributed",
    "estimators",
    "evaluate",
    "export",
    "extend",
    "feature_relevance",
    "kernels",
    "load",
    "losses",
    "maintenance",
    "merge",
    "merging",
    "model",
    "output",
    "pipeline",
    "plot",
    "prepare",
    "readers",
    "recipes",
    "reproduce",
    "river",
    "save",
    "saving",
    "serve",
    "steps",
    "strategy",
    "tracking",
    "tuning",
    "warmup",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    if name in __all__:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
