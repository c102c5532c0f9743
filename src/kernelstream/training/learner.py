"""The estimator that settings stand for."""

import inspect
import math
from typing import Any

from ..budgets import as_budget
from ..estimators import KernelClassifier, KernelRegressor
from ..estimators.choices import KERNELS, LOSSES, chosen_loss, chosen_recipe
from ..kernels.width import RULES
from ..recipes import RECIPES
from .settings import Settings

Estimator = KernelClassifier | KernelRegressor
_OF_ESTIMATORS = ("kernel", "gamma", "loss", "lam", "budget")


def make_estimator(settings: Settings) -> Estimator:
    """One that has learned nothing.

    >>> make_estimator(Settings("bsgd", {"budget": 50, "maintenance": "project"})).algorithm.maintenance
    Project(choice=Smallest())
    """
    name, cls = settings.algorithm, KernelRegressor if settings.task == "regression" else KernelClassifier
    given = {key: value for key, value in settings.parameters.items() if value is not None}
    check_words(name, given)
    check_numbers(given)
    loss = chosen_loss(name, given.get("loss"), cls._fallback_loss)
    if loss.target not in cls._targets:
        what = f"The loss {given['loss']!r}" if "loss" in given else f"The recipe {name!r}"
        other = "regression" if loss.target == "values" else "classification"
        raise ValueError(f"{what} is for {other}: say --task {other}, or choose another.")
    common: dict[str, Any] = {key: given.pop(key, None) for key in _OF_ESTIMATORS}
    rest: dict[str, Any] = {"dtype": settings.dtype, "random_state": settings.seed}
    if not given:
        return cls(name, **common, **rest)
    loss_given = common.pop("loss") is not None
    try:
        recipe = chosen_recipe(name, loss, loss_given=loss_given, **common, **given)
    except TypeError as error:
        raise ValueError(f"{name}: {error}.") from None
    return cls(recipe, **rest)


def check_words(algorithm: str, given: dict[str, Any]) -> None:
    """A ValueError if something named is not there, or not for this recipe."""
    for what, word, known in (
        ("recipe", algorithm, RECIPES), ("kernel", given.get("kernel"), KERNELS), ("loss", given.get("loss"), LOSSES),
    ):  # fmt: skip
        if word is not None and word not in known:
            raise ValueError(f"There is no {what} {word!r}. There are {', '.join(known)}.")
    takes = parameters_of(algorithm)
    foreign = [key for key in given if key not in takes and not (key == "gamma" and "kernel" in takes)]
    if foreign:
        raise ValueError(f"The recipe {algorithm!r} takes no {foreign[0]}. It takes {', '.join(takes)}.")


def check_numbers(given: dict[str, Any]) -> None:
    """A ValueError if γ, λ or the budget cannot be that."""
    gamma, lam, budget = given.get("gamma", 1.0), given.get("lam", 1.0), given.get("budget", 1)
    if gamma not in RULES if isinstance(gamma, str) else not 0 < gamma < math.inf:
        raise ValueError(f"gamma is {gamma}; it must be a number above 0, {' or '.join(RULES)}.")
    if not 0 < lam < math.inf:
        raise ValueError(f"lam is {lam}; it must be a number above 0.")
    if not isinstance(budget, (int, str)) or (isinstance(budget, int) and budget < 1):
        raise ValueError(f"budget is {budget}; it must be a whole number of 1 or more, or memory such as '64 KiB'.")
    as_budget(budget)  # a size that is none says so


def parameters_of(algorithm: str) -> dict[str, Any]:
    """What a recipe may be told, and what it is if nothing is said."""
    return {name: parameter.default for name, parameter in inspect.signature(RECIPES[algorithm]).parameters.items()}


def fitting(algorithm: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Those of the parameters that a recipe takes; γ is the kernel's where there is one."""
    takes = parameters_of(algorithm)
    return {n: v for n, v in parameters.items() if n in takes or (n == "gamma" and "kernel" in takes)}
