"""How much each feature matters to the function that predicts: the diagonal of the average gradient outer product.

    r_j ∝ s_j² · mean over rows x of Σ_c (∂f_c(x) / ∂x_j)²        Σ_j r_j = 1

The mean is that of Radhakrishnan, Beaglehole, Pandit & Belkin, "Mechanism for feature learning in neural networks and
backpropagation-free machine learning models", Science 383 (2024). s_j is the standard deviation of feature j over the
same rows: it makes r_j the same in any units, so that features of different scale can be compared.
"""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from ..core.inputs import as_rows, check_finite
from .base import check_width
from .gradient import gradient_of
from .model import Model

ROWS = 1000  # support vectors to average over
_NUMBERS = 1 << 22  # of a block of gradients, 32 MiB


def relevance(model: Model, X: Any = None) -> np.ndarray:
    """r_j of every feature of a model, averaged over the rows X, or over its support vectors.

    Of more than 1,000 support vectors, 1,000 are taken, evenly spaced. All r_j are 0 if the function or all rows are
    constant, and before anything has been learned.

    Parameters
    ----------
    model : Model
        The model; `model_` of an estimator.
    X : array, sparse matrix or None, default None
        Rows to average over, in the units of the model; None is its support vectors.

    Examples
    --------
    >>> from kernelstream import Function, Model, recipes
    >>> from kernelstream.kernels import Linear
    >>> model = Model.from_recipe(recipes.pegasos(Linear()), [[0.0, 0.0]], [1])
    >>> f = model.adopt(Function(np.array([[1.0, 3.0]]), np.array([[1.0]])))  # x_1 + 3 x_2
    >>> relevance(f, [[1.0, 1.0], [-1.0, -1.0]]).round(3).tolist()
    [0.1, 0.9]
    >>> relevance(f, [[10.0, 1.0], [-10.0, -1.0]]).round(3).tolist()
    [0.917, 0.083]
    """
    rows = _support_vectors(model) if X is None else _checked(model, X)
    gradient, spread, total = gradient_of(model), _spread(rows), np.zeros(model.n_features)
    size = max(_NUMBERS // (model.n_outputs * max(model.n_features, model.dims.capacity)), 1)
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, rows.shape[0], size):
            total += np.square(gradient(rows[start : start + size]) * spread).sum(axis=(0, 1))
    if not np.isfinite(total.sum()):
        raise ValueError("The gradients of the model are too large for float64. Scale the features.")
    return total / total.sum() if total.any() else total


def _checked(model: Model, X: Any) -> Any:
    X = as_rows(X)
    check_width(X, model.dims)
    check_finite(X, model.dtype)
    if not X.shape[0]:
        raise ValueError("X has no rows to average the gradients over. Give some rows of the data.")
    return X


def _support_vectors(model: Model) -> np.ndarray:
    if model.recipe.kernel.fixed:
        raise ValueError(
            f"{model.recipe.kernel!r} has a fixed basis instead of support vectors. Give rows to average over: "
            "kernelstream.feature_relevance(model, X)."
        )
    sv = model.function.support_vectors
    return sv if len(sv) <= ROWS else sv[np.linspace(0, len(sv) - 1, ROWS).astype(np.intp)]


def _spread(X: Any) -> np.ndarray:
    """The standard deviation of every feature."""
    if not X.shape[0]:
        return np.zeros(X.shape[1])
    if not issparse(X):
        return np.asarray(X, np.float64).std(axis=0)
    X = X.astype(np.float64)
    mean, square = (np.asarray(part.mean(axis=0)).ravel() for part in (X, X.multiply(X)))
    return np.sqrt(np.maximum(square - mean**2, 0.0))
