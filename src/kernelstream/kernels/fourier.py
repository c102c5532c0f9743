"""Random Fourier features: a Gaussian kernel without support vectors."""

import math

import numpy as np

from ..core.numba.math import cast
from ..core.random import draw
from ..core.rows import dots
from ..core.state import Scratch, State
from ..core.strategy import Count, Dims, Positive, strategy
from ..core.types import Array, Row
from .base import Kernel
from .width import check_gamma, resolve_gamma


@strategy
class Fourier(Kernel):
    """Random Fourier features, which approximate the Gaussian kernel: z(x)·z(x') ≈ exp(−γ‖x − x'‖²) for
    z(x) = (cos ω_1·x, …, cos ω_D·x, sin ω_1·x, …, sin ω_D·x)/√D with ω_i ~ N(0, 2γ).

    The frequencies are stored as support vectors, and the features are used as kernel values: f(x) = Σ_j a_j z_j(x). A
    step changes all coefficients, and nothing is ever added (`inverse.FixedBasis`).

    Parameters
    ----------
    gamma : float, "scale" or "auto", default 1.0
        γ of the Gaussian kernel; "scale" and "auto" as for `Gaussian`.
    frequencies : int, default 100
        D, the number of random frequencies; there are 2D features.
    """

    gamma: Positive | str = 1.0
    frequencies: Count = 100
    normalised = True
    fixed = True

    check = check_gamma
    resolve = resolve_gamma

    @property
    def size(self) -> int:
        return 2 * self.frequencies

    def begin(self, state: State, dims: Dims) -> None:
        D, d = self.frequencies, dims.features
        normals: list[float] = []
        while len(normals) < D * d:
            radius, angle = math.sqrt(-2.0 * math.log(1.0 - draw(state.run.rng))), 2.0 * math.pi * draw(state.run.rng)
            normals += [radius * math.cos(angle), radius * math.sin(angle)]
        ex = state.expansion
        omega = math.sqrt(2.0 * float(self.gamma)) * np.array(normals[: D * d]).reshape(D, d).T
        ex.sv[:, :D], ex.sv[:, D : 2 * D] = omega, omega
        ex.diag[: 2 * D], ex.n[0] = 1.0, 2 * D

    def row(self, sv: Array, sq: Array, x: Row, xx: float, n: int, out: Array, scratch: Scratch) -> None:
        dots(sv, x, n, out)
        half = n // 2
        factor = cast(1.0 / math.sqrt(half), out) if half > 0 else cast(0.0, out)
        for j in range(half):
            out[j] = np.cos(out[j]) * factor
        for j in range(half, n):
            out[j] = np.sin(out[j]) * factor

    def diagonal(self, x: Row, xx: float, scratch: Scratch) -> float:
        return 1.0

    def matrix(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        half = len(Z) // 2
        angles = X @ Z.T
        return np.hstack([np.cos(angles[:, :half]), np.sin(angles[:, half:])]) / math.sqrt(max(half, 1))

    def gram(self, sv: np.ndarray) -> np.ndarray:
        return np.eye(len(sv))
