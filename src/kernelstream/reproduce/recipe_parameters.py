"""A recipe from the parameters in an experiment's file."""

import inspect
import math
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..kernels import Gaussian
from ..losses import LOSSES
from ..recipe import Recipe
from ..recipes import RECIPES
from ..steps import Constant

_STEPS = 10  # of the bisection that searches a size
_MOST = 1.15  # times the size is close enough
_AMOUNT = re.compile(r"([0-9.e+-]+) ?(/ ?d|n|/ ?n\^([0-9.]+))")


class SizeSearch(NamedTuple):
    """A search for the value of a parameter that gives `size` support vectors on the first `rows`.

    The number of support vectors falls from `low` to `high`; `low` may be the larger value.
    """

    parameter: str
    size: int
    low: float
    high: float
    rows: int
    whole: bool
    given: Mapping[str, Any]

    def narrow(self, size_at: Callable[[float], int]) -> dict[str, Any]:
        """The parameters with the value found by bisection of its logarithm; at most `size` vectors where possible."""
        low, high = math.log(self.low), math.log(self.high)
        tried: dict[float, int] = {}
        for _ in range(_STEPS):
            middle = (low + high) / 2.0
            value = round(math.exp(middle)) if self.whole else math.exp(middle)
            if value not in tried:
                tried[value] = size_at(value)
            low, high = (middle, high) if tried[value] > self.size else (low, middle)
        # a model without support vectors does not count
        best = min(tried, key=lambda value: (not 0 < tried[value] <= self.size, abs(tried[value] - self.size)))
        if not 0 < tried[best] <= _MOST * self.size:
            between = f"{self.parameter} between {self.low:g} and {self.high:g}"
            raise ValueError(f"No {between} gives a model of at most {self.size} support vectors.")
        return {**self.given, self.parameter: best}


def sought(given: Mapping[str, Any]) -> SizeSearch | None:
    """The search to run, if a parameter is a table {size, low, high, rows} instead of a number."""
    for name, value in given.items():
        if isinstance(value, Mapping):
            whole = isinstance(value["low"], int)
            return SizeSearch(name, int(value["size"]), value["low"], value["high"], int(value["rows"]), whole, given)
    return None


def resolved(given: Mapping[str, Any], X: np.ndarray) -> dict[str, Any]:
    """Values relative to the data as numbers: "4/d" (features), "0.6n" and "8/n^0.5" (examples).

    >>> resolved({"width": "4/d", "beta": "0.5n", "eta": "6/n^0.5", "lam": 0.1}, np.zeros((9, 2)))
    {'width': 2.0, 'beta': 4.5, 'eta': 2.0, 'lam': 0.1}
    """

    def number(value: Any) -> Any:
        match = _AMOUNT.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            return value
        factor = float(match[1])
        if match[3]:
            return factor * X.shape[0] ** -float(match[3])
        return factor * X.shape[0] if match[2] == "n" else factor / X.shape[1]

    return {name: number(value) for name, value in given.items()}


def build(given: Mapping[str, Any]) -> Recipe:
    """The recipe of these parameters: `recipe` is its name, `width` the γ of its Gaussian, `loss` the name of a loss.

    >>> build({"recipe": "bsgd", "width": 4.0, "loss": "logistic", "budget": 20, "maintenance": "merge"}).loss
    Logistic()
    """
    parameters = dict(given)
    name, width = parameters.pop("recipe"), parameters.pop("width")
    if "kernel" in inspect.signature(RECIPES[name]).parameters:
        parameters["kernel"] = Gaussian(width)
    else:
        parameters["gamma"] = width
    if "loss" in parameters:
        parameters["loss"] = LOSSES[parameters["loss"]]
    if parameters.get("eta") == "theorem":
        parameters["eta"] = None
    step = parameters.pop("constant_step", None)  # replaces the recipe's schedule
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the experiment chose the loss on purpose
        recipe = RECIPES[name](**parameters)
    return recipe if step is None else recipe.replace(step=Constant(step, parameters["lam"]))
