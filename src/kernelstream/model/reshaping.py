"""Models made of models: wider, with more outputs, with fewer support vectors."""

from typing import Any, Self

import numpy as np

from ..compress import compress
from ..recipe import Recipe, capacity
from ..state import allocate
from ..strategy import Facts
from .carrying import carry_over
from .predicting import Predicting


class Reshaping(Predicting):
    """What a model can become."""

    def widen(self, features: int) -> Self:
        """Take rows of more features from now on. In all that was learned so far the new ones are 0.

        >>> from kernelstream import Model, recipes
        >>> model = Model.begin(recipes.bsgd(budget=10), [[1.0]], [1]).learn_many([[1.0], [2.0]], [1, -1])
        >>> bool(model.predict_many([[1.5]]) == model.widen(2).predict_many([[1.5, 0.0]]))
        True
        """
        if features < self.n_features:
            raise ValueError(f"The model has {self.n_features} features and cannot shrink to {features}.")
        if self.recipe.kernel.fixed:
            raise ValueError(
                f"{self.recipe.kernel!r} was drawn for {self.n_features} features and cannot be widened to {features}: "
                "use a recipe with support vectors."
            )
        if features > self.n_features:
            self._resize(self._dims._replace(features=features))
        return self

    def grown(self, recipe: Recipe, features: int, mix: Any) -> Self:
        """A model that goes on from this one with more features, or with outputs that were not foreseen.

        Its outputs are `mix` times the present ones, a matrix (new outputs, old outputs). `recipe` is the one that this
        model began with, with the loss for the new outputs; its kernel stays as it was decided then, and a budget in
        bytes is divided anew among support vectors of the new size.

        >>> from kernelstream import Model, losses, recipes
        >>> recipe = recipes.bsgd(budget=10)
        >>> model = Model.begin(recipe, [[1.0]], [1]).learn_many([[1.0], [2.0]], [1, -1])
        >>> more = model.grown(recipe.replace(loss=losses.CrammerSinger()), 2, [[-0.5], [0.5], [0.0]])
        >>> bool(model.predict_many([[1.5]]) == 2 * more.predict_many([[1.5, 0.0]])[0, 1])
        True
        """
        old, mix = self, np.asarray(mix, np.float64)
        if features != old.n_features and old.recipe.kernel.fixed:
            old.widen(features)  # says why it cannot be
        facts = Facts(np.zeros((1, features)), np.zeros((1, 1)), len(mix), old.dtype)
        fresh = recipe.replace(kernel=old.recipe.kernel).resolve(facts)
        changes: dict[str, Any] = {"budget": fresh.budget, "loss": fresh.loss}
        if len(mix) != old.n_outputs:
            changes["bound"] = fresh.bound
        dims = old._dims._replace(features=features, outputs=len(mix))
        if fresh.budget != old.recipe.budget:
            old = old.compress(fresh.budget.at(1))
            dims = dims._replace(capacity=capacity(fresh.budget.at(1), dims.batch))
        new = type(self).__new__(type(self))
        new.recipe, new._dims = old.recipe.replace(**changes), dims
        new._state = allocate(new.recipe, dims)
        carry_over(new.recipe, old._state, new._state, mix)
        if len(mix) != old.n_outputs:
            new.recipe.norm.adopt(new._state.norm, new.norm**2)
            new.recipe.average.mixed(new._state.average, new._state.expansion)
        new._bind()
        return new

    def compress(self, budget: int | None = None, tolerance: float | None = None) -> Self:
        """A model with fewer support vectors, as close to this one as greedy pruning gets. It can go on learning.

        Give the number of support vectors to keep, or the distance ‖f − f_compressed‖ to stay within, or both.
        """
        if self.recipe.kernel.fixed:
            raise ValueError(
                f"compress: {self.recipe.kernel!r} has a basis of its own, not support vectors. Use fewer of it."
            )
        sv, coef = self.function
        kept, fitted, _ = compress(self.recipe.kernel, sv, coef, budget, tolerance)
        new = self.copy()
        new._adopt(sv[kept], fitted)
        return new

    def copy(self) -> Self:
        """The same model in memory of its own."""
        new = type(self).__new__(type(self))
        new.__setstate__(self.__getstate__())
        return new

    def _adopt(self, sv: np.ndarray, coef: np.ndarray) -> None:
        """Go on from a given function."""
        n = len(sv)
        if n + self._dims.batch > self._dims.capacity:
            self._resize(self._dims._replace(capacity=capacity(n, self._dims.batch)))
        ex, recipe, wide = self._state.expansion, self.recipe, sv.astype(np.float64)
        gram = recipe.kernel.gram(wide)
        ex.sv[:, :n], ex.coef[:, :n] = sv.T, coef.T
        ex.sq[:n], ex.diag[:n] = (wide**2).sum(axis=1), np.diag(gram)
        ex.age[:n], ex.n[0], ex.scale[0] = self._state.run.t[0], n, 1.0
        recipe.inverse.adopt(self._state.inverse, gram)
        recipe.norm.adopt(self._state.norm, float(np.sum(coef * (gram @ coef))))
        recipe.average.restart(self._state.average, ex)
