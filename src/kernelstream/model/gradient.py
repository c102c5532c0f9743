"""Gradients ∇f(x) of the function that predicts, with respect to the features of a row.

For f(x) = Σ_j a_j κ(u_j), where u_j is a squared distance, a dot product or a Manhattan distance of x and z_j,

    ∇f(x) = Σ_j a_j κ'(u_j) ∇u_j        with ∇u_j = 2 (x − z_j), z_j or sign(x − z_j).

κ' is found by a complex step, κ'(u) = Im κ(u + ih) / h for a tiny h, which is exact to rounding (Squire & Trapp, SIAM
Review 1998). So a kernel is written only once, in `of`. Kernels of the user's own may use functions for which that
does not hold, such as abs: there the gradient is a central difference of scores.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import cdist

from .. import kernels
from ..core.inputs import as_rows, check_finite
from ..kernels import Fourier, Kernel, OfDot, OfManhattan, Radial
from ..kernels.combine import MixedMultiple, MixedProduct, MixedSum
from .base import check_width
from .model import Model

_STEP = 1e-100  # squares of it vanish, so the complex step has no truncation error


def gradients(model: Model, X: Any) -> np.ndarray:
    """∇f_c(x) of every row x and output c, (rows, outputs, features), in the units of the model's scores.

    Parameters
    ----------
    model : Model
        The model; `model_` of an estimator.
    X : array or sparse matrix
        Rows, in the units of the model.

    Examples
    --------
    >>> from kernelstream import Function, Model, recipes
    >>> from kernelstream.kernels import Gaussian
    >>> model = Model.from_recipe(recipes.bsgd(Gaussian(0.5), budget=5), [[0.0, 0.0]], [1])
    >>> f = model.adopt(Function(np.array([[0.0, 1.0]]), np.array([[2.0]])))  # 2 exp(−‖x − z‖² / 2)
    >>> gradients(f, [[1.0, 0.0], [2.0, 2.0]]).round(3).tolist()
    [[[-0.736, 0.736]], [[-0.328, -0.164]]]
    """
    X = as_rows(X)
    check_width(X, model.dims)
    check_finite(X, model.dtype)
    return gradient_of(model)(X)


def gradient_of(model: Model) -> Callable[[Any], np.ndarray]:
    """The gradient of what the model is now, as a function of rows that have been checked."""
    (sv, coef), kernel = model.function, model.recipe.kernel
    Z, weights = sv.astype(np.float64), coef.T[:, None, :]
    of_dense = partial(_weighted, kernel, Z, weights) if _differentiable(kernel) else _differences(model, Z)

    def gradient(X: Any) -> np.ndarray:
        X = np.asarray(X.toarray() if issparse(X) else X, np.float64)
        return of_dense(X).swapaxes(0, 1) if len(Z) else np.zeros((len(X), len(weights), X.shape[1]))

    return gradient


def _differentiable(kernel: Kernel) -> bool:
    """Whether a kernel, with all its parts, is one of this library, and a map of one number per pair."""
    parts = [value for value in kernel.parameters().values() if isinstance(value, Kernel)]
    scalar = bool(parts) or isinstance(kernel, Radial | OfDot | OfManhattan | Fourier)
    return scalar and type(kernel).__module__.startswith(f"{kernels.__name__}.") and all(map(_differentiable, parts))


def _weighted(kernel: Any, Z: np.ndarray, weights: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Σ_j weights[c, i, j] ∇κ(x_i, z_j), (outputs, rows, features)."""
    if isinstance(kernel, MixedSum):
        return _weighted(kernel.left, Z, weights, X) + _weighted(kernel.right, Z, weights, X)
    if isinstance(kernel, MixedMultiple):
        return kernel.factor * _weighted(kernel.kernel, Z, weights, X)
    if isinstance(kernel, MixedProduct):
        left, right = kernel.left, kernel.right
        return _weighted(left, Z, weights * right.matrix(X, Z), X) + _weighted(right, Z, weights * left.matrix(X, Z), X)
    if isinstance(kernel, Radial):
        centre = Z.mean(axis=0)  # so that the difference of two sums keeps its digits far from the origin
        X, Z = X - centre, Z - centre
        slopes = weights * _slope(kernel, _squared_distances(kernel, X, Z))
        return 2.0 * (slopes.sum(axis=2)[:, :, None] * X - slopes @ Z)
    if isinstance(kernel, OfManhattan):
        slopes = weights * _slope(kernel, cdist(X, Z, "cityblock"))
        columns = zip(X.T, Z.T, strict=True)
        return np.stack([(slopes * np.sign(x[:, None] - z)).sum(axis=2) for x, z in columns], axis=2)
    if isinstance(kernel, Fourier):
        half, angles = len(Z) // 2, X @ Z.T
        slopes = np.hstack([-np.sin(angles[:, :half]), np.cos(angles[:, half:])]) / math.sqrt(half)
        return (weights * slopes) @ Z
    return (weights * _slope(kernel, X @ Z.T)) @ Z


def _slope(kernel: Kernel, u: np.ndarray) -> np.ndarray:
    """κ'(u), the derivative of `kernel.of`.

    >>> _slope(kernels.Polynomial(2, 1.0, 1.0), np.array([2.0]))
    array([6.])
    """
    found: np.ndarray = kernel.of(u + 1j * _STEP).imag / _STEP
    return found


def _squared_distances(kernel: Kernel, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """By a matrix product where the kernel is insensitive enough to its rounding, as in `Kernel.quick`."""
    xx, zz = np.square(X).sum(axis=1), np.square(Z).sum(axis=1)
    if kernel.steepness() * (xx.max(initial=0.0) + zz.max(initial=0.0)) <= 1e3:
        return np.maximum(xx[:, None] + zz - 2.0 * (X @ Z.T), 0.0)
    return cdist(X, Z, "sqeuclidean")


def _differences(model: Model, Z: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Central differences of scores; a step is a small part of the spread of its feature among the support vectors."""
    model, epsilon = model.copy(), np.finfo(model.dtype).eps  # a copy: another thread may learn meanwhile
    spread = Z.std(axis=0) if len(Z) else np.zeros(model.n_features)
    steps = np.cbrt(epsilon) * np.where(spread > 0.0, spread, 1.0)

    def gradient(X: np.ndarray) -> np.ndarray:
        found = np.empty((model.n_outputs, *X.shape))
        for k in range(X.shape[1]):
            step = steps[k] + 8.0 * epsilon * np.abs(X[:, k])  # never rounded away
            low, high = X.astype(model.dtype), X.astype(model.dtype)
            low[:, k], high[:, k] = X[:, k] - step, X[:, k] + step
            width = high[:, k].astype(np.float64) - low[:, k]
            found[:, :, k] = (model.scores_many(high) - model.scores_many(low)).T / width
        return found

    return gradient
