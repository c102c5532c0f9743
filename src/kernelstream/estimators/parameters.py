"""The constructor parameters of the estimators, and the recipe they resolve to."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from ..budgets import Budget
from ..core.precision import DEFAULT, DTYPES
from ..core.registry import Registry
from ..kernels import KERNELS, Kernel
from ..kernels.width import RULES
from ..losses import LOSSES, Loss
from ..recipe import Recipe
from ..recipes import RECIPES
from .nested import NestedParameters
from .resolution import KernelChoice, chosen_loss, chosen_recipe


class Registered(StrOptions):
    """A registered name, which may be added at any time, or module:name."""

    def __init__(self, registry: Registry[Any]):
        super().__init__(set(registry))
        self.registry = registry

    def is_satisfied_by(self, value: Any) -> bool:
        return self.registry.knows(value)

    def __str__(self) -> str:
        return f"one of {', '.join(self.registry)}, or module:name"


class Parameters(NestedParameters):
    """Constructor parameters, validated in `fit` as scikit-learn requires."""

    _parameter_constraints: ClassVar[dict[str, list]] = {
        "algorithm": [Registered(RECIPES), Recipe],
        "kernel": [Registered(KERNELS), Kernel, callable, None],
        "gamma": [Interval(Real, 0, None, closed="neither"), StrOptions(set(RULES)), None],
        "loss": [Registered(LOSSES), Loss, None],
        "lam": [Interval(Real, 0, None, closed="neither"), None],
        "budget": [Interval(Integral, 1, None, closed="left"), str, Budget, None],
        "half_life": [Interval(Real, 0, None, closed="neither"), None],
        "epochs": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
        "shuffle": ["boolean"],
        "dtype": [StrOptions(set(DTYPES))],
        "progress": ["boolean"],
        "random_state": ["random_state"],
    }
    _fallback_loss: ClassVar[Loss | None] = None  # where a named recipe's own loss does not suit
    _suitable: ClassVar[str]  # the losses that do, in words
    target_kinds: ClassVar[tuple[str, ...]]  #: the kinds of target (`Loss.target`) that suit

    def __init__(
        self,
        algorithm: str | Recipe = "default",
        *,
        kernel: KernelChoice | None = None,
        gamma: float | str | None = None,
        loss: str | Loss | None = None,
        lam: float | None = None,
        budget: int | str | Budget | None = None,
        half_life: float | None = None,
        epochs: int | str = "auto",
        shuffle: bool = True,
        dtype: str = DEFAULT,
        progress: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.algorithm = algorithm
        self.kernel = kernel
        self.gamma = gamma
        self.loss = loss
        self.lam = lam
        self.budget = budget
        self.half_life = half_life
        self.epochs = epochs
        self.shuffle = shuffle
        self.dtype = dtype
        self.progress = progress
        self.random_state = random_state

    def resolve_recipe(self, classes: int = 2) -> Recipe:
        """The recipe that the parameters stand for, with the loss for this many classes.

        A ValueError says which parameters are invalid or incompatible. Parameters that are estimated from data, such as
        gamma="scale", are not resolved yet.
        """
        self._validate_params()
        return self._recipe_for(classes)

    @classmethod
    def loss_named(cls, algorithm: str | Recipe, loss: str | Loss | None) -> Loss:
        """The loss that these parameters mean for this kind of estimator, suitable or not."""
        return chosen_loss(algorithm, loss, cls._fallback_loss)

    def _loss_for(self, classes: int) -> Loss:
        loss = self.loss_named(self.algorithm, self.loss)
        if loss.target not in self.target_kinds:
            raise ValueError(f"{loss!r} is not a loss for {type(self).__name__}, which takes {self._suitable}.")
        return loss

    def _recipe_for(self, classes: int) -> Recipe:
        recipe = chosen_recipe(
            self.algorithm, self._loss_for(classes), loss_given=self.loss is not None, kernel=self.kernel,
            gamma=self.gamma, lam=self.lam, budget=self.budget,
        )  # fmt: skip
        return recipe if self.half_life is None else recipe.forgetting(self.half_life)
