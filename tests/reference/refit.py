"""The refit: the coefficients of a recipe's support vectors, fitted again by second-order steps.

`docs/design/refit.md`, section "In a stream", transcribed step by step.  With k(x) = (k(z_1, x), ..., k(z_B, x))
and K the Gram matrix of the support vectors z, each example adds a parabola 1/2 h ||f - s||^2 that touches its loss,

    H += w h k k',    b += w h k s',    mass += w,    and then    (H + lam mass K) a = b.

The page leaves open, and this settles: mistakes weigh w; the first examples, which meet no support vectors, add
nothing, not even to the mass; the first factor is chosen by the scores gathered, not by the recipe's function after
learning; forgetting also brings the mass at which the next solution is due nearer; and who predicts is decided in step
1 only.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import common
from .common import Kernel

Curve = Callable[[object, np.ndarray], tuple[float, np.ndarray]]

FACTORS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.4, 2.0)
NO_LAM = 1e-5  # where the recipe has none


# ------------------------------------------------------------------------------------- losses and parabolas
#
# A target is what the recipe's loss takes: y = -1 or +1 for one output, the index of a class, or a value or vector.


class Smooth(NamedTuple):
    """A loss that has a second derivative, the parabola (h, s) that touches it at F, and what a tally counts."""

    loss: common.Loss
    parabola: Curve
    miss: Callable[[object, np.ndarray], float]


def signs(y, outputs: int) -> np.ndarray:
    """t_c = +1 or -1: one class against the rest."""
    if outputs == 1:
        return np.array([float(y)])
    t = -np.ones(outputs)
    t[int(y)] = 1.0
    return t


def mistake(y, F: np.ndarray) -> float:
    """1 if the sign, or the class of the largest score (the lowest of equals), is not y."""
    if len(F) == 1:
        return float((1.0 if F[0] > 0.0 else -1.0) != y)
    return float(int(np.argmax(F)) != int(y))


def touching(loss: common.Loss, h: float, y, F: np.ndarray) -> tuple[float, np.ndarray]:
    """The parabola of curvature h with the slope of the loss at F: s = F - l'(F) / h"""
    return h, F - loss(y, F)[1] / h


def squared_hinge() -> Smooth:
    """sum_c max(0, 1 - t_c f_c)^2"""

    def loss(y, F):
        t = signs(y, len(F))
        slack = np.maximum(0.0, 1.0 - t * F)
        return float(slack @ slack), -2.0 * t * slack

    def parabola(y, F):
        t = signs(y, len(F))
        short = t * F < 1.0
        return (2.0 if short.any() else 0.0), np.where(short, t, F)

    return Smooth(loss, parabola, mistake)


def paired_hinge() -> Smooth:
    """1/4 sum over c != y of max(0, 2 - (f_y - f_c))^2"""

    def loss(y, F):
        value, slope = 0.0, np.zeros(len(F))
        for c in range(len(F)):
            slack = max(0.0, 2.0 - (F[int(y)] - F[c]))
            if c != int(y):
                value += slack**2 / 4.0
                slope[c] += slack / 2.0
                slope[int(y)] -= slack / 2.0
        return value, slope

    def parabola(y, F):
        """The differences to k classes have the curvature (k + 1) / 2 at most."""
        k = sum(F[int(y)] - F[c] < 2.0 for c in range(len(F)) if c != int(y))
        return touching(loss, (k + 1.0) / 2.0, y, F) if k else (0.0, F)

    return Smooth(loss, parabola, mistake)


def logistic(sharpness: float = 1.0) -> Smooth:
    """sum_c ln(1 + exp(-q t_c f_c)) / q^2: the logistic loss for q = 1; with q = 2 the link of exp(-y f)"""

    def loss(y, F):
        t = signs(y, len(F))
        margin = sharpness * t * F
        slope = np.array([-math.exp(-float(np.logaddexp(0.0, m))) for m in margin])
        return float(np.logaddexp(0.0, -margin).sum()) / sharpness**2, t * slope / sharpness

    def parabola(y, F):
        m = sharpness * float(np.abs(F).min())
        h = 0.25 if m == 0.0 else math.tanh(m / 2.0) / (2.0 * m)
        return touching(loss, h, y, F)

    return Smooth(loss, parabola, mistake)


def multinomial() -> Smooth:
    """-ln softmax(f)_y"""
    return Smooth(common.multinomial, lambda y, F: touching(common.multinomial, 0.5, y, F), mistake)


def squared() -> Smooth:
    """1/2 ||f - y||^2"""
    return Smooth(common.l2, lambda y, F: (1.0, as_vector(y, F)), lambda y, F: common.l2(y, F)[0])


def huber(delta: float) -> Smooth:
    """Huber's loss: the tightest parabola about y for one output, curvature 1 for several"""
    loss = common.huber(delta)

    def parabola(y, F):
        if len(F) > 1:
            return touching(loss, 1.0, y, F)
        target = as_vector(y, F)
        r = abs(float(F[0] - target[0]))
        return (min(1.0, delta / r) if r > 0.0 else 1.0), target

    return Smooth(loss, parabola, lambda y, F: loss(y, F)[0])


def pinball(tau: float, width: float) -> Smooth:
    """The quantile loss with a parabola r²/(2 width) in place of its corner, curvature 1/width"""

    def loss(y, F):
        total, slopes = 0.0, np.empty(len(F))
        for c, r in enumerate(F - as_vector(y, F)):
            low, high = -tau * width, (1.0 - tau) * width
            if r < low:
                value, slopes[c] = -tau * r - tau**2 * width / 2.0, -tau
            elif r > high:
                value, slopes[c] = (1.0 - tau) * r - (1.0 - tau) ** 2 * width / 2.0, 1.0 - tau
            else:
                value, slopes[c] = r**2 / (2.0 * width), r / width
            total += value
        return total, slopes

    return Smooth(loss, lambda y, F: touching(loss, 1.0 / width, y, F), lambda y, F: loss(y, F)[0])


def as_vector(y, F: np.ndarray) -> np.ndarray:
    return np.broadcast_to(np.asarray(y, dtype=float), F.shape).copy()


# --------------------------------------------------------------------------------------------------- solving


def kernel_matrix(kernel: Kernel, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """[k(x_i, z_j)]_ij"""
    return np.array([[kernel(x, z) for z in right] for x in left]).reshape(len(left), len(right))


def solve(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(A + jitter I)^-1 b, the jitter from the rounding of one entry on, eightfold until there is a factor."""
    jitter = np.finfo(float).eps * max(float(np.abs(A).max(initial=0.0)), np.finfo(float).tiny)
    while True:
        try:
            L = np.linalg.cholesky(A + jitter * np.eye(len(A)))
        except np.linalg.LinAlgError:
            jitter *= 8.0
            continue
        return np.linalg.solve(L.T, np.linalg.solve(L, b))


# ---------------------------------------------------------------------------------------------------- stream


class Refit:
    """The refit beside a recipe; `gather` is told everything that it knows of the recipe."""

    def __init__(
        self, kernel: Kernel, smooth: Smooth, dim: int, outputs: int, lam: float | None, half_life: float | None = None
    ) -> None:
        self.kernel = kernel
        self.smooth = smooth
        self.lam = NO_LAM if lam is None else lam
        self.half_life = half_life
        self.sv = np.zeros((0, dim))
        self.a = np.zeros((0, outputs))
        self.H = np.zeros((0, 0))
        self.b = np.zeros((0, outputs))
        self.mass = 0.0
        self.own = 0.0  # the tally of the refit
        self.recipes = 0.0  # the tally of the recipe
        self.solved = False
        self.serves = False  # whether the refit predicts
        self.renew = 0.0  # the time to renew
        self.due = math.inf  # the mass at which the next solution is due

    def value(self, X: np.ndarray) -> np.ndarray:
        """f(x) = a' k(x), one row for each x"""
        return kernel_matrix(self.kernel, X, self.sv) @ self.a

    def gather(self, X, targets, weights, scores, sv, coef, t: int) -> None:
        """The examples gathered up to update t, the recipe's scores before it learned each, and what it is now."""
        F = self.value(X)
        self.judge(F, targets, weights, scores)
        self.forget(len(X))
        self.add(X, F, targets, weights)
        if t >= self.renew:
            self.take_over(targets, weights, scores, sv, coef)
            self.renew = 2.0 * t if self.half_life is None else t + min(t, self.half_life)
        elif self.mass >= self.due:
            self.solve()

    def judge(self, F, targets, weights, scores) -> None:
        """Step 1: both are judged by examples that neither had learned."""
        if not self.solved:
            return
        for own, y, w, recipe in zip(F, targets, weights, scores, strict=True):
            self.own += w * self.smooth.miss(y, own)
            self.recipes += w * self.smooth.miss(y, recipe)
        self.serves = self.own <= self.recipes

    def forget(self, examples: int) -> None:
        """Step 2"""
        if self.half_life is None:
            return
        q = 2.0 ** (-examples / self.half_life)
        self.H = q * self.H
        self.b = q * self.b
        self.mass *= q
        self.due *= q
        self.own *= q
        self.recipes *= q

    def add(self, X, F, targets, weights) -> None:
        """Step 3: a parabola for each example"""
        if len(self.sv) == 0:
            return
        for x, f, y, w in zip(X, F, targets, weights, strict=True):
            k = kernel_matrix(self.kernel, self.sv, x[None])[:, 0]
            h, s = self.smooth.parabola(y, f)
            self.H = self.H + w * h * np.outer(k, k)
            self.b = self.b + w * h * np.outer(k, s)
            self.mass += w

    def take_over(self, targets, weights, scores, sv, coef) -> None:
        """Step 4, when it is time to renew: the recipe's support vectors, and what is known of the old ones."""
        first = len(self.sv) == 0
        K_old = kernel_matrix(self.kernel, self.sv, self.sv)
        K_new_old = kernel_matrix(self.kernel, sv, self.sv)
        T = solve(K_old, K_new_old.T).T if not first else np.zeros((len(sv), 0))
        self.sv = np.array(sv, dtype=float)
        self.H = T @ self.H @ T.T
        self.b = T @ self.b
        self.own = self.recipes = 0.0
        if first:
            self.a = self.best_factor(targets, weights, scores) * np.asarray(coef, dtype=float)
            self.due = 2.0 * len(sv)
        else:
            self.solve()

    def best_factor(self, targets, weights, scores) -> float:
        losses = []
        for factor in FACTORS:
            total = 0.0
            for y, w, f in zip(targets, weights, scores, strict=True):
                total += w * self.smooth.loss(y, factor * f)[0]
            losses.append(total)
        return FACTORS[int(np.argmin(losses))]

    def solve(self) -> None:
        """(H + lam mass K) a = b"""
        K = kernel_matrix(self.kernel, self.sv, self.sv)
        self.a = solve(self.H + self.lam * self.mass * K, self.b)
        self.solved = True
        self.due = 1.1 * self.mass
