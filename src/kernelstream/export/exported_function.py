"""The three forms of a learned function, of centred features x' = (x − centre) · factor."""

import math
from typing import Any, NamedTuple

import numpy as np

from ..kernels import Fourier, Kernel, Linear
from .kernel_formula import DOT, MANHATTAN, SQUARED, Formula, NumpyWriter, formula_of, quantities, written


class LinearFunction(NamedTuple):
    """f(x) = weightsᵀ x' + intercept, for the linear kernel."""

    weights: np.ndarray  # (d, c)
    intercept: np.ndarray  # (c,)

    def at(self, X: np.ndarray, dtype: Any) -> np.ndarray:
        found: np.ndarray = X.astype(dtype) @ self.weights.astype(dtype) + self.intercept.astype(dtype)
        return found


class FourierFunction(NamedTuple):
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


class KernelExpansion(NamedTuple):
    """f(x) = Σ_j coefficients[j] κ(z_j, x) + intercept.

    Centring does not change distances. A dot product is x'·z' + x'·offset + products[j], where the offset is the centre
    in the units of the features and products[j] = offset · z_j.
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
        """κ of every row and support vector, by matrix products, as an ONNX runtime computes it."""
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
            found: np.ndarray = written(self.formula, values, NumpyWriter(dtype))
        return found

    def at(self, X: np.ndarray, dtype: Any) -> np.ndarray:
        found: np.ndarray = self.kernel_values(X, dtype) @ self.coefficients.astype(dtype)
        return found + self.intercept.astype(dtype)


ExportedFunction = LinearFunction | FourierFunction | KernelExpansion


def function_of(
    kernel: Kernel, vectors: np.ndarray, coefficients: np.ndarray, intercept: np.ndarray, offset: np.ndarray
) -> ExportedFunction:
    """The function Σ_j coefficients[j] κ(vectors[j], ·) + intercept of the features x' + offset."""
    if isinstance(kernel, Fourier):
        half = len(vectors) // 2
        omega, scale = vectors[:half], 1.0 / math.sqrt(max(half, 1))
        # small phases keep their digits in float32
        phases = np.remainder(omega @ offset, 2.0 * math.pi)
        return FourierFunction(omega, phases, coefficients[:half] * scale, coefficients[half:] * scale, intercept)
    if isinstance(kernel, Linear):
        weights = vectors.T @ coefficients
        return LinearFunction(weights, intercept + offset @ weights)
    return KernelExpansion(formula_of(kernel), vectors - offset, coefficients, intercept, offset, vectors @ offset)
