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
from ..tracking import BUDGET
from .deployment import Size
from .nested import NestedParameters
from .resolution import KernelChoice, chosen_loss, chosen_recipe, parameters_of


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
        "deploy": [str, None],
        "half_life": [Interval(Real, 0, None, closed="neither"), StrOptions({"auto"}), None],
        "adapt": ["boolean"],
        "scale": [StrOptions({"auto"}), None],
        "tune": ["boolean"],
        "epochs": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
        "shuffle": ["boolean"],
        "dtype": [StrOptions(set(DTYPES))],
        "n_jobs": [Interval(Integral, None, -1, closed="right"), Interval(Integral, 1, None, closed="left"), None],
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
        deploy: str | None = None,
        half_life: float | str | None = None,
        adapt: bool = True,
        scale: str | None = "auto",
        tune: bool = True,
        epochs: int | str = "auto",
        shuffle: bool = True,
        dtype: str = DEFAULT,
        n_jobs: int | None = None,
        progress: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.algorithm = algorithm
        self.kernel = kernel
        self.gamma = gamma
        self.loss = loss
        self.lam = lam
        self.budget = budget
        self.deploy = deploy
        self.half_life = half_life
        self.adapt = adapt
        self.scale = scale
        self.tune = tune
        self.epochs = epochs
        self.shuffle = shuffle
        self.dtype = dtype
        self.n_jobs = n_jobs
        self.progress = progress
        self.random_state = random_state

    def resolve_recipe(self, classes: int = 2) -> Recipe:
        """The recipe that the parameters stand for, with the loss for this many classes.

        A ValueError says which parameters are invalid or incompatible. Parameters that are estimated from data, such as
        gamma="scale", are not resolved yet.
        """
        self._validate_params()
        _ = self.deployed_size  # or says why it cannot
        return self._recipe_for(classes)

    @property
    def deployed_size(self) -> Size | None:
        """What `deploy` says; a ValueError if it is no size, or incompatible with other parameters."""
        if self.deploy is None:
            return None
        found = Size.parse(self.deploy)
        if self.budget is not None:
            raise ValueError(
                f"deploy={self.deploy!r} determines the number of support vectors, so budget must be None, not "
                f"{self.budget!r}."
            )
        if isinstance(self.algorithm, Recipe) or "budget" not in parameters_of(self.algorithm):
            raise ValueError(
                f"deploy={self.deploy!r} needs the name of an algorithm with a budget, such as 'default', not "
                f"{self.algorithm!r}."
            )
        if self.half_life == "auto":
            raise ValueError(
                f"deploy={self.deploy!r} needs a single model, and half_life='auto' mixes several, which cannot be "
                "exported. Use a number, or None."
            )
        return found

    @property
    def adapts(self) -> bool:
        """Whether a stream is learned by several models at once: if nothing is said about the model but its size, or
        half_life is "auto". Data that is sparse, or has several outputs, is learned by a single model all the same."""
        told = self.algorithm != "default" or self.kernel is not None or self.loss is not None
        sized = self.budget is None or isinstance(self.budget, Integral)
        if self.half_life == "auto":
            if told or not sized or not self.adapt:
                raise ValueError(
                    "half_life='auto' mixes models of the default algorithm: it needs algorithm='default', adapt=True, "
                    "no kernel or loss, and a budget that is a number of support vectors."
                )
            return True
        return self.adapt and sized and not told and self.gamma is None and self.half_life is None

    @property
    def tunes(self) -> bool:
        """Whether `fit` chooses scales of features and λ: if nothing is said about kernel and width."""
        told = self.algorithm != "default" or self.kernel is not None or self.gamma is not None
        return self.tune and not told and self.half_life is None

    @property
    def memory(self) -> float | None:
        """The half-life of a single model."""
        return None if self.half_life == "auto" else self.half_life  # type: ignore[return-value]

    def stream_recipe(self) -> Recipe:
        """The recipe of the kernel models of an `AdaptiveModel`."""
        recipe = self.resolve_recipe()
        return recipe.replace(budget=BUDGET) if self.budget is None else recipe

    @classmethod
    def loss_named(cls, algorithm: str | Recipe, loss: str | Loss | None) -> Loss:
        """The loss that these parameters mean for this kind of estimator, suitable or not."""
        return chosen_loss(algorithm, loss, cls._fallback_loss)

    def _loss_for(self, classes: int) -> Loss:
        loss = self.loss_named(self.algorithm, self.loss)
        if loss.target not in self.target_kinds:
            raise ValueError(f"{loss!r} is not a loss for {type(self).__name__}, which takes {self._suitable}.")
        return loss

    def _recipe_with(self, lam: float, gamma: float | None, classes: int) -> Recipe:
        """The recipe with what `fit` has chosen."""
        return chosen_recipe(
            self.algorithm, self._loss_for(classes), loss_given=self.loss is not None, kernel=None, gamma=gamma,
            lam=lam, budget=self.budget,
        )  # fmt: skip

    def _recipe_for(self, classes: int) -> Recipe:
        recipe = chosen_recipe(
            self.algorithm, self._loss_for(classes), loss_given=self.loss is not None, kernel=self.kernel,
            gamma=self.gamma, lam=self.lam, budget=self.budget,
        )  # fmt: skip
        return recipe if self.memory is None else recipe.forgetting(self.memory)
