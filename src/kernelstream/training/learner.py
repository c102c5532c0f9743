"""The estimator that settings stand for."""

import inspect
from typing import Any

from ..estimators import KernelClassifier, KernelRegressor
from ..estimators.choices import KERNELS, LOSSES, chosen_loss, chosen_recipe
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
    for what, word, known in (
        ("algorithm", name, RECIPES), ("kernel", given.get("kernel"), KERNELS), ("loss", given.get("loss"), LOSSES),
    ):  # fmt: skip
        if word is not None and word not in known:
            raise ValueError(f"There is no {what} {word!r}. There are {', '.join(known)}.")
    common: dict[str, Any] = {key: given.pop(key, None) for key in _OF_ESTIMATORS}
    rest: dict[str, Any] = {"dtype": settings.dtype, "random_state": settings.seed}
    if not given:
        return cls(name, **common, **rest)
    loss = chosen_loss(name, common.pop("loss"), cls._fallback_loss)
    loss_given = settings.parameters.get("loss") is not None
    try:
        recipe = chosen_recipe(name, loss, loss_given=loss_given, **common, **given)
    except TypeError as error:
        raise ValueError(f"{name}: {error}.") from None
    return cls(recipe, **rest)


def parameters_of(algorithm: str) -> dict[str, Any]:
    """What a recipe may be told, and what it is if nothing is said."""
    return {name: parameter.default for name, parameter in inspect.signature(RECIPES[algorithm]).parameters.items()}


def fitting(algorithm: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Those of the parameters that a recipe takes; γ is the kernel's where there is one."""
    takes = parameters_of(algorithm)
    return {n: v for n, v in parameters.items() if n in takes or (n == "gamma" and "kernel" in takes)}
