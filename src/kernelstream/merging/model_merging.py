"""`merge`: one model, or estimator, from several that learned separately."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..estimators import KernelClassifier, KernelRegressor, model_of
from ..model import Model
from .estimator_merging import merge_classifiers, merge_regressors
from .function_averaging import merge_models


class Merged(NamedTuple):
    """A merged model, and its distance from the mean of the given ones."""

    model: Any  #: of the given kind: `Model`, `KernelClassifier` or `KernelRegressor`
    error: float  #: ‖f_mean − f_merged‖ in the space of the kernel, over all outputs, in float64


def merge(models: Iterable[Any], weights: Any = None, budget: int | None = None) -> Merged:
    """Merge models that learned separately, each from a partition of the data.

    Their functions are averaged, which needs the support vectors of all. As many as the budget allows are then selected
    greedily, for all outputs together, and the mean is projected onto them. The result can be trained further: counters
    of examples, updates and losses are summed, so a recipe with steps 1/(λt), whose function is the sum of its steps
    divided by t, continues as if it had made all steps itself. (To train it further on several workers, see
    `kernelstream.merging.split`.)

    Parameters
    ----------
    models : iterable of `Model`, `KernelClassifier` or `KernelRegressor`, all of one kind and fitted
        They must have the same kernel with the same parameters, loss, features and dtype. Give `gamma` a number: a rule
        such as "scale" gives a different γ on each partition. The rest of the recipe is that of the first model.
        Models that have adapted to streams, told nothing, need no gamma and must have the same classes.
        Classifiers with more than two classes may have different ones; the scores of a class are averaged over those
        that have it. Models with random features (`fogd`) must have drawn the same ones.
    weights : array or None
        The weight of each model in the mean; they need not add up to 1. None is the number of examples each has seen.
    budget : int or None
        The number of support vectors; None is the recipe's budget or, if it has none, all support vectors.

    Returns
    -------
    Merged
        `model`, and `error`, the exact distance ‖f_mean − f_merged‖. The scores of the mean and of the merged model
        differ by at most error · √κ(x, x), which for a Gaussian kernel is the error itself.

    See Also
    --------
    kernelstream.merging.split : The reverse: copies of a model for several workers.
    kernelstream.distributed.train : Rounds of learning and merging on a cluster.

    Examples
    --------
    >>> from kernelstream import KernelClassifier, merge
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(8000, seed=0)
    >>> parts = [
    ...     KernelClassifier(gamma=4.0, budget=50, epochs=1, random_state=i).fit(X[i::4], y[i::4])
    ...     for i in range(4)
    ... ]
    >>> one, error = merge(parts)
    >>> one.n_support_, one.record_.examples
    (50, 8000)
    >>> one.score(*checkerboard(2000, seed=1)) > 0.97
    True
    """
    given = list(models)
    kind = _kind(given)
    normalized = normalized_weights(weights, [model_of(model).record.examples for model in given])
    if budget is not None and not (isinstance(budget, (int, np.integer)) and budget >= 1):
        raise ValueError(f"merge: budget must be an integer of at least 1, or None, not {budget!r}.")
    if kind is Model:
        return Merged(*merge_models(given, normalized[:, None], budget))
    return Merged(*(merge_classifiers if kind is KernelClassifier else merge_regressors)(given, normalized, budget))


def _kind(models: Sequence[Any]) -> type:
    if not models:
        raise ValueError("merge: there are no models to merge. Give at least one.")
    for kind in (Model, KernelClassifier, KernelRegressor):
        if all(isinstance(model, kind) for model in models):
            return kind
    names = ", ".join(sorted({type(model).__name__ for model in models}))
    raise ValueError(f"merge: all models must be of one kind, Model, KernelClassifier or KernelRegressor, not {names}.")


def normalized_weights(weights: Any, examples: list[int]) -> np.ndarray:
    """Weights that add up to 1; None is the number of examples."""
    if weights is None:
        found = np.array(examples, np.float64)
        found = found if found.any() else np.ones(len(found))  # none has learned anything
    else:
        found = np.asarray(weights, np.float64)
        if found.shape != (len(examples),):
            raise ValueError(f"merge: there are {len(examples)} models, but weights has the shape {found.shape}.")
        if not (np.isfinite(found).all() and (found >= 0.0).all() and found.any()):
            raise ValueError(f"merge: weights must be at least 0, and not all 0, not {found.tolist()}.")
    normalized: np.ndarray = found / found.sum()
    return normalized
