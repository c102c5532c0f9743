"""Support vectors that move: with a Gaussian kernel the objective has a gradient in their positions too."""

import numpy as np

from ..kernels import Gaussian
from .judge import Judge
from .minimise import minimise
from .objective import Objective, losses_and_positions
from .solver import Solver

ENOUGH = 0.001  # the fraction that a step must gain: moving converges slowly


class Moving:
    """Coefficients and positions of the support vectors as one column of numbers."""

    def __init__(self, objective: Objective, a: np.ndarray, judge: Judge) -> None:
        self.data, self.judges, self.shape = objective, judge, a.shape
        fit = objective.fit
        assert isinstance(fit.kernel, Gaussian)  # the only kernel whose support vectors can move
        self.gamma = float(fit.kernel.gamma)
        K, _, w = objective.sample()
        self._coefficients = Solver(
            objective.curvature(K, w) + fit.lam * objective.mass * fit.gram, float(np.finfo(K.dtype).eps)
        )
        # the diagonal of the Gauss-Newton matrix, the same for all features of a support vector
        with np.errstate(divide="ignore", invalid="ignore"):
            bend = np.where(K > 0.0, -4.0 * self.gamma * K * K * np.log(K), 0.0)
        own = np.square(a).sum(axis=1) * (w @ bend) * fit.smooth.curvature / fit.own.sv.shape[0]
        self._positions = (own + 1e-3 * own.max(initial=0.0) + 1e-12)[:, None]

    def pack(self, a: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return np.concatenate([a.ravel(), Z.ravel()])[:, None]

    def unpack(self, column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        cut = self.shape[0] * self.shape[1]
        return column[:cut, 0].reshape(self.shape), column[cut:, 0].reshape(self.shape[0], -1)

    def settle(self, column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Move the support vectors to these positions; returns coefficients and positions as stored."""
        a, Z = self.unpack(column)
        own, n = self.data.fit.own, self.shape[0]
        own.sv[:, :n] = Z.T
        own.sq[:n] = np.square(own.sv[:, :n].astype(np.float64)).sum(axis=0)
        return a, own.sv[:, :n].T.astype(np.float64)

    def objective(self, column: np.ndarray) -> tuple[float, np.ndarray]:
        a, Z = self.settle(column)
        data, fit = self.data, self.data.fit
        losses, slope, drawn, weight = data.total(losses_and_positions, a)
        gram, pull = fit.gram, fit.lam * data.mass
        W = pull * (a @ a.T) * gram
        drawn, weight = drawn + W @ Z, weight + W.sum(axis=0)
        value = 0.5 * pull * float(np.sum(a * (gram @ a))) + float(losses)
        return value, self.pack(slope + pull * (gram @ a), 2.0 * self.gamma * (drawn - weight[:, None] * Z))

    def solve(self, column: np.ndarray) -> np.ndarray:
        a, Z = self.unpack(column)
        return self.pack(self._coefficients(a), Z / self._positions)

    def judge(self, column: np.ndarray) -> float:
        a, _ = self.settle(column)
        self.judges.look_again()
        return self.judges.loss(a)


def move(objective: Objective, a: np.ndarray, judge: Judge, passes: int) -> np.ndarray:
    """Minimise over the positions of the support vectors and their coefficients; returns the latter."""
    moving = Moving(objective, a, judge)
    Z = objective.fit.own.sv[:, : len(a)].T.astype(np.float64)
    stop = moving.judge if len(judge) else None
    found = minimise(moving.objective, moving.pack(a, Z), moving.solve, passes, stop, ENOUGH)
    moving.settle(found)
    judge.look_again()
    return moving.unpack(found)[0]
