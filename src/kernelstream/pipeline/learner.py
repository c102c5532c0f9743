"""The estimator that settings stand for."""

from typing import Any

from ..estimators import KernelClassifier, KernelRegressor
from ..estimators.resolution import chosen_recipe, parameters_of
from ..kernels import KERNELS
from ..losses import LOSSES
from ..recipes import RECIPES
from .settings import Settings

Estimator = KernelClassifier | KernelRegressor
_OF_ESTIMATORS = ("kernel", "gamma", "loss", "lam", "budget")


def make_estimator(settings: Settings) -> Estimator:
    """One that has learned nothing; a ValueError if its parameters are wrong.

    >>> make_estimator(Settings("bsgd", {"budget": 50, "maintenance": "project"})).algorithm.maintenance
    Project(choice=Smallest())
    """
    name, cls = settings.algorithm, KernelRegressor if settings.task == "regression" else KernelClassifier
    given = {key: value for key, value in settings.parameters.items() if value is not None}
    _check_names(name, given)
    loss = cls.loss_named(name, given.get("loss"))
    if loss.target not in cls.target_kinds:
        what = f"The loss {given['loss']!r}" if "loss" in given else f"The recipe {name!r}"
        other = "regression" if loss.target == "values" else "classification"
        raise ValueError(f"{what} is for {other}: use --task {other}, or choose another.")
    common: dict[str, Any] = {key: given.pop(key, None) for key in _OF_ESTIMATORS}
    rest: dict[str, Any] = {"dtype": settings.dtype, "random_state": settings.seed}
    named = common.pop("loss")
    try:
        recipe = chosen_recipe(name, loss, loss_given=named is not None, **common, **given)  # checks all values
    except TypeError as error:
        raise ValueError(f"{name}: {error}.") from None
    return cls(recipe, **rest) if given else cls(name, loss=named, **common, **rest)


def _check_names(algorithm: str, given: dict[str, Any]) -> None:
    """A ValueError if a recipe, kernel or loss is unknown, or a parameter is not for this recipe."""
    RECIPES.find(algorithm)
    for registry, name in ((KERNELS, given.get("kernel")), (LOSSES, given.get("loss"))):
        if name is not None:
            registry.find(name)
    unknown = [key for key in given if not fitting(algorithm, {key: None})]
    if unknown:
        takes = ", ".join(parameters_of(algorithm))
        raise ValueError(f"The recipe {algorithm!r} has no parameter {unknown[0]}. Its parameters: {takes}.")


def fitting(algorithm: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Those of the parameters that a recipe takes; γ is the kernel's where there is one."""
    takes = parameters_of(algorithm)
    return {n: v for n, v in parameters.items() if n in takes or (n == "gamma" and "kernel" in takes)}
