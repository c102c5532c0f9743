"""From the parameters of an estimator to a recipe: kernels and losses by name, defaults, incompatible choices."""

import inspect
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from ..kernels import KERNELS, Gaussian, Kernel, as_kernel
from ..losses import LOSSES, Loss
from ..recipe import Recipe
from ..recipes import RECIPES

KernelChoice = str | Kernel | Callable[[Any, Any], float]


def parameters_of(algorithm: str) -> Mapping[str, inspect.Parameter]:
    """The parameters of a recipe."""
    return inspect.signature(RECIPES.find(algorithm)).parameters


def make_recipe(algorithm: str, **given: Any) -> Recipe:
    """A recipe by its name, with these parameters."""
    made: Any = RECIPES.find(algorithm)(**given)
    if not isinstance(made, Recipe):
        raise ValueError(f"recipe {algorithm!r} must return a Recipe, not {made!r}.")
    return made


def chosen_loss(algorithm: str | Recipe, loss: str | Loss | None, fallback: Loss | None) -> Loss:
    """The loss that these parameters select; `fallback` replaces the default of a named recipe."""
    if isinstance(algorithm, Recipe):
        return algorithm.loss
    if loss is None:
        takes = parameters_of(algorithm)
        if "loss" not in takes:
            return make_recipe(algorithm).loss  # a part of the algorithm, like the perceptron's
        return takes["loss"].default if fallback is None else fallback
    return LOSSES.find(loss) if isinstance(loss, str) else loss


def chosen_kernel(algorithm: str, kernel: KernelChoice | None, gamma: float | str | None) -> Kernel:
    """The kernel that these parameters select; by default a Gaussian whose width is estimated from the data."""
    if kernel is None:
        own = parameters_of(algorithm)["kernel"].default
        # a fixed width knows nothing of the data; a rule, such as OSKL's "auto", is part of the algorithm
        fixed = isinstance(own, Gaussian) and not isinstance(own.gamma, str)
        found = own if isinstance(own, Kernel) and not fixed else KERNELS["gaussian"]
    elif isinstance(kernel, str):
        found = KERNELS.find(kernel)
    else:
        found = as_kernel(kernel)
    return found if gamma is None else found.replace(gamma=gamma)


def chosen_recipe(
    algorithm: str | Recipe, loss: Loss, *, loss_given: bool, kernel: KernelChoice | None, gamma: float | str | None,
    **numbers: Any,
) -> Recipe:  # fmt: skip
    """The recipe with this loss. `numbers` are lam and budget, None for the recipe's default."""
    if isinstance(algorithm, Recipe):
        given = {"kernel": kernel, "gamma": gamma, "loss": True if loss_given else None, **numbers}
        extra = [name for name, value in given.items() if value is not None]
        if extra:
            raise ValueError(
                f"algorithm is a Recipe, which has a kernel, loss, lam and budget of its own, so {' and '.join(extra)} "
                "must be None. Change the recipe, algorithm=recipe.replace(…), or give algorithm a name."
            )
        return algorithm.replace(loss=loss)
    takes = parameters_of(algorithm)
    numbers |= {"loss": loss if loss_given else None}
    if "kernel" not in takes:
        numbers |= {"kernel": kernel, "gamma": gamma}
    given = {name: value for name, value in numbers.items() if value is not None}
    for name, value in given.items():
        if name not in takes:
            raise ValueError(
                f"algorithm {algorithm!r} takes no {name}, but {name}={value!r} was given. Its parameters: "
                f"{', '.join(takes)}. Pass those other than kernel, loss, lam and budget to the recipe itself: "
                f"algorithm={algorithm.replace(':', '.') if ':' in algorithm else f'recipes.{algorithm}'}(…)."
            )
    with warnings.catch_warnings():
        if not loss_given:
            warnings.simplefilter("ignore")  # about a loss that the user did not choose
        if "kernel" in takes:
            given["kernel"] = chosen_kernel(algorithm, kernel, gamma)
        if "loss" in takes:
            given["loss"] = loss
        # with more classes than two, a loss that is a part of the algorithm becomes its multi-class form
        return make_recipe(algorithm, **given).replace(loss=loss)
