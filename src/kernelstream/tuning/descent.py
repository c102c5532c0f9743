"""Scales of columns by descent on the objective of the refit.

With the kernel κ(x, z) = exp(−Σ_j s_j² (x_j − z_j)²), s = e^θ, over log-scales θ and centres Z,

    J(θ, Z) = min_a  ½ λN aᵀKa + ½ Σ_i ℓ(K(x_i, Z) a, t_i)

By the envelope theorem, the gradient of J is its partial one at the best a: with R the derivatives of ℓ and
W = −(R aᵀ) ∘ K, ∂J/∂θ_j = 2 Σ_ib W_ib s_j² (x_ij − z_bj)² and ∂J/∂z_b = 2 s² Σ_i W_ib (z_b − x_i), and the same for the
penalty: all from WᵀX, as Σ_ib W_ib x_ij z_bj = Σ_b z_bj (WᵀX)_bj. (Variable projection: Golub & Pereyra, SIAM J. Numer.
Anal. 1973.)
"""

from typing import Any, NamedTuple

import numpy as np

from ..refit.minimise import descend
from .blocks import ShortRows, kernel_matrix, normal_matrix, summed
from .curvature import TINY, Curvature
from .gaussian_rows import JITTER, Factor, gaussian_rows, penalty
from .losses_of_task import TunedTask, relaxed

STEPS = 60  # at most
MOVING = 320  # columns: with more, centres stay where they are; moving them gains nothing, and is half of the work
GAIN = 5e-4  # relative decrease of the loss of held-out rows that counts
LONGEST = 1.0  # step of a log-scale
SOON = 6  # steps after which a descent that has a rival must have less loss than it
MEASURED = (0, 4, 10, 20, 35)  # steps after which the curvature is measured
NEWTON, MAJORISED = (5, 1), (8, 6)  # inner steps for two classes and for more: the first time, and later
F32 = np.float32


class Found(NamedTuple):
    """The scales with the least loss on held-out rows."""

    theta: np.ndarray
    steps: int  # taken until then
    loss: float


def weights(r: np.ndarray, against: np.ndarray, K: np.ndarray) -> np.ndarray:
    """(r · against) ∘ K; for one output, BLAS takes much longer than this."""
    W: np.ndarray = r * against if len(against) == 1 else r @ against
    W *= K
    return W


class Descent:
    """J and its gradient over rows X with targets T, from centres Z; Xh and Th are held out."""

    most = STEPS

    def __init__(
        self, task: TunedTask, X: np.ndarray, T: np.ndarray, Z: np.ndarray, lam: float, Xh: np.ndarray, Th: np.ndarray
    ):
        self.X, self.T, self.Z, self.Xh, self.Th = (np.asarray(part, F32) for part in (X, T, Z, Xh, Th))
        self.task, self.lam = task, lam
        self._short: np.ndarray | None = None  # rows short of their margin at the last step,
        self._aims: np.ndarray | None = None  # or what the parabolas of all classes aim at

    def parts(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Scales, and centres in the units of X: those of the point, if it has any."""
        d = self.X.shape[1]
        moved = point[d:].reshape(-1, d).astype(F32)
        return np.exp(point[:d]).astype(F32), moved if len(moved) else self.Z

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """J/N and its gradient in what the point has."""
        scales, Z = self.parts(point)
        X, Z = self.X * scales, Z * scales
        rows, K, G = len(X), kernel_matrix(X, Z), gaussian_rows(Z, Z)
        P = penalty(G, self.lam, rows)
        a, R = self._solve(K, P)
        self.a = a.astype(F32)
        against = -self.a.T

        def pulls(some: slice) -> tuple[Any, ...]:
            """How the rows of a block pull at the scales and at the centres."""
            counts = R[some].any(axis=1)
            x, r = X[some][counts], R[some][counts]
            W = weights(r, against, K[some][counts])
            return W.sum(axis=1) @ np.square(x), W.sum(axis=0), W.T @ x, np.square(r, dtype=np.float64).sum()

        theta, w, drawn, squares = summed(pulls, rows, float(K.size) * X.shape[1])
        value = 0.5 * float(squares) + 0.5 * float((a * (P @ a)).sum())
        V = (-0.5 * self.lam * rows) * (self.a @ self.a.T) * G
        v, near = V.sum(axis=0), V @ Z
        centres = 2.0 * (w[:, None] * Z - drawn) + 4.0 * (v[:, None] * Z - near)
        theta = 2.0 * (theta + w @ np.square(Z)) + 4.0 * (v @ np.square(Z))
        theta -= 4.0 * ((drawn + near) * Z).sum(axis=0)
        slope = np.concatenate([theta, (centres * scales).ravel()])[: len(point)]
        return value / rows, slope.astype(np.float64) / rows

    def _solve(self, K: np.ndarray, P: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The best coefficients, and the derivatives of the losses."""
        T, jitter = self.T, JITTER * len(K)
        if not self.task.hinge:
            a = Factor(normal_matrix(K) + P, jitter).solve(K.T @ T)
            return a, K @ a.astype(F32) - T
        a, F = self._newton(K, P, jitter) if T.shape[1] == 1 else self._majorised(K, P, jitter)
        return a, np.where(T * F < 1.0, F - T, 0.0).astype(F32)

    def _newton(self, K: np.ndarray, P: np.ndarray, jitter: float) -> tuple[np.ndarray, np.ndarray]:
        """Two classes: least squares on the rows short of their margin, which the last step began to find."""
        short = np.ones(len(K), bool) if self._short is None else self._short
        rows_short = ShortRows(K)
        for _ in range(NEWTON[self._short is not None]):
            aims = np.where(short[:, None], self.T, F32(0.0))
            a = Factor(rows_short.normal_matrix(short) + P, jitter).solve(K.T @ aims)
            F = K @ a.astype(F32)
            short = (self.T * F < 1.0)[:, 0]
        self._short = short
        return a, F

    def _majorised(self, K: np.ndarray, P: np.ndarray, jitter: float) -> tuple[np.ndarray, np.ndarray]:
        """More classes: one bound on the curvature for all."""
        factor, aims = Factor(normal_matrix(K) + P, jitter), self.T if self._aims is None else self._aims
        there: np.ndarray | None = None
        for _ in range(MAJORISED[self._aims is not None]):
            a = factor.solve(K.T @ aims)
            F = K @ a.astype(F32)
            there, aims = relaxed(F, there, self.T)
        _, self._aims = relaxed(F, None, self.T)
        return a, F

    def held(self, point: np.ndarray) -> float:
        """The mean loss of held-out rows, with the coefficients of the last evaluation."""
        scales, Z = self.parts(point)
        return float(self.task.losses(gaussian_rows(self.Xh * scales, Z * scales) @ self.a, self.Th).mean())

    def metric(self) -> Any:
        """What turns a gradient into a step, with a method `measure` that is told the point."""
        return Curvature(self)

    def run(
        self, theta: np.ndarray, patience: int, gain: float = GAIN, rival: float = np.inf, moving: bool = True
    ) -> Found:
        """L-BFGS, until no step of the last `patience` ones has lowered the loss of held-out rows by the fraction
        `gain`. A descent that does not come below the loss of its `rival` soon is given up; centres may be `moving`."""
        moves = moving and self.X.shape[1] <= MOVING
        centres, count = self.Z.ravel() if moves else np.zeros(0), len(theta)
        start = np.concatenate([theta, centres]).astype(np.float64)
        metric, best, last = self.metric(), Found(theta, 0, np.inf), 0

        def objective(column: np.ndarray) -> tuple[float, np.ndarray]:
            value, slope = self(column[:, 0])
            return value, slope[:, None]

        def longest(way: np.ndarray) -> float:
            return min(1.0, LONGEST / max(float(np.abs(way[:count]).max()), TINY))

        points = descend(objective, start[:, None], metric, 2 * self.most, longest=longest)
        for step, (column, _) in enumerate(points):
            point = column[:, 0]
            loss = self.held(point)
            if loss < best.loss * (1.0 - gain):
                last = step
            if loss < best.loss * (1.0 - GAIN):
                best = Found(point[:count].copy(), step, loss)
            if step - last >= patience or step >= self.most or (step == SOON and best.loss >= rival):
                break
            if step in MEASURED:
                metric.measure(point)
        return best
