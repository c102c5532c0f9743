"""What users call: merging models, or fitted estimators."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..estimators import KernelClassifier, KernelRegressor, model_of
from ..model import Model
from .estimators import merge_classifiers, merge_regressors
from .models import merge_models


class Merged(NamedTuple):
    """A merged model, and how far it is from the mean of those it was made of."""

    model: Any  #: of the kind that was given: `Model`, `KernelClassifier` or `KernelRegressor`
    error: float  #: ‖f_mean − f_merged‖ in the space of the kernel, over all outputs, in float64


def merge(models: Iterable[Any], weights: Any = None, budget: int | None = None) -> Merged:
    """One model of several that learned apart, each from a part of the data.

    Their functions are averaged, which needs the support vectors of all. Then as many as the budget allows are chosen
    greedily, for all outputs together, and the mean is projected on them. The result goes on learning: counters of
    examples, updates and losses are sums. So a recipe with steps 1/(λt), which keeps the sum of its steps divided by
    t, goes on as if it alone had made all steps. (To learn on in several places, see `kernelstream.merging.split`.)

    Parameters
    ----------
    models : several of `Model`, `KernelClassifier` or `KernelRegressor`, all of one kind and fitted
        With the same kernel, its parameters included, the same loss, features and dtype. Give `gamma` a number, because
        a rule such as "scale" means another one on every part of the data. The rest of the recipe is that of the first.
        Classifiers of more than two classes may know different ones; scores of a class are averaged over those that
        know it. Models of random features (`fogd`) must have drawn the same ones.
    weights : array or None
        Of each model in the mean; they need not add up to 1. None is the number of examples each has seen.
    budget : int or None
        The number of support vectors; None is what the recipe allows, or, if it has no limit, all there are.

    Returns
    -------
    Merged
        `model`, and `error`, the exact distance ‖f_mean − f_merged‖. No prediction of the mean is further than
        error · √κ(x, x) from the merged model's, which with a Gaussian kernel is the error itself.

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
    shares = _weights(weights, [model_of(model).record.examples for model in given])
    if budget is not None and not (isinstance(budget, (int, np.integer)) and budget >= 1):
        raise ValueError(f"merge: budget must be a whole number of at least 1, or None, not {budget!r}.")
    if kind is Model:
        return Merged(*merge_models(given, shares[:, None], budget))
    return Merged(*(merge_classifiers if kind is KernelClassifier else merge_regressors)(given, shares, budget))


def _kind(models: Sequence[Any]) -> type:
    if not models:
        raise ValueError("merge: there is nothing to merge. Give one model or more.")
    for kind in (Model, KernelClassifier, KernelRegressor):
        if all(isinstance(model, kind) for model in models):
            return kind
    names = ", ".join(sorted({type(model).__name__ for model in models}))
    raise ValueError(f"merge: give models of one kind, Model, KernelClassifier or KernelRegressor, not {names}.")


def _weights(weights: Any, examples: list[int]) -> np.ndarray:
    """Shares of the mean, which add up to 1."""
    if weights is None:
        found = np.array(examples, np.float64)
        found = found if found.any() else np.ones(len(found))  # nobody has learned anything
    else:
        found = np.asarray(weights, np.float64)
        if found.shape != (len(examples),):
            raise ValueError(f"merge: there are {len(examples)} models, and weights has the shape {found.shape}.")
        if not (np.isfinite(found).all() and (found >= 0.0).all() and found.any()):
            raise ValueError(f"merge: weights are numbers of at least 0, and not all 0, not {found.tolist()}.")
    shares: np.ndarray = found / found.sum()
    return shares
