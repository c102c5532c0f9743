"""Models of other sizes: more features, more outputs, fewer support vectors."""

from typing import Any, Self

import numpy as np

from ..core.precision import DEFAULT, largest
from ..core.state import Derived, allocate, copy_into
from ..core.strategy import Dims, Facts
from ..recipe import Recipe, capacity
from .compression import compress
from .rescaling import convert
from .scoring import Function, Scoring
from .turns import Turns


class Reshaping(Scoring):
    """The methods of a model that change its size."""

    def add_features(self, features: int) -> Self:
        """Accept rows with this many features from now on. The new features are 0 in everything learned so far.

        >>> from kernelstream import Model, recipes
        >>> model = Model.from_recipe(recipes.bsgd(budget=10), [[1.0]], [1]).learn_many([[1.0], [2.0]], [1, -1])
        >>> bool(model.scores_many([[1.5]]) == model.add_features(2).scores_many([[1.5, 0.0]]))
        True
        """
        if features < self.n_features:
            raise ValueError(f"The model has {self.n_features} features and cannot shrink to {features}.")
        if self.recipe.kernel.fixed:
            raise ValueError(
                f"{self.recipe.kernel!r} was drawn for {self.n_features} features and cannot take {features}: "
                "use a recipe with support vectors."
            )
        if features > self.n_features:
            self._resize(self.dims._replace(features=features))
        return self

    def rescale_features(self, factors: Any) -> Self:
        """Rows come in other units from now on: feature k is factors[k] times what it was. What is stored is converted,
        so that the function stays the same except for its width.

        >>> from kernelstream import Model, recipes
        >>> model = Model.from_recipe(recipes.bsgd(budget=10), [[1.0, 1.0]], [1]).learn_many([[1.0, 5.0]], [1])
        >>> model.rescale_features([1.0, 0.5]).function.support_vectors.tolist()
        [[1.0, 2.5]]
        """
        factors = self.check_factors(factors)
        with self._turns:
            convert(self.recipe, self.state, factors)
        return self

    def check_factors(self, factors: Any) -> np.ndarray:
        """What `rescale_features` takes; a ValueError if it cannot convert by these factors."""
        factors = np.asarray(factors, np.float64)
        if factors.shape != (self.n_features,) or not (np.isfinite(factors) & (factors >= 0.0)).all():
            raise ValueError(f"factors must be {self.n_features} finite numbers of at least 0, one per feature.")
        if not self.rescalable:
            part = self.recipe.kernel if self.recipe.kernel.fixed else self.recipe.inverse
            raise ValueError(f"{part!r} has a basis for the features as they were: scale them beforehand.")
        with self._turns:
            longest = np.abs(self.state.expansion.sv[:, : self.n_support]).max(axis=1, initial=0.0)
        if (longest * factors > largest(self.dtype)).any():
            raise ValueError(f"factors: support vectors would be too large for {self.dtype}; the model is unchanged.")
        return factors

    def expand(self, recipe: Recipe, features: int, mix: Any) -> Self:
        """A new model that continues this one with more features or with more outputs.

        Its outputs are `mix` times the present ones, a matrix (new outputs, old outputs). `recipe` is the one that this
        model began with, with the loss for the new outputs; its kernel stays as it was decided then, and a budget in
        bytes is divided anew among support vectors of the new size.

        >>> from kernelstream import Model, losses, recipes
        >>> recipe = recipes.bsgd(budget=10)
        >>> model = Model.from_recipe(recipe, [[1.0]], [1]).learn_many([[1.0], [2.0]], [1, -1])
        >>> more = model.expand(recipe.replace(loss=losses.CrammerSinger()), 2, [[-0.5], [0.5], [0.0]])
        >>> bool(model.scores_many([[1.5]]) == 2 * more.scores_many([[1.5, 0.0]])[0, 1])
        True
        """
        old, mix = self, np.asarray(mix, np.float64)
        if features != old.n_features and old.recipe.kernel.fixed:
            old.add_features(features)  # says why it cannot be
        facts = Facts(np.zeros((1, features)), np.zeros((1, 1)), len(mix), old.dtype)
        kept = {name: getattr(old.recipe, name) for name in ("kernel", "step", "maintenance", "output")}
        fresh = recipe.replace(**kept).resolve(facts)
        changes: dict[str, Any] = {"budget": fresh.budget, "loss": fresh.loss}
        if len(mix) != old.n_outputs:
            changes |= {"bound": fresh.bound, "admission": fresh.admission}
        dims = old.dims._replace(features=features, outputs=len(mix))
        if fresh.budget != old.recipe.budget:
            if old.n_support > fresh.budget.at(1):
                old = old.compress(fresh.budget.at(1))
            dims = dims._replace(capacity=capacity(fresh.budget.at(1), dims.batch))
        new = type(self).__new__(type(self))
        new.recipe, new.dims, new._turns = old.recipe.replace(**changes), dims, Turns()
        new.state = allocate(new.recipe, dims)
        with old.lock:
            carry_over(new.recipe, old.state, new.state, mix)
        new._bind()
        if len(mix) != old.n_outputs:
            new.state.run.intact[0] = 0.0
            new.recipe.inverse.mixed(new.state.inverse, new.recipe.kernel, new.state.expansion)
            new.recipe.norm.adopt(new.state.norm, new.norm**2)
            new.recipe.output.mixed(new.state.output, new.state.expansion)
        return new

    def compress(self, budget: int | None = None, tolerance: float | None = None) -> Self:
        """A new model with fewer support vectors, selected greedily to stay close to this one. It can go on learning.

        Give the number of support vectors to keep, or the distance ‖f − f_compressed‖ to stay within, or both.
        """
        if self.recipe.kernel.fixed:
            raise ValueError(
                f"compress: {self.recipe.kernel!r} has a fixed basis instead of support vectors. Use a smaller basis."
            )
        sv, coef = self.function
        kept, fitted, _ = compress(self.recipe.kernel, sv, coef, budget, tolerance)
        return self.copy().adopt(Function(sv[kept], fitted))

    def copy(self) -> Self:
        """An independent copy."""
        return self._read(lambda bound: self.from_state(bound.recipe, bound.dims, bound.state))

    def add_outputs(self, outputs: int) -> Self:
        """Have this many outputs from now on; new ones are 0."""
        if outputs < self.n_outputs:
            raise ValueError(f"The model has {self.n_outputs} outputs and cannot shrink to {outputs}.")
        if outputs > self.n_outputs:
            self._resize(self.dims._replace(outputs=outputs))
        return self

    def adopt(self, function: Function) -> Self:
        """Replace the function by a given one and go on learning from it; counters are kept."""
        with self._turns:
            self._adopt(*function)
        return self

    def continue_from(self, other: "Reshaping") -> Self:
        """Take over the function of another model with the same kernel, features and outputs, and its counters."""
        with self._turns, other.lock:
            copy_into(other.state.run, self.state.run)
        return self.adopt(other.function)

    def _adopt(self, sv: np.ndarray, coef: np.ndarray) -> None:
        n = len(sv)
        if n + self.dims.batch > self.dims.capacity:
            self._resize(self.dims._replace(capacity=capacity(n, self.dims.batch)))
        ex, recipe, wide = self.state.expansion, self.recipe, sv.astype(np.float64)
        gram = recipe.kernel.gram(wide)
        ex.sv[:, :n], ex.coef[:, :n] = sv.T, coef.T
        ex.sq[:n], ex.diag[:n] = (wide**2).sum(axis=1), np.diag(gram)
        ex.age[:n], ex.n[0], ex.scale[0] = self.state.run.t[0] * recipe.batch, n, 1.0
        recipe.inverse.adopt(self.state.inverse, gram, coef)
        recipe.norm.adopt(self.state.norm, float(np.sum(coef * (gram @ coef))))
        recipe.maintenance.restart(self.state.maintenance, ex)
        recipe.output.restart(self.state.output, ex)
        self.state.run.intact[0] = 0.0


def carry_over(recipe: Any, old: Any, new: Any, mix: np.ndarray) -> None:
    """Copy the state `old` into `new`, as much of each array as both have; f_new = mix @ f_old.

    Everything that has an axis of outputs is linear in them: coefficients, their averages, sums of targets. What is
    not, such as the inverse of every class, has a method `mixed`, called later.
    """
    # two small states that differ in the number of outputs tell which axis that is
    small = Dims(1, 1, 1, np.dtype(DEFAULT), recipe.batch)
    _carry(old, new, allocate(recipe, small), allocate(recipe, small._replace(outputs=2)), mix)


def _carry(old: Any, new: Any, one: Any, two: Any, mix: np.ndarray) -> None:
    if isinstance(old, Derived):
        return
    if not isinstance(old, np.ndarray):
        for parts in zip(old, new, one, two, strict=True):
            _carry(*parts, mix)
        return
    axis = next((k for k in range(old.ndim) if one.shape[k] != two.shape[k]), None)
    if axis is not None:
        old = np.moveaxis(np.tensordot(mix, old, (1, axis)), 0, axis)
    shared = tuple(slice(0, min(sizes)) for sizes in zip(old.shape, new.shape, strict=True))
    new[shared] = old[shared]
