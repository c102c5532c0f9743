"""The running refit: `Refit` in small pieces, with two dictionaries, of which the better proven one predicts.

Transcribed from the specification of `output.RunningRefit`, whose rules are repeated where they are followed. Two
things are written differently. Statistics fade here, and the newest example always weighs 1; the library lets the
weight of the newest example grow instead. And a job is done at once: before the next example, which is when the library
does it too if the dictionary is so small (at most 30 or so) that the job is a single piece.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import common
from .common import Kernel
from .refit import as_vector, kernel_matrix, mistake, signs

FIRST = 64
PROOF = 64
BUFFER = 8
RECENT = 1.0 - 1.0 / 1024.0
LONGEST = 1e6
JITTER = 1e-9


class Touching(NamedTuple):
    """The parabola (h, s) of a loss at the scores F, and the error that a tally counts."""

    parabola: Callable[[object, np.ndarray], tuple[float, np.ndarray]]
    miss: Callable[[object, np.ndarray], float]


def hinge() -> Touching:
    """s = y; h = 2 if y f < 1, else 0"""
    return Touching(lambda y, F: (2.0 if y * F[0] < 1.0 else 0.0, np.array([float(y)])), mistake)


def crammer_singer() -> Touching:
    """s = +1 for the class, -1 for the others; h = 2 if f_y - the best wrong score < 1, else 0"""

    def parabola(y, F):
        wrong = np.delete(F, int(y))
        return (2.0 if len(wrong) and F[int(y)] - wrong.max() < 1.0 else 0.0), signs(y, len(F))

    return Touching(parabola, mistake)


def squared() -> Touching:
    """s = y; h = 1"""
    return Touching(lambda y, F: (1.0, as_vector(y, F)), lambda y, F: common.l2(y, F)[0])


def huber(delta: float) -> Touching:
    """s = y; h = delta / max(the largest |r|, delta)"""

    def parabola(y, F):
        s = as_vector(y, F)
        return delta / max(float(np.abs(F - s).max()), delta), s

    return Touching(parabola, lambda y, F: common.huber(delta)(y, F)[0])


class Fit:
    """A dictionary, its coefficients and its normal equations. One unit of weight is that of the newest example."""

    def __init__(self, kernel: Kernel, sv: np.ndarray, coef: np.ndarray) -> None:
        self.kernel = kernel
        self.sv = np.array(sv, dtype=float)
        self.a = np.array(coef, dtype=float)
        self.H = np.zeros((len(sv), len(sv)))
        self.b = np.zeros(self.a.shape)
        self.N = 0.0
        self.waiting: list[tuple[float, np.ndarray, np.ndarray]] = []  # (weight, k, s): not yet in H and b
        self.since = 0.0  # the weight gathered since it was last solved
        self.solved = False
        self.tally = 0.0
        self.faded = 1.0  # what is left of an example of the moment when the dictionary was copied

    def values(self, x: np.ndarray) -> np.ndarray:
        """k(x)"""
        return kernel_matrix(self.kernel, self.sv, x[None])[:, 0]

    def gather(self, x, y, w: float, F: np.ndarray, q: float, touching: Touching) -> None:
        """Everything fades by q; the example comes in with the parabola at F, once eight of them wait."""
        self.fade(q)
        self.N += w
        self.since += w
        h, s = touching.parabola(y, F)
        if h > 0.0:
            self.waiting.append((h * w, self.values(x), s))
        if len(self.waiting) == BUFFER:
            for g, k, s in self.waiting:
                self.H = self.H + g * np.outer(k, k)
                self.b = self.b + g * np.outer(k, s)
            self.waiting = []

    def fade(self, q: float) -> None:
        self.H = q * self.H
        self.b = q * self.b
        self.N *= q
        self.waiting = [(q * g, k, s) for g, k, s in self.waiting]
        self.faded *= q

    def carry_over(self, old: "Fit") -> None:
        """T = K(new, old) K(old, old)^-1; H += T H_old T', b += T b_old, N += N_old, as faded as what came since."""
        K_old = kernel_matrix(self.kernel, old.sv, old.sv)
        T = np.linalg.solve(K_old + JITTER * np.eye(len(K_old)), kernel_matrix(self.kernel, old.sv, self.sv)).T
        self.H = self.H + self.faded * T @ old.H @ T.T
        self.b = self.b + self.faded * T @ old.b
        self.N += self.faded * old.N

    def solve(self, lam: float) -> None:
        """(H + lam N K) a = b"""
        self.a = np.linalg.solve(self.H + lam * self.N * kernel_matrix(self.kernel, self.sv, self.sv), self.b)
        self.solved = True
        self.since = 0.0


class RunningRefit:
    """The refit beside a recipe; `observe` is told everything that it knows of the recipe."""

    def __init__(self, kernel: Kernel, touching: Touching, lam: float, half_life: float = 0.0) -> None:
        self.kernel = kernel
        self.touching = touching
        self.lam = lam
        self.half_life = half_life if 0.0 < half_life < LONGEST else LONGEST
        self.current: Fit | None = None
        self.training: Fit | None = None
        self.job: tuple[Fit | None, Fit] | None = None  # (the fit to carry over, the fit to solve)
        self.tally = 0.0  # of the recipe
        self.renew = FIRST
        self.skipped = 0
        self.judged = 0
        self.serves = False  # whether the current fit predicts

    @property
    def newest(self) -> Fit | None:
        return self.current if self.training is None else self.training

    def observe(self, x, y, w: float, f: np.ndarray, sv: np.ndarray, coef: np.ndarray, t: int) -> None:
        """An example after t updates, before it is learned; f, sv and coef are the recipe's scores and function."""
        self.work()
        if w <= 0.0 or len(sv) == 0:
            return
        stride = self.stride()
        self.skipped += 1
        if self.skipped < stride:
            return
        self.skipped = 0
        self.schedule(sv, coef, t)
        self.take_in(x, y, stride * w, f, 2.0 ** (-stride / self.half_life))
        self.decide()

    def work(self) -> None:
        """The job that the last example has started."""
        if self.job is None:
            return
        old, new = self.job
        if old is not None:
            new.carry_over(old)
        new.solve(self.lam)
        self.job = None

    def stride(self) -> int:
        """The smallest power of two s <= 4 with s = 4 or N < 64 s n"""
        if self.newest is None:
            return 1
        return next(s for s in (1, 2, 4) if s == 4 or 64 * s * len(self.newest.sv) > self.newest.N)

    def schedule(self, sv: np.ndarray, coef: np.ndarray, t: int) -> None:
        """Copy the support vectors, if it is time, or solve again, if there is enough that is new."""
        newest = self.newest
        if t >= self.renew:
            self.current = newest
            self.training = Fit(self.kernel, sv, coef)
            self.job = None if newest is None else (newest, self.training)
            self.renew = t + math.floor(min(3.0 * t, 2.0 * self.half_life))
            self.judged = 0
            self.tally = 0.0
            if newest is not None:
                newest.tally = 0.0
        elif newest is not None and 2 * len(newest.sv) <= newest.N and newest.since >= 0.4 * newest.N:
            self.job = (None, newest)

    def take_in(self, x, y, w: float, f: np.ndarray, q: float) -> None:
        """Every function is judged; the example enters the statistics, but not those that are being carried over."""
        current, training, miss = self.current, self.training, self.touching.miss
        self.tally = RECENT * self.tally + w * miss(y, f)
        F = np.zeros(len(f))
        if current is not None:
            own = current.a.T @ current.values(x)
            current.tally = RECENT * current.tally + w * miss(y, own)
            if current.solved:
                F = own
            if self.job is None or self.job[0] is not current:
                current.gather(x, y, w, own, q, self.touching)
        if training is not None:
            own = training.a.T @ training.values(x)
            if training.solved:
                F = own
                training.tally = RECENT * training.tally + w * miss(y, own)
                self.judged += 1
            else:
                training.tally = self.rival
            training.gather(x, y, w, F, q, self.touching)

    @property
    def rival(self) -> float:
        """The tally that the fit in training must not exceed."""
        return self.tally if self.current is None else self.current.tally

    def decide(self) -> None:
        """The fit in training becomes current once proven; the current one predicts if it is no worse than f."""
        training = self.training
        if training is not None and training.solved and self.judged >= PROOF and training.tally <= self.rival:
            self.current, self.training = training, None
        current = self.current
        self.serves = current is not None and current.solved and current.tally <= self.tally
