"""The model: a recipe that learns from a stream."""

from typing import Any, Self

import numpy as np

from ..core.inputs import as_rows
from ..core.panel import Compiled
from ..core.precision import DEFAULT
from ..core.strategy import Facts
from ..recipe import Recipe
from .learning import Learning
from .reshaping import Reshaping
from .targets import as_targets


class Model(Learning, Reshaping):
    """Learns a function with `n_outputs` outputs from a stream, one example or many at a time, within its budget.

    Targets are those of the recipe's loss: −1 or +1 per output, a class index, or numbers. (The estimators encode
    labels.) Rows may be dense or sparse. Any number of threads may predict while one learns: they read a state between
    two rows, or between two calls of `learn_one`. A second thread that learns waits for the first.

    Parameters
    ----------
    recipe : Composition
        A recipe with nothing left open, as `Recipe.resolve` returns it; see `from_recipe`.
    n_features : int
        Columns of the rows.
    n_outputs : int
        Outputs of the function: 1 for two classes, one per class for more, one per target.
    dtype : dtype, default "float32"
        Precision of support vectors and kernel values: float32 or float64.
    seed : int, default 0
        Random seed, for recipes that draw random numbers.

    See Also
    --------
    Recipe : What a model is made from.
    KernelClassifier : Labels, probabilities and tuning around a model.
    Record : Statistics of a run.

    Examples
    --------
    >>> import numpy as np
    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> from kernelstream.kernels import Gaussian
    >>> X, y = checkerboard(5000, seed=1)
    >>> model = Model.from_recipe(recipes.bsgd(kernel=Gaussian(4.0), lam=1e-4, budget=50), X, y)
    >>> model.learn_many(X, y).n_support
    50
    >>> bool(np.mean(np.sign(model.scores_many(X)[:, 0]) == y) > 0.9)
    True
    """

    @classmethod
    def from_recipe(
        cls,
        recipe: Recipe,
        X: Any,
        y: Any,
        *,
        n_outputs: int | None = None,
        total: int | None = None,
        dtype: Any = DEFAULT,
        seed: int = 0,
    ) -> Self:
        """A model that has learned nothing. Parameters that the recipe leaves open, such as gamma="scale", are set from
        the first rows of the stream.

        Parameters
        ----------
        recipe : Recipe
            The algorithm.
        X : array or sparse matrix
            The first rows of the stream.
        y : array
            Their targets, as the loss of the recipe takes them.
        n_outputs : int or None, default None
            Outputs of the function; None is what y shows.
        total : int or None, default None
            The number of examples to come, where it is known.
        dtype : dtype, default "float32"
            Precision of support vectors and kernel values.
        seed : int, default 0
            Random seed.
        """
        X, Y = as_rows(X), as_targets(y)
        outputs = n_outputs or (int(Y.max(initial=0)) + 1 if recipe.loss.target == "class" else Y.shape[1])
        facts = Facts(X, Y, outputs, np.dtype(dtype), total)
        return cls(recipe.resolve(facts), X.shape[1], outputs, dtype, seed)

    def entry_points(self) -> Compiled:
        """The compiled code of this model, for other compiled code to call. It is valid until the model grows, and
        knows nothing of threads."""
        bound = self._bound
        return Compiled(bound.predict, bound.handle, self._new_workspace().node, self._learn, self._to_learn())
