"""The parameters of the estimators and the recipe they stand for."""

from numbers import Integral, Real
from typing import ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from ..budgets import Budget
from ..kernels import Kernel
from ..kernels.width import RULES
from ..losses import Loss
from ..recipe import Recipe
from ..recipes import RECIPES
from .choices import KERNELS, LOSSES, KernelChoice, chosen_loss, chosen_recipe
from .nested import NestedParameters


class Parameters(NestedParameters):
    """What a user may choose. Nothing is looked at before `fit`, as scikit-learn asks."""

    _parameter_constraints: ClassVar[dict[str, list]] = {
        "algorithm": [StrOptions(set(RECIPES)), Recipe],
        "kernel": [StrOptions(set(KERNELS)), Kernel, callable, None],
        "gamma": [Interval(Real, 0, None, closed="neither"), StrOptions(set(RULES)), None],
        "loss": [StrOptions(set(LOSSES)), Loss, None],
        "lam": [Interval(Real, 0, None, closed="neither"), None],
        "budget": [Interval(Integral, 1, None, closed="left"), str, Budget, None],
        "epochs": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
        "shuffle": ["boolean"],
        "dtype": [StrOptions({"float32", "float64"})],
        "progress": ["boolean"],
        "random_state": ["random_state"],
    }
    _fallback_loss: ClassVar[Loss | None] = None  # where a named recipe's own loss does not suit
    _targets: ClassVar[tuple[str, ...]]  # the kinds of target that suit, and in words the losses that have them
    _suitable: ClassVar[str]

    def __init__(
        self,
        algorithm: str | Recipe = "default",
        *,
        kernel: KernelChoice | None = None,
        gamma: float | str | None = None,
        loss: str | Loss | None = None,
        lam: float | None = None,
        budget: int | str | Budget | None = None,
        epochs: int | str = "auto",
        shuffle: bool = True,
        dtype: str = "float32",
        progress: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.algorithm = algorithm
        self.kernel = kernel
        self.gamma = gamma
        self.loss = loss
        self.lam = lam
        self.budget = budget
        self.epochs = epochs
        self.shuffle = shuffle
        self.dtype = dtype
        self.progress = progress
        self.random_state = random_state

    def _chosen_loss(self) -> Loss:
        """The loss that the parameters mean, if it suits this kind of estimator."""
        loss = chosen_loss(self.algorithm, self.loss, self._fallback_loss)
        if loss.target not in self._targets:
            raise ValueError(f"{loss!r} is not a loss for {type(self).__name__}, which takes {self._suitable}.")
        return loss

    def _chosen_recipe(self, loss: Loss) -> Recipe:
        """The recipe that the parameters mean, with this loss."""
        return chosen_recipe(
            self.algorithm, loss, loss_given=self.loss is not None, kernel=self.kernel, gamma=self.gamma, lam=self.lam,
            budget=self.budget,
        )  # fmt: skip
