"""The three shapes of a learned function, of features that have been centred: x' = (x − centre) · factor."""

import math
from typing import Any, NamedTuple

import numpy as np

from ..kernels import Fourier, Kernel, Linear
from .formula import DOT, MANHATTAN, SQUARED, Formula, Numbers, quantities, written
from .tracing import formula_of


class Affine(NamedTuple):
    """f(x) = weightsᵀ x' + intercept: what the linear kernel comes to, however many support vectors it has."""

    weights: np.ndarray  # (d, c)
    intercept: np.ndarray  # (c,)

    def at(self, X: np.ndarray, dtype: Any) -> np.ndarray:
        found: np.ndarray = X.astype(dtype) @ self.weights.astype(dtype) + self.intercept.astype(dtype)
        return found


class Waves(NamedTuple):
    """f(x) = Σ_j cosines[j] cos θ_j + sines[j] sin θ_j + intercept with θ_j = ω_j · x' + phase_j."""

    frequencies: np.ndarray  # (n, d)
    phases: np.ndarray  # (n,)
    cosines: np.ndarray  # (n, c)
    sines: np.ndarray  # (n, c)
    intercept: np.ndarray

    def at(self, X: np.ndarray, dtype: Any) -> np.ndarray:
        omega, phases, cosines, sines, intercept = (part.astype(dtype) for part in self)
        angles = X.astype(dtype) @ omega.T + phases
        found: np.ndarray = np.cos(angles) @ cosines + np.sin(angles) @ sines + intercept
        return found


class Expansion(NamedTuple):
    """f(x) = Σ_j coefficients[j] κ(z_j, x) + intercept.

    Distances are the same between centred vectors. A dot product is x'·z' + x'·offset + products[j], where the offset
    is the centre in the units of the features and products[j] = offset · z_j.
    """

    formula: Formula
    vectors: np.ndarray  # (n, d), centred
    coefficients: np.ndarray  # (n, c)
    intercept: np.ndarray  # (c,)
    offset: np.ndarray  # (d,)
    products: np.ndarray  # (n,)

    @property
    def quantities(self) -> set[str]:
        return quantities(self.formula)

    def kernel_values(self, X: np.ndarray, dtype: Any) -> np.ndarray:
        """κ of every row and support vector, by matrix products, as a runtime computes it."""
        X, Z, needed = X.astype(dtype), self.vectors.astype(dtype), self.quantities
        values: dict[str, np.ndarray] = {}
        with np.errstate(all="ignore"):
            if needed & {SQUARED, DOT}:
                product = X @ Z.T
                squares = (X * X).sum(axis=1)[:, None] + (Z * Z).sum(axis=1)
                values[SQUARED] = np.maximum(squares - dtype(2.0) * product, dtype(0.0))
                values[DOT] = product + (X @ self.offset.astype(dtype))[:, None] + self.products.astype(dtype)
            if MANHATTAN in needed:
                values[MANHATTAN] = sum(np.abs(x[:, None] - z) for x, z in zip(X.T, Z.T, strict=True))
            found: np.ndarray = written(self.formula, values, Numbers(dtype))
        return found

    def at(self, X: np.ndarray, dtype: Any) -> np.ndarray:
        found: np.ndarray = self.kernel_values(X, dtype) @ self.coefficients.astype(dtype)
        return found + self.intercept.astype(dtype)


Shape = Affine | Waves | Expansion


def shape_of(
    kernel: Kernel, vectors: np.ndarray, coefficients: np.ndarray, intercept: np.ndarray, offset: np.ndarray
) -> Shape:
    """The function Σ_j coefficients[j] κ(vectors[j], ·) + intercept of features that are x' + offset."""
    if isinstance(kernel, Fourier):
        half = len(vectors) // 2
        omega, scale = vectors[:half], 1.0 / math.sqrt(max(half, 1))
        # small phases keep their digits in float32
        phases = np.remainder(omega @ offset, 2.0 * math.pi)
        return Waves(omega, phases, coefficients[:half] * scale, coefficients[half:] * scale, intercept)
    if isinstance(kernel, Linear):
        weights = vectors.T @ coefficients
        return Affine(weights, intercept + offset @ weights)
    return Expansion(formula_of(kernel), vectors - offset, coefficients, intercept, offset, vectors @ offset)
