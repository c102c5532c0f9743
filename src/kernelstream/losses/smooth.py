"""Smooth losses for second-order fitting, vectorised over rows, with a bound on the curvature.

A loss without a second derivative is replaced by one that has: the hinge loss by its square.
"""

import math

import numpy as np
from scipy.special import expit, log_softmax


class Smooth:
    """A smooth loss. F holds scores (rows, outputs), T targets as returned by `targets`."""

    curvature: float  # no second derivative exceeds it
    enough = 0.02  # a refit ends when a step lowers the loss of held-out rows by less than this fraction
    rival: "Smooth | None" = None  # another loss for the same task, taken if it is surely better on held-out rows

    def targets(self, Y: np.ndarray, outputs: int) -> np.ndarray:
        """The targets of the recipe's loss, in the shape of the scores."""
        return Y

    def loss(self, F: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """ℓ of each row, and ∂ℓ/∂F."""
        raise NotImplementedError

    def touching(self, F: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The parabolas ½h‖z − t‖² that touch the loss at F: h (rows,), the same for all outputs, and t.

        For a single output, minimising them is a step of Newton's method; several outputs share the largest curvature,
        so that the step is never too long.
        """
        h = np.full(len(F), self.curvature)
        return h, F - self.loss(F, T)[1] / self.curvature

    def wrong(self, F: np.ndarray, T: np.ndarray) -> np.ndarray:
        """The error of each row, for comparing two functions: whether it is a mistake, or the loss in regression."""
        return self.loss(F, T)[0]


def _signs(Y: np.ndarray, outputs: int) -> np.ndarray:
    """One against the rest: +1 for the class that the single column of Y names, −1 for all others."""
    return Y if Y.shape[1] == outputs else np.where(np.arange(outputs) == Y, np.float32(1.0), np.float32(-1.0))


def _mistakes(F: np.ndarray, T: np.ndarray) -> np.ndarray:
    if F.shape[1] == 1:
        return (F[:, 0] > 0.0) != (T[:, 0] > 0.0)
    return F.argmax(axis=1) != T.argmax(axis=1)


class SquaredHinges(Smooth):
    """The squared hinge loss Σ_c max(0, 1 − t_c z_c)²."""

    curvature = 2.0

    def targets(self, Y: np.ndarray, outputs: int) -> np.ndarray:
        return _signs(Y, outputs)

    def loss(self, F: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        short = np.maximum(1.0 - T * F, 0.0)
        return np.einsum("ij,ij->i", short, short), -2.0 * T * short

    def touching(self, F: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        short = T * F < 1.0
        return 2.0 * short.any(axis=1), np.where(short, T, F)

    def wrong(self, F: np.ndarray, T: np.ndarray) -> np.ndarray:
        return _mistakes(F, T)


class PairedHinges(Smooth):
    """¼ Σ_{c ≠ t} max(0, 2 − (z_t − z_c))²: the class against each other one (Weston & Watkins 1999), squared.

    Scores need not be of one sign: classes that lie between others, as on a scale, are told apart by their differences.
    """

    curvature = 2.0  # of rows that are short against three classes; a refit shortens the steps that are too long

    def targets(self, Y: np.ndarray, outputs: int) -> np.ndarray:
        return (np.arange(outputs) == Y).astype(np.float32)

    def loss(self, F: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        short = self._short(F, T)
        return 0.25 * np.einsum("ij,ij->i", short, short), 0.5 * (short - T * short.sum(axis=1, keepdims=True))

    def touching(self, F: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        count = (self._short(F, T) > 0.0).sum(axis=1)
        h = np.where(count > 0, 0.5 * (count + 1.0), 0.0)  # the largest eigenvalue for as many differences
        return h, F - self.loss(F, T)[1] / np.maximum(h, 1.0)[:, None]

    def wrong(self, F: np.ndarray, T: np.ndarray) -> np.ndarray:
        return _mistakes(F, T)

    def _short(self, F: np.ndarray, T: np.ndarray) -> np.ndarray:
        own = (F * T).sum(axis=1, keepdims=True)
        found: np.ndarray = np.maximum(2.0 - own + F, 0.0) * (1.0 - T)
        return found


class ClassHinges(SquaredHinges):
    """The squared hinge loss for one label among several classes."""

    rival = PairedHinges()


class Logistics(Smooth):
    """The logistic loss Σ_c ln(1 + e^{−s t_c z_c}) / s²; with s = 2 it has the link of the exponential loss."""

    curvature = 0.25

    def __init__(self, steepness: float = 1.0) -> None:
        self.s = steepness

    def targets(self, Y: np.ndarray, outputs: int) -> np.ndarray:
        return _signs(Y, outputs)

    def loss(self, F: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        margin = -self.s * T * F
        return np.logaddexp(0.0, margin).sum(axis=1) / self.s**2, -T * expit(margin) / self.s

    def touching(self, F: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # Jaakkola and Jordan's bound: the flattest parabola that stays above, tanh(m/2)/(2m) at the margin m
        m = np.abs(self.s * F).min(axis=1)
        h = np.where(m < 1e-3, 0.25, np.tanh(0.5 * m) / np.maximum(2.0 * m, 1e-3))
        return h, F - self.loss(F, T)[1] / h[:, None]

    def wrong(self, F: np.ndarray, T: np.ndarray) -> np.ndarray:
        return _mistakes(F, T)


class Softmax(Smooth):
    """The multinomial loss −ln softmax(z)_t."""

    curvature = 0.5  # Böhning's bound

    def targets(self, Y: np.ndarray, outputs: int) -> np.ndarray:
        return (np.arange(outputs) == Y).astype(np.float32)

    def loss(self, F: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logs = log_softmax(F, axis=1)
        return -(T * logs).sum(axis=1), np.exp(logs) - T

    def wrong(self, F: np.ndarray, T: np.ndarray) -> np.ndarray:
        return _mistakes(F, T)


class Hubers(Smooth):
    """The Huber loss Σ_c ½r² for |r| ≤ δ, else δ(|r| − ½δ); δ = ∞ is least squares, for which one step is exact."""

    curvature = 1.0

    def __init__(self, delta: float = math.inf) -> None:
        self.delta = delta

    def loss(self, F: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        residual = F - T
        near = np.clip(residual, -self.delta, self.delta)
        return (near * residual - 0.5 * near * near).sum(axis=1), near

    def touching(self, F: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if F.shape[1] > 1 and self.delta < math.inf:
            return super().touching(F, T)
        # far residuals weigh δ/|r|: the parabola of iterated least squares stays above the loss
        far = np.abs(F - T).max(axis=1)
        return self.delta / np.maximum(far, self.delta) if self.delta < math.inf else np.ones(len(F)), T


class Pinballs(Smooth):
    """The quantile loss with a rounded corner: its slope rises from −τ to 1 − τ over residuals of this width."""

    enough = 1e-3  # few rows are in the corner, so the bound of the curvature is far above it, and steps are short

    def __init__(self, tau: float, width: float) -> None:
        self.tau, self.width, self.curvature = tau, width, 1.0 / width

    def loss(self, F: np.ndarray, T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        residual = F - T
        slope = np.clip(residual / self.width, -self.tau, 1.0 - self.tau)
        return (slope * residual - 0.5 * self.width * slope * slope).sum(axis=1), slope
