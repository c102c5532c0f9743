"""Kernel classifiers and regressors that learn from data streams in bounded memory."""

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

__version__ = "0.1.0"

__all__ = [
    "Function",
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
    "steps",
    "strategy",
]
