"""Descent over bent columns: the objective of `descent`, whose gradient is passed on from rows to knots.

With W as there, ∂J/∂x_i = 2 Σ_b W_ib (x_i − z_b) and ∂J/∂z_b = 2 Σ_i W_ib (z_b − x_i), in the columns of the kernel. A
centre follows the knots as a row does, and has a shift of its own.
"""

from typing import Any

import numpy as np

from .bent_columns import BentColumns
from .blocks import kernel_matrix, summed
from .descent import Descent, weights
from .feature_map import FeatureMap
from .gaussian_rows import gaussian_rows, penalty
from .losses_of_task import TunedTask

UNIT = 0.1  # of a rise between knots, where that of a log-scale is 1: how far the first step goes in each
STEPS, PATIENCE = 24, 8  # at most, and without gain: later ones gain little
F32 = np.float32


class Bending(Descent):
    """J and its gradient over log-scales of straight columns, rises of bent ones, and shifts of the centres.

    Parameters
    ----------
    task : TunedTask
        The loss.
    columns : BentColumns
        The columns.
    X, T : array
        Rows, and their targets.
    centres : array
        Rows to start the centres from.
    lam : float
        λ.
    Xh, Th : array
        Rows that are held out, and their targets.
    """

    most = STEPS

    def __init__(
        self, task: TunedTask, columns: BentColumns, X: np.ndarray, T: np.ndarray, centres: np.ndarray, lam: float,
        Xh: np.ndarray, Th: np.ndarray,
    ):  # fmt: skip
        self.columns = columns
        self.learned, self.centres, self.judges = (columns.place(part) for part in (X, centres, Xh))
        width = columns.columns.features + len(columns.sources)
        super().__init__(task, X, T, np.zeros((len(centres), width)), lam, Xh, Th)

    @property
    def start(self) -> np.ndarray:
        return np.concatenate([self.columns.scales, self.columns.rises / UNIT])

    def metric(self) -> "Unmeasured":
        return Unmeasured()

    def split(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Scales of straight columns, and rises of bent ones."""
        features = len(self.columns.scales)
        return np.exp(theta[:features]), theta[features:] * UNIT

    def placed(self, point: np.ndarray) -> tuple[np.ndarray, list[np.ndarray], np.ndarray]:
        """Scales, values at knots, and the centres in the columns of the kernel."""
        shifts = point[-self.Z.size :].reshape(self.Z.shape)
        scales, rises = self.split(point[: -self.Z.size])
        values = self.columns.values(rises)
        return scales, values, self.columns.rows(self.centres, scales, values) + shifts.astype(F32)

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """J/N and its gradient."""
        scales, values, Z = self.placed(point)
        X = self.columns.rows(self.learned, scales, values)
        rows, features, K, G = len(X), len(scales), kernel_matrix(X, Z), gaussian_rows(Z, Z)
        P = penalty(G, self.lam, rows)
        a, R = self._solve(K, P)
        self.a = a.astype(F32)
        pulls, against = np.empty_like(X), -self.a.T

        def pull(some: slice) -> tuple[Any, ...]:
            """What a block of rows adds to the pulls at the centres; those at the rows themselves are kept."""
            W = weights(R[some], against, K[some])
            pulls[some] = 2.0 * (W.sum(axis=1)[:, None] * X[some] - W @ Z)
            return W.sum(axis=0), W.T @ X[some], np.square(R[some], dtype=np.float64).sum()

        w, drawn, squares = summed(pull, rows, 2.0 * float(K.size) * X.shape[1])
        value = 0.5 * float(squares) + 0.5 * float((a * (P @ a)).sum())
        V = (-0.5 * self.lam * rows) * (self.a @ self.a.T) * G
        centres = 2.0 * (w[:, None] * Z - drawn) + 4.0 * (V.sum(axis=0)[:, None] * Z - V @ Z)
        straight = np.zeros(features)
        bent = np.zeros(len(point) - features - self.Z.size)
        for placed, own in ((self.learned, pulls), (self.centres, centres)):
            straight += (own[:, :features] * placed.straight).sum(axis=0, dtype=np.float64) * scales
            bent += self.columns.slopes(placed, own[:, features:])
        return value / rows, np.concatenate([straight, bent * UNIT, centres.ravel()]).astype(np.float64) / rows

    def held(self, point: np.ndarray) -> float:
        scales, values, Z = self.placed(point)
        X = self.columns.rows(self.judges, scales, values)
        return float(self.task.losses(gaussian_rows(X, Z) @ self.a, self.Th).mean())


class Unmeasured:
    """All directions bend alike."""

    def measure(self, point: np.ndarray) -> None:
        pass

    def __call__(self, column: np.ndarray) -> np.ndarray:
        return column


def bent_map(
    task: TunedTask, columns: FeatureMap, rows: tuple[np.ndarray, np.ndarray], held: tuple[np.ndarray, np.ndarray],
    centres: int, lam: float, rival: float = np.inf,
) -> FeatureMap | None:  # fmt: skip
    """The map with bent columns in place of these, from rows with their targets; None if no feature can bend, or if the
    loss of held-out rows does not come below that of the `rival`."""
    bent = BentColumns(columns, rows[0])
    if not bent.sources:
        return None
    descent = Bending(task, bent, *rows, rows[0][:centres], lam, *held)
    found = descent.run(descent.start, PATIENCE, rival=rival)
    return bent.feature_map(*descent.split(found.theta)) if found.loss < rival else None
