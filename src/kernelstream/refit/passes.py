"""The refit over data that is all there: a few passes, each of which gives the whole gradient."""

from typing import Any

import numpy as np

from ..parallel import in_order
from ..state import Expansion
from .minimise import minimise
from .solve import Solver
from .statistics import GROWTH, Statistics, best_scale

BLOCK = 1024  # rows of kernel values in memory at once
SAMPLE = 16  # rows per support vector that the curvature is estimated from


def fit_passes(
    fit: Statistics, ex: Expansion, X: Any, Y: np.ndarray, weight: np.ndarray, held: np.ndarray, passes: int
) -> None:
    """Minimise λ/2 ‖f‖² + the mean loss over the coefficients of the present support vectors.

    Rows whose index is in `held` nobody has learned from: they choose between the functions found and the last iterate.
    """
    n, rows = int(ex.n[0]), X.shape[0]
    learned = weight.copy()
    learned[held] = 0.0
    sample = np.flatnonzero(learned)[:: max(1, rows // (SAMPLE * max(n, 1)))]
    if n == 0 or len(sample) == 0:
        return
    last = (ex.coef[:, :n] * ex.scale[0]).T
    fit.replace(ex.sv[:, :n].T, ex.sq[:n], last, np.zeros((n, n)), np.zeros_like(last))
    data = _Data(fit, X, Y, learned)
    K, T, w = data.part(sample)
    w = w * (data.mass / float(w.sum()))
    root = np.sqrt(fit.smooth.curvature * w)[:, None].astype(K.dtype)
    curvature = ((K * root).T @ (K * root)).astype(np.float64)
    ridge = fit.lam * data.mass * data.gram
    start = best_scale(fit.smooth, K @ last, T, w) * last
    solver, jury = Solver(curvature + ridge, float(np.finfo(K.dtype).eps)), _Jury(data, held, weight[held])
    found = minimise(data.objective, start, solver, passes, jury.loss if len(held) else None)
    # what more of the stream brings is weighed against all of this
    fit.replace(ex.sv[:, :n].T, ex.sq[:n], found, curvature, (curvature + ridge) @ found)
    own = fit.own
    own.mass[0], own.solve[0] = data.mass, GROWTH * data.mass
    own.tally[:] = jury.mistakes(found), jury.mistakes(last)
    own.serves[0] = own.tally[0] <= own.tally[1] + 2.0 * jury.doubt(found, last)


class _Data:
    """The rows to learn from, and what the coefficients cost on them."""

    def __init__(self, fit: Statistics, X: Any, Y: np.ndarray, weight: np.ndarray):
        self.fit, self.X, self.Y, self.weight = fit, X, Y, weight
        self.mass, self.gram = float(weight.sum()), fit.gram

    def part(self, index: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Kernel rows, targets and weights of some of them."""
        targets = self.fit.smooth.targets(self.Y[index], len(self.fit.own.coef))
        return self.fit.rows(self.X[index]), targets, self.weight[index]

    def objective(self, a: np.ndarray) -> tuple[float, np.ndarray]:
        """N (λ/2 ‖f‖² + mean loss), and its gradient."""
        short, smooth = a.astype(self.fit.own.sv.dtype), self.fit.smooth

        def block(start: int) -> tuple[float, np.ndarray]:
            K, T, w = self.part(slice(start, start + BLOCK))
            losses, slopes = smooth.loss(K @ short, T.astype(K.dtype, copy=False))
            return float(w @ losses), K.T @ (w[:, None] * slopes).astype(K.dtype)

        slope = self.fit.lam * self.mass * (self.gram @ a)
        value = 0.5 * float(np.sum(a * slope))
        work = float(self.X.shape[0]) * len(a) * self.X.shape[1]
        for more, steeper in in_order(block, range(0, self.X.shape[0], BLOCK), work):
            value += more
            slope = slope + steeper
        return value, slope


class _Jury:
    """Rows that nobody has learned from."""

    def __init__(self, data: _Data, held: np.ndarray, weight: np.ndarray):
        self.K, self.T, _ = data.part(held)
        self.smooth, self.weight = data.fit.smooth, weight

    def loss(self, a: np.ndarray) -> float:
        return float(self.weight @ self.smooth.loss(self.K @ a, self.T)[0])

    def mistakes(self, a: np.ndarray) -> float:
        return float(self.weight @ self._wrong(a))

    def doubt(self, a: np.ndarray, other: np.ndarray) -> float:
        """How far two counts of mistakes differ by chance: one standard deviation of the rows judged differently."""
        return float(np.sqrt(np.square(self.weight * (self._wrong(a) - self._wrong(other))).sum()))

    def _wrong(self, a: np.ndarray) -> np.ndarray:
        return self.smooth.wrong(self.K @ a, self.T).astype(np.float64)
