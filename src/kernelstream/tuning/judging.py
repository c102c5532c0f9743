"""Candidates for the scales, compared on held-out rows with the support vectors that the recipe itself would find."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .blocks import ShortRows, kernel_matrix, normal_matrix
from .folds import Fold
from .gaussian_rows import JITTER, Factor, gaussian_rows, penalty
from .losses_of_task import TunedTask, relaxed

FindSupport = Callable[
    [np.ndarray, np.ndarray], np.ndarray
]  # columns of some rows, and their indices → support vectors
NEWTON, MAJORISED = (4, 2), (10, 4)  # steps for two classes and for more: for the first λ, and for the others
SURE, LIKELY = 2.5, 0.5  # standard errors by which a candidate must have less loss and fewer mistakes
SURE_LAM = 1.0  # and a larger λ less loss
FEWER = 1.0  # by which one makes fewer mistakes than another with less loss
F32 = np.float32


class Verdicts(NamedTuple):
    """Losses and errors of every held-out row, for each λ."""

    losses: dict[float, np.ndarray]
    errors: dict[float, np.ndarray]

    def best(self) -> float:
        """The least mean loss."""
        return min(float(found.mean()) for found in self.losses.values())

    def only(self, lam: float) -> "Verdicts":
        """Those for one λ."""
        return Verdicts({lam: self.losses[lam]}, {lam: self.errors[lam]})

    def lam(self, sure: float = SURE_LAM) -> float:
        """From the smallest λ up to one that has less loss by so many standard errors, and no more errors."""
        first, *larger = self.losses
        for lam in larger:
            better = certainty(self.losses[first], self.losses[lam]) >= sure
            if better and self.errors[lam].sum() <= self.errors[first].sum():
                first = lam
        return first


def certainty(before: np.ndarray, after: np.ndarray) -> float:
    """By how many standard errors the mean of paired losses is smaller.

    >>> round(certainty(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 1.0])), 1)
    4.9
    """
    gain = before - after
    return float(gain.mean() / (gain.std() / np.sqrt(len(gain)) + 1e-300))


def judged(
    task: TunedTask, A: np.ndarray, T: np.ndarray, thetas: Sequence[np.ndarray], folds: Sequence[Fold],
    lams: Sequence[float], find: FindSupport,
) -> Iterator[Verdicts]:  # fmt: skip
    """The verdicts on scales e^theta, one theta for each fold, so far: after the first λ, the second, …"""
    paths = []
    for theta, fold in zip(thetas, folds, strict=True):
        scales = np.exp(theta).astype(F32)
        X, Xh = A[fold.learned] * scales, A[fold.held] * scales
        Z = np.asarray(find(X, fold.learned), F32)
        paths.append((fitted(task, X, T[fold.learned], Z, lams), kernel_matrix(Xh, Z), T[fold.held]))
    losses: dict[float, np.ndarray] = {}
    errors: dict[float, np.ndarray] = {}
    for lam in lams:
        scores = [(held @ next(path)[1], targets) for path, held, targets in paths]
        losses[lam] = np.concatenate([task.losses(F, targets) for F, targets in scores])
        errors[lam] = np.concatenate([task.errors(F, targets) for F, targets in scores])
        yield Verdicts(dict(losses), dict(errors))


def fitted(
    task: TunedTask, X: np.ndarray, T: np.ndarray, Z: np.ndarray, lams: Sequence[float]
) -> Iterator[tuple[float, np.ndarray]]:
    """Coefficients of the support vectors Z fitted to rows, for each λ."""
    K, gram, T = kernel_matrix(X, Z), gaussian_rows(Z, Z), T.astype(F32)
    rows, jitter = len(K), JITTER * len(K)
    # several classes take many steps with one factor, which would make the rounding of its matrix grow
    newton = task.hinge and T.shape[1] == 1
    H = np.zeros(0) if newton else normal_matrix(K, precise=task.hinge)
    rows_short, short = ShortRows(K), np.ones(rows, bool)
    aims, first = T, True
    for lam in lams:
        P = penalty(gram, lam, rows)
        if newton:
            for _ in range(NEWTON[not first]):
                aims = np.where(short[:, None], T, F32(0.0))
                a = Factor(rows_short.normal_matrix(short) + P, jitter).solve(K.T @ aims)
                short = (T * (K @ a.astype(F32)) < 1.0)[:, 0]
        else:
            factor = Factor(H + P, jitter)
            there: np.ndarray | None = None
            for _ in range(MAJORISED[not first] if task.hinge else 1):
                a = factor.solve(K.T @ aims)
                there, aims = relaxed(K @ a.astype(F32), there, T) if task.hinge else (None, T)
        first = False
        yield lam, a.astype(F32)


def winner(verdicts: dict[str, Verdicts], base: str) -> tuple[str, float]:
    """The name and λ of the candidate to take: of those that are surely better than `base`, the one with the least
    loss, unless another makes fewer mistakes by a standard error; `base` if there is none.

    Surely better is one that has surely less loss and likely fewer mistakes, or surely fewer mistakes and no more loss:
    a few rows far on the wrong side weigh more in the squared hinge loss than many mistakes.
    """
    standard = verdicts[base]
    first = next(iter(standard.losses))
    taken, lam, mistakes = base, standard.lam(SURE), standard.errors[first]
    for name in sorted(verdicts, key=lambda each: verdicts[each].best()):
        found = verdicts[name]
        own = found.lam()
        less = certainty(standard.losses[first], found.losses[own])
        fewer = certainty(standard.errors[first], found.errors[own])
        better = name != base and ((less >= SURE and fewer >= LIKELY) or (fewer >= SURE and less >= 0.0))
        if better and (taken == base or certainty(mistakes, found.errors[own]) >= FEWER):
            taken, lam, mistakes = name, own, found.errors[own]
    return taken, lam
