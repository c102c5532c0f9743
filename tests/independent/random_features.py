"""Fourier online gradient descent (FOGD), written out literally.

Source: J. Lu, S. C. H. Hoi, J. Wang, P. Zhao and Z.-Y. Liu, "Large scale online kernel learning", JMLR 17 (2016),
section 3.1; the random features are those of A. Rahimi and B. Recht, NIPS 2007.
"""

import math
from typing import NamedTuple

import numpy as np

from .derivatives import derivative


class Model(NamedTuple):
    """The state after one example: f(x) = weightsᵀ φ(x), with φ(x) of length 2D."""

    weights: np.ndarray  # (2D, c)


def gaussian_frequencies(count: int, dimension: int, gamma: float, rng: np.random.Generator) -> np.ndarray:
    """Draw ω_1 … ω_D for κ(x, z) = exp(−γ‖x − z‖²) (Rahimi & Recht 2007, Bochner's theorem).

    E cos(ω·δ) = exp(−s²‖δ‖²/2) for ω ~ N(0, s² I), so s² = 2γ.
    """
    return math.sqrt(2.0 * gamma) * rng.standard_normal((count, dimension))


def laplacian_frequencies(count: int, dimension: int, gamma: float, rng: np.random.Generator) -> np.ndarray:
    """Draw ω_1 … ω_D for κ(x, z) = exp(−γ‖x − z‖₁) (Rahimi & Recht 2007, figure 1).

    The coordinates are independent and Cauchy with scale γ, as E cos(ω δ) = exp(−γ|δ|) for each; a coordinate is
    γ tan(π(u − ½)) with u uniform.
    """
    return gamma * np.tan(math.pi * (rng.random((count, dimension)) - 0.5))


def feature_map(x, frequencies: np.ndarray) -> np.ndarray:
    """φ(x) = (cos ω_1·x, …, cos ω_D·x, sin ω_1·x, …, sin ω_D·x) / √D, so that φ(x)·φ(z) = mean_j cos ω_j·(x − z).

    Read as: all cosines first, then all sines, and the factor 1/√D is part of the map. The published algorithm lists
    (sin, cos) pair by pair; the order does not change any prediction, while leaving out 1/√D would multiply the step
    by D.
    """
    angles = np.asarray(frequencies, dtype=float) @ np.asarray(x, dtype=float)
    return np.concatenate([np.cos(angles), np.sin(angles)]) / math.sqrt(len(frequencies))


def run(X, Y, frequencies, eta: float, loss: str = "hinge", outputs: int = 1, power: float = 0.0) -> list[Model]:
    """FOGD (Lu et al., JMLR 2016, algorithm 1): w ← w − η_t φ(x_t) gᵀ, g = ∂ℓ/∂z at z = wᵀφ(x_t), w_1 = 0.

    η_t = η t^{−power}: power 0 is the constant step of the paper, power ½ the decreasing one. There is neither decay
    nor ball nor bias.
    Read as: t is the number of the example (from 1), whether or not the earlier ones had a loss.
    """
    weights = np.zeros((2 * len(frequencies), outputs))
    models = []
    for t, (x, y) in enumerate(zip(X, Y, strict=True), start=1):
        features = feature_map(x, frequencies)
        slope = derivative(loss, y, weights.T @ features)
        weights = weights - eta * t ** (-power) * np.outer(features, slope)
        models.append(Model(weights.copy()))
    return models


def predict(model: Model, x, frequencies) -> np.ndarray:
    """f(x) = weightsᵀ φ(x) ∈ R^c."""
    return model.weights.T @ feature_map(x, frequencies)
